#!/usr/bin/env python3
"""bench and run from outside: exit codes, files, interruption. Asserts no time."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from common import check, failed, program, run, strict

cheap = ["--contender", "reference", "--query", "intersect", "--min-time", "0.1ms"]
KNOWN = """{"meta": {"schema_version": 1}, "cases": [
 {"id": "crossed-boxes", "dim": 3, "query": "boolean",
  "A": {"type": "box", "half_extents": [1, 2, 3], "pose": {"R": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "t": [0, 0, 0]}},
  "B": {"type": "box", "half_extents": [3, 1, 1], "pose": {"R": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "t": [1, 0, 0]}}},
 {"id": "round thing", "dim": 3, "query": "boolean",
  "A": {"type": "blob", "pose": {"R": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "t": [0, 0, 0]}},
  "B": {"type": "blob", "pose": {"R": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "t": [0, 0, 0]}}}]}"""


def points(folder):
    """What would be measured is what is measured, but for warm starts that a contender turns out to make nothing of."""
    file = os.path.join(folder, "points.json")
    select = ["--dim", "2", *cheap, "--quick"]
    named = run("bench", *select, "--points")
    lines = [line.split("\t") for line in named.stdout.splitlines()]
    run("bench", *select, "--json", file)
    with open(file) as measured:
        rows = [[row["name"], row["sweep"]] for row in json.load(measured)["benchmarks"]]
    left = [name for name, sweeps in lines if [name, sweeps] not in rows]
    check(named.returncode == 0 and rows and [line for line in lines if line in rows] == rows
          and all("/warm/" in name for name in left),
          f"--points names the {len(rows)} rows that are measured, and their sweeps; apart from those {left}")


def tables_fit(folder):
    """Lines of tables have at most 100 columns, also with the longest names and largest numbers."""
    pairs = ["--dim", "3", "--workload", "box", "--query", "penetration,distance", "--out", folder]
    verified = run("verify", *pairs, "--family", "mixed,touching", "--pairs", "100").stdout
    verified = verified.split("\n\n")[1].splitlines()
    timed = run("bench", "--dim", "3", "--query", "penetration", "--quick", "--min-time", "0.1ms", "--contender",
                "batch,bullet-pair-minkowski,textbook-epa3").stdout.split("x ref., x right")[0].splitlines()
    listed = run("list").stdout.splitlines()
    for what, lines, least in (("verify", verified, 4), ("bench", timed, 8), ("list", listed, 100)):
        wide = [line for line in lines if len(line) > 100]
        check(len(lines) >= least and not wide, f"{len(lines)} lines of {what} fit: {wide[:2]}")
    backends = [line for line in verified if line.startswith("batch") and "f32 distance" in line]
    check(len(backends) == 1, f"backends that agree are one line of verify: {backends}")


def bad_input(folder):
    for arguments, says in [
        (["bench", "--shapes", "1"], "--shapes 1"),
        (["bench", "--batch", "x"], "--batch"),
        (["bench", "--workload", "polygonal"], "polygonal"),
        (["bench", "--family", "nearby"], "nearby"),
        (["bench", "--backend", "sse9"], "sse9"),
        (["bench", "--quick", "--full"], "--quick"),
        (["bench", "--points", "--memory"], "--points"),
        (["bench", "--points", "--json", "-"], "--points"),
        (["bench", "--jsn", "x"], "--json"),
        (["bench", "--slow", "0.05"], "--slow needs --serve"),
        (["bench", "--cells", "--quick"], "--cells chooses its own points"),
        (["bench", "--cells", "--shapes", "64"], "--cells always takes 4096 shapes"),
        (["bench", "--cells", "--contender", "reference"], "nothing to measure"),
        (["bench", "--cells", "--dim", "2", "--contender", "textbook-gjk2"], "batch"),
        (["bench", "--cells", "--batch", "0"], "--batch 0"),
        (["bench", *cheap, "--json", os.path.join(folder, "missing", "b.json")], "missing/b.json"),
        (["run", *cheap, "--out", "/dev/null/report"], "/dev/null"),
        (["run", "--quick", "--full"], "--quick"),
        (["run", *cheap, "--known", os.path.join(folder, "none.json"), "--out", folder], "none.json"),
        (["bench", *cheap, "--dim", "3", "--workload", "polygon8"], "polygon8"),
    ]:
        r = run(*arguments)
        lines = r.stderr.strip().splitlines()
        check(r.returncode == 2 and len(lines) == 1 and says in lines[0],
              f"{' '.join(arguments)}: exit {r.returncode}, {r.stderr.strip()!r}")
        check(r.stdout == "", "nothing on stdout before any work")


def bench_json(folder):
    r = run("bench", *cheap, "--shapes", "16,64", "--json", "-")
    result = strict(r.stdout)
    names = [row["name"] for row in result["benchmarks"]]
    check(r.returncode == 0 and len(names) == len(set(names)) >= 2, f"bench --json - gives rows {names}")
    check(all(row["wrong_rate"] == 0 for row in result["benchmarks"]), "answers are graded, and right")
    check({"date", "host_name", "num_cpus", "caches", "load_avg", "library_build_type", "commit", "compiler", "flags",
           "seed", "contenders", "missing", "memory_ceiling"} <= result["context"].keys(), "the context says what ran")
    check({row["dim"] for row in result["benchmarks"]} == {2, 3}, "both dimensions are measured")
    r = run("bench", *cheap, "--workload", "box2d-pyramid", "--json", "-")
    names = [row["name"] for row in strict(r.stdout)["benchmarks"]]
    check(r.returncode == 0 and any("/box2d-pyramid/recorded/" in name for name in names),
          f"a recorded scene by name gives rows {names}")
    r = run("bench", "--dim", "2", "--workload", "box2d-pyramid", "--query", "penetration", "--precision", "f64", "--contender",
            "batch", "--backend", "scalar", "--min-time", "0.1ms", "--json", "-")
    wrong = [(row["graded"], row["wrong_rate"]) for row in json.loads(r.stdout)["benchmarks"]]
    check(r.returncode == 0 and wrong == [(15342, 0)], f"a scene recorded in f32, fed as f64: {wrong} graded and wrong")
    for dim, count in [("2", 1), ("3", 2)]:
        r = run("bench", *cheap, "--dim", dim, "--shapes", "16", "--json", "-")
        rows = strict(r.stdout)["benchmarks"]
        check(r.returncode == 0 and len(rows) == count and all(str(row["dim"]) == dim for row in rows) and
              all(row["name"].startswith(dim + "d/") for row in rows), f"--dim {dim}: {[row['name'] for row in rows]}")
    path = os.path.join(folder, "b.json")
    check(run("bench", *cheap, "--shapes", "16", "--json", path).returncode == 0, "bench --json FILE")
    with open(path) as file:
        check(len(strict(file.read())["benchmarks"]) >= 1, "the file is JSON")


def cells(folder):
    """Each query, family and call size against a right library: counts that agree with the list, and lines that fit."""
    path = os.path.join(folder, "cells.json")
    select = ["--dim", "2", "--workload", "polygon3,box2d-pyramid,box2d-level", "--query", "intersect,signed_distance",
              "--contender", "batch,textbook-gjk2", "--backend", "scalar"]
    r = run("bench", "--cells", *select, "--min-time", "0.1ms", "--json", path)
    with open(path) as file:
        result = strict(file.read())
    found, summary = result["cells"], result["summary"]
    places = {(c["query"], c["workload"], c["family"], c["call"]) for c in found}
    families = {"far", "near", "touching", "shallow", "deep", "mixed", "parallel"}
    check(r.returncode == 0 and len(found) == len(places) == 2 * (7 + 3 + 2),
          f"{len(found)} cells, exit {r.returncode}")
    check({c["family"] for c in found} == families | {"recorded"} and {c["call"] for c in found} == {
        "1", "16", "256", "4096", "frame"}, "of all families and calls")
    ratios = [c["ratio"] for c in found if "ratio" in c]
    check(ratios == sorted(ratios) and all("ratio" in c for c in found[:len(ratios)]), "the worst come first")
    means = [summary.pop(key) for key in ("recorded_first", "recorded_new")]
    check(summary == {"cells": len(found), "lost": sum(x < 1 for x in ratios), "below_4": sum(x < 4 for x in ratios),
                      "no_right_peer": len(found) - len(ratios)}, f"counts: {summary}")
    marks = {(c["workload"], c["recorded"]) for c in found if "recorded" in c}
    check(marks == {("box2d-pyramid", "first"), ("box2d-level", "new")}, f"which recorded scenes are new: {marks}")
    right = [[c["ratio"] for c in found if c.get("recorded") == mark and c["judged"] == "right"]
             for mark in ("first", "new")]
    check([m["cells"] for m in means] == [1, 1] and
          all(abs(m["geometric_mean"] / c[0] - 1) < 1e-9 for m, c in zip(means, right)),
          f"means apart: {means}, {right}")
    check(all(c["judged"] == ("none" if "rival" not in c else "right" if c["wrong_share"] <= 1e-3 else "1% off")
              for c in found), "how each was judged")
    check(all(c["judged"] == "none" for c in found if c["query"] == "signed_distance"), "what only ours answer is not won")
    touching = [c for c in found if c["query"] == "intersect" and c["family"] == "touching"]
    check([c["judged"] for c in touching] == ["right"], f"other families decide where pairs touch: {touching}")
    lines = r.stdout.splitlines()
    check(f"{len(found)} cells: {summary['lost']} lost" in r.stdout and max(map(len, lines)) <= 100,
          f"{len(lines)} lines of cells fit")
    later = run("report", path, "--out", os.path.join(folder, "cells-page"))
    check(later.returncode == 0, f"the file draws: {later.stderr.strip()!r}")
    named = run("bench", "--cells", *select, "--points").stdout.splitlines()
    check(len(named) == len(result["benchmarks"]), f"--points names the {len(named)} points that are measured")


def cells_interrupted(folder):
    path = os.path.join(folder, "cells-interrupted.json")
    child = subprocess.Popen([program, "bench", "--cells", "--dim", "2", "--workload", "polygon3", "--query", "intersect",
                              "--contender", "batch,textbook-gjk2", "--min-time", "10m", "--json", path],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=600)
    with open(path) as file:
        result = strict(file.read())
    check(child.returncode == 130 and "interrupted" in out and result["context"].get("interrupted") is True and
          len(result["cells"]) == result["summary"]["cells"], f"Ctrl-C of cells: exit {child.returncode}")


def packaged(_folder):
    """What a library is known for stands next to its time."""
    listed = strict(run("list", "--json").stdout)
    if "libccd-mpr" not in {row["name"] for row in listed["contenders"]}:
        print("ok - # SKIP libccd is not in this build")
        return
    r = run("bench", "--dim", "3", "--workload", "hull16", "--contender", "batch,libccd-mpr", "--query", "penetration",
            "--precision", "f32", "--min-time", "1ms", "--json", "-")
    r2 = run("bench", "--dim", "3", "--workload", "hull16", "--contender", "libccd-mpr", "--query", "penetration",
             "--min-time", "1ms", "--json", "-")
    ours, theirs = strict(r.stdout)["benchmarks"], strict(r2.stdout)["benchmarks"]
    check(all(row["wrong_rate_1e3"] == 0 and row["graded"] >= 10000 for row in ours), "ours is right at 1e-3 S")
    check(len(theirs) == 1 and 0.05 < theirs[0]["wrong_rate_1e3"] <= theirs[0]["wrong_rate"],
          f"MPR's depth is not the least: {[(row['wrong_rate_1e3'], row['wrong_rate']) for row in theirs]}")


def interrupted(folder):
    path = os.path.join(folder, "interrupted.json")
    child = subprocess.Popen([program, "bench", "--min-time", "10m", "--shapes", "16", "--contender", "reference",
                              "--json", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        child.wait(timeout=3)  # into the middle of something; where exactly does not matter
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=600)
    check(child.returncode == 130, f"Ctrl-C: exit {child.returncode}")
    with open(path) as file:
        check(strict(file.read())["context"].get("interrupted") is True, "the file says that it is not all")
    check("interrupted" in out, "and so does the table")


def interrupted_twice(folder):
    """timeout(1) signals its child and then its group: that is one Ctrl-C. One a second later is another, and ends the
    program, which waits here for a reader of its results."""
    for pause, code in ((0.05, 130), (4, -signal.SIGINT)):
        path = os.path.join(folder, f"twice-{pause}.json")
        if code < 0:
            os.mkfifo(path)
        child = subprocess.Popen([program, "verify", "--dim", "2", "--contender", "reference", "--pairs", "1M", "--json",
                                  path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1.5)
        child.send_signal(signal.SIGINT)
        time.sleep(pause)
        child.send_signal(signal.SIGINT)
        try:
            child.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
        check(child.returncode == code and os.path.exists(path), f"two signals within {pause} s: exit {child.returncode}")


def interrupted_library(folder):
    """A library that hangs is not waited for, and what it was not asked is nobody's fault."""
    listed = strict(run("list", "--json").stdout)
    if "libccd-epa" not in {row["name"] for row in listed["contenders"]}:
        print("ok - # SKIP libccd is not in this build")
        return
    path = os.path.join(folder, "hanging.json")
    child = subprocess.Popen([program, "verify", "--dim", "3", "--workload", "hull16", "--family", "huge", "--contender",
                              "libccd-epa", "--query", "penetration", "--json", path], stdout=subprocess.PIPE, text=True)
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=600)
    with open(path) as file:
        rows = strict(file.read())["rows"]
    check(child.returncode == 130, f"Ctrl-C while a library hangs: exit {child.returncode}")
    check(sum(row["interrupted"] for row in rows) > 0 and
          all(row["unwritten"] <= row["hung"] + row["crashed"] + row["unasked"] for row in rows),
          f"pairs left out are counted as interrupted: {[(r['pairs'], r['interrupted'], r['unwritten']) for r in rows]}")


