#!/usr/bin/env python3
"""The league table from outside: what runs keep, renew and refuse. Asserts no time."""
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.join(sys.path[0], "../../cli/tests"))
from common import check, failed, load, program  # noqa: E402

cheap = ["--quick", "--dim", "2", "--workload", "polygon4", "--family", "far,mixed", "--query", "intersect",
         "--min-time", "0.1ms", "--pairs", "128"]


def run(*arguments, **environment):
    r = subprocess.run([program, *arguments], capture_output=True, text=True,
                       env={**os.environ, "GJKBENCH_GNUPLOT": "/nonexistent/gnuplot", **environment})
    return r


def who(path):
    return sorted({entry["contender"] for entry in load(path)["entries"]})


def kept_and_renewed(folder):
    out, kept = os.path.join(folder, "page"), os.path.join(folder, "new", "league.json")
    common = ["run", *cheap, "--backend", "scalar", "--out", out, "--league", kept]
    first = run(*common, "--contender", "batch,reference")
    check(first.returncode == 0 and f"league table: {kept}: 0 entries renewed" in first.stdout,
          f"a first league table: exit {first.returncode}, {first.stderr!r}")
    before = load(kept)
    check(who(kept) == ["batch", "reference"], f"who took part is in it: {who(kept)}")
    check({c["name"]: c["licence"] for c in before["contenders"]} == {"batch": "MIT", "reference": "MIT"},
          "with licences")
    check(load(os.path.join(out, "data", "league.json")) == before, "the run's own is the same")
    entry = next(e for e in before["entries"] if e["contender"] == "batch" and e["precision"] == "f32")
    check(entry["pairs"] == 128 and entry["families"]["far"] == [64, 0] and "mixed" in entry["classes"] and
          entry["metrics"]["repeat"] == {"pairs": 64, "again": 0, "reordered": 0, "other_session": 0} and
          [s["log2"] for s in entry["metrics"]["shifts"]] == [0, 10, 20] and
          all(s["changed"] == 0 for s in entry["metrics"]["shifts"]), f"an entry says it all: {entry}")

    again = run(*common, "--contender", "reference")
    after = load(kept)
    check(again.returncode == 0 and who(kept) == ["batch", "reference"], "who did not take part is kept")
    check([e for e in after["entries"] if e["contender"] == "batch"] ==
          [e for e in before["entries"] if e["contender"] == "batch"], "as it was")
    check(who(os.path.join(out, "data", "league.json")) == ["reference"], "the run's own has who took part")

    drawn = run("report", kept, "--out", os.path.join(folder, "drawn"))
    with open(os.path.join(folder, "drawn", "index.html")) as file:
        page = file.read()
    check(drawn.returncode == 0 and 'id="league"' in page and "scalar f32" in page, "report draws the file alone")
    check(os.path.exists(os.path.join(folder, "drawn", "data", "league-2d-intersect.csv")), "with its numbers as CSV")

    other = run(*common, "--contender", "reference", "--seed", "2")
    check(other.returncode == 0 and "seed was 1, and is 2" in other.stdout and who(kept) == ["reference"],
          f"another seed starts a new one, and says so: {other.stdout[-300:]!r}")
    check(load(kept + ".old") == after, "the old one is put aside")


def bad_files(folder):
    path = os.path.join(folder, "bad.json")
    for text, says in [("[", "bad.json:1:"), ('{"league": 3, "entries": []}', "league: expected version 1"),
                       ('{"league": 1, "entries": [{"contender": "x", "backend": 3}]}', "entries[0].backend: expected a string"),
                       ('{"rows": []}', "bad.json")]:
        with open(path, "w") as file:
            file.write(text)
        for command in (["run", *cheap, "--contender", "reference", "--out", folder, "--league", path], ["report", path]):
            r = run(*command)
            lines = r.stderr.strip().splitlines()
            check(r.returncode == 2 and len(lines) == 1 and says in lines[0] and r.stdout == "",
                  f"{command[0]} of {text!r}: exit {r.returncode}, {r.stderr.strip()!r}")
        with open(path) as file:
            check(file.read() == text, "the bad file stays")
    r = run("run", *cheap, "--contender", "reference", "--out", folder, "--league", "/dev/null/league.json")
    check(r.returncode == 2 and "/dev/null" in r.stderr, f"a folder that cannot be: {r.stderr.strip()!r}")


def all_of_them(folder):
    """--contender all keeps where XDG says, and a plain run keeps nothing."""
    home = os.path.join(folder, "home")
    os.mkdir(home)
    out = os.path.join(folder, "all")
    r = run("run", *cheap, "--contender", "reference", "--out", out, XDG_DATA_HOME=home)
    check(r.returncode == 0 and os.listdir(home) == [], "a selection keeps nothing unless asked")
    run("run", *cheap, "--contender", "all", "--backend", "scalar", "--out", out, XDG_DATA_HOME=home)
    check(os.listdir(home) == [], "nor does a part of the workloads")
    whole = ["--quick", "--dim", "2", "--query", "intersect", "--min-time", "0.1ms", "--pairs", "300", "--contender", "all",
             "--backend", "scalar", "--out", out]
    r = run("run", *whole, XDG_DATA_HOME=home)
    path = os.path.join(home, "gjkbench", "league.json")
    listed = json.loads(run("list", "--json").stdout)["contenders"]
    check(r.returncode == 0 and os.path.exists(path), f"--contender all keeps: exit {r.returncode}, {r.stderr!r}")
    check(set(who(path)) <= {c["name"] for c in listed} and {"batch", "reference"} <= set(who(path)),
          f"everyone: {who(path)}")
    r = run("run", *cheap, "--contender", "reference", "--league", "league.json", "--out", out, HOME="", XDG_DATA_HOME="")
    check(r.returncode == 0, f"a plain file name: {r.stderr!r}")
    os.remove("league.json")
    r = run("run", *whole, HOME="", XDG_DATA_HOME="")
    check(r.returncode == 2 and "--league" in r.stderr, "nowhere to keep it")


def interrupted(folder):
    """A run that is cut short says nothing about who did not get his turn."""
    path = os.path.join(folder, "short.json")
    child = subprocess.Popen([program, "run", "--quick", "--contender", "reference", "--query", "intersect", "--pairs", "100",
                              "--min-time", "10m", "--out", os.path.join(folder, "short"), "--league", path],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             env={**os.environ, "GJKBENCH_GNUPLOT": "/nonexistent/gnuplot"})
    try:
        child.wait(timeout=4)  # wherever that is
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=600)
    check(child.returncode == 130 and not os.path.exists(path) and "stays as it was" in out,
          f"cut short, nothing is renewed: exit {child.returncode}, {out[-200:]!r}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    kept_and_renewed(folder)
    bad_files(folder)
    all_of_them(folder)
    interrupted(folder)
    os.chdir("/")
sys.exit(bool(failed))