def whole_run(folder):
    out = os.path.join(folder, "report")
    known = os.path.join(folder, "known-failures.json")
    with open(known, "w") as file:
        file.write(KNOWN)
    arguments = ["run", "--quick", "--pairs", "100", *cheap, "--known", known, "--out", out]
    r = run(*arguments, GJKBENCH_GNUPLOT="/nonexistent/gnuplot")
    check(r.returncode == 0, f"without gnuplot: exit {r.returncode}")
    check("gjkbench report " in r.stderr and f"{out}/data/bench.json" in r.stderr, "it says how to draw later")
    check(r.stdout.rstrip().endswith(f"{out}/index.html"), "it ends with the page")
    for name in ["verify.json", "bench.json", "known.json"]:
        with open(os.path.join(out, "data", name)) as file:
            strict(file.read())
    with open(os.path.join(out, "index.html")) as file:
        page = file.read()
        check("<html" in page and "crossed-boxes" in page and "round thing" not in page, "the page is there")
        check("shape &#39;blob&#39; (1)" in page, "it says what is not supported")
    later = run("report", f"{out}/data/verify.json", f"{out}/data/bench.json", f"{out}/data/known.json", "--out", out)
    check(later.returncode == 0, "the numbers draw later")


with tempfile.TemporaryDirectory() as folder:
    bad_input(folder)
    tables_fit(folder)
    points(folder)
    bench_json(folder)
    cells(folder)
    packaged(folder)
    interrupted(folder)
    cells_interrupted(folder)
    interrupted_twice(folder)
    interrupted_library(folder)
    whole_run(folder)
sys.exit(bool(failed))
