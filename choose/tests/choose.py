#!/usr/bin/env python3
"""choose from outside: choices, exit codes, reuse of results, interruption. Asserts no time.
usage: choose.py GJKBENCH"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, os.path.join(sys.path[0], "../../cli/tests"))
from common import check, failed, program, strict  # noqa: E402

quick = ["--contender", "reference", "--min-time", "0.1ms", "--pairs", "256"]
SCENE = {"gjkbench": 1, "dim": 3, "precision": "f32",
         "shapes": [{"kind": "box", "half_extents": [1, 1, 1]}, {"kind": "point", "vertices": [[0, 0, 0]], "radius": 0.5},
                    {"kind": "hull", "vertices": [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 1]]}],
         "bodies": [{"shape": 0, "pose": {"x": 0, "y": 0, "z": 0}}, {"shape": 2, "pose": {"x": 0.5, "y": 0.1, "z": 0.2}},
                    {"shape": 1, "pose": {"x": 9, "y": 0, "z": 0}}, {"shape": 1, "pose": {"x": 1.51, "y": 0, "z": 0}}],
         "pairs": [[0, 1], [0, 2], [0, 3], [1, 2]]}


def run(*arguments):
    return subprocess.run([program, "choose", *arguments], capture_output=True, text=True)


def write(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(content if isinstance(content, str) else json.dumps(content))
    return path


def bad_input(folder):
    scene = write(folder, "scene.json", SCENE)
    empty = write(folder, "empty.json", {**SCENE, "pairs": []})
    for arguments, says in [
        (["--workload", "polygonal"], "did you mean polygonN with a number for N, such as polygon8?"),
        (["--overlap", "1.5"], "--overlap 1.5: a share"),
        (["--overlap=-0.1"], "--overlap -0.1: a share"),
        (["--overlap", "nan"], "--overlap"),
        (["--wrong", "2"], "--wrong 2: a share"),
        (["--accuracy=-1"], "--accuracy -1"),
        (["--overlap", "0.5", "--family", "far"], "exclude each other"),
        (["--licence", "MTI"], "did you mean 'MIT'"),
        (["--licence", "MIT,freedom"], "'freedom'"),
        (["--batch", "0"], "--batch 0"),
        (["--pairs", "0"], "--pairs 0"),
        (["--shapes", "1"], "--shapes 1"),
        (["--threads", "5000"], "--threads 5000"),
        (["--dim", "3", "--workload", "polygon8"], "no selected dimension"),
        (["--workload", "box2d-pile,box"], "stands alone"),
        ([empty], "empty.json:1:471: pairs"),
        (["--workload", "polygon8,sphere"], "no selected dimension"),
        ([scene, "--dim", "2"], "is 3D, but --dim asks for 2"),
        ([scene, "--workload", "box"], "--workload describes pairs"),
        ([scene, "--overlap", "0.1"], "--overlap describes pairs"),
        ([os.path.join(folder, "none.json")], "none.json"),
        ([scene, scene], "too many operands"),
        (["--results", os.path.join(folder, "none.json")], "none.json"),
        (["--results", scene], "no measured times"),
        (["--results", ","], "file name is empty"),
        ([scene, "--json", os.path.join(folder, "missing", "c.json")], "missing/c.json"),
    ]:
        r = run(*arguments, *([] if "--contender" in arguments else quick[:4] if "--pairs" in arguments else quick))
        lines = r.stderr.strip().splitlines()
        check(r.returncode == 2 and len(lines) == 1 and says in lines[0] and r.stdout == "",
              f"{' '.join(arguments)}: exit {r.returncode}, {r.stderr.strip()!r}")


def own_scene(folder):
    """The mix of a scene whose pairs are known by hand: a deep overlap, far, near and far."""
    r = run(write(folder, "scene.json", SCENE), *quick, "--json", "-")
    result = strict(r.stdout)
    check(r.returncode == 1, f"a scene of one's own, of four pairs: exit {r.returncode}, {r.stderr[-300:]!r}")
    check([c["query"] for c in result["choices"]] == ["intersect", "distance", "penetration"], "the usual queries")
    for choice in result["choices"]:
        scene, one = choice["scene"], choice["candidates"][0]
        check(scene["looked_at"] == 4 and scene["overlapping"] == 1, f"overlapping: {scene}")
        check(scene["classes"] == {"far": 2, "near": 1, "touching": 0, "shallow": 0, "deep": 1}, f"classes: {scene}")
        check(choice["choice"] is None and "rank" not in one and one["verdict"] == "too few pairs", f"choice: {one}")
        check(choice["scene"]["pairs_per_frame"] == 4, f"pairs of a frame: {scene}")
        check(one["graded"] == 4 and one["wrong"] == 0 and abs(one["wrong_share_upper"] - (1 - 0.025 ** 0.25)) < 1e-9,
              "the interval of none of four")
    check(r.stderr.count("too few pairs (4)") == 1
          and r.stderr.startswith("3D intersect, distance, penetration: too few pairs (4)"),
          f"what is so of every query is said once: {r.stderr[:200]}")
    named = run(write(folder, "named.json", {**SCENE, "query": "distance"}), *quick, "--json", "-")
    check([c["query"] for c in strict(named.stdout)["choices"]] == ["distance"], "the query that the scene names")
    few = "3D distance: too few pairs (4) to recommend one: add frames; 0 of 4 wrong"
    check(named.stderr.splitlines()[0].startswith(few),
          f"first line: {named.stderr[:80]!r}")
    check("; 4 pairs a call, as a frame has no more" in named.stderr
          and "batch is slower than it can be" in named.stderr,
          f"what calls hold: {named.stderr}")
    frames = {k: v for k, v in SCENE.items() if k != "pairs"}
    frames["bodies"] = [{"shape": body["shape"]} for body in SCENE["bodies"]]
    poses = [[b["pose"]["x"], b["pose"]["y"], b["pose"]["z"], 0, 0, 0, 1] for b in SCENE["bodies"]]
    frames["frames"] = 20 * [{"poses": poses, "pairs": SCENE["pairs"]}]
    r = run(write(folder, "frames.json", frames), *quick, "--query", "distance", "--contender", "textbook-gjk3")
    check(r.returncode == 0 and r.stdout.startswith("3D distance: reference f64, at "), f"frames of it: {r.stdout}")
    check("one frame a call: 4 pairs, 1 thread" in r.stdout and "4096" not in r.stdout, f"what a call is: {r.stdout}")
    check("left out, for want of distance: textbook-gjk3" in r.stdout and r.stdout.count("textbook-gjk3") == 1,
          f"who lacks the query stands in one line: {r.stdout}")


def calls_of_frames(folder):
    """Calls are what the frames have, unless a number divides them; and every backend of this CPU takes part."""
    frames = {k: v for k, v in SCENE.items() if k != "pairs"}
    frames["bodies"] = [{"shape": body["shape"]} for body in SCENE["bodies"]]
    poses = [[b["pose"]["x"], b["pose"]["y"], b["pose"]["z"], 0, 0, 0, 1] for b in SCENE["bodies"]]
    pairs = [SCENE["pairs"], [[0, 1]], [], SCENE["pairs"][:2]]
    frames["frames"] = 20 * [{"poses": poses, "pairs": p} for p in pairs]
    path = write(folder, "uneven.json", frames)
    where = [path, "--query", "intersect", "--min-time", "0.1ms"]
    available = subprocess.run([program, "list", "--json"], capture_output=True, text=True, check=True).stdout
    backends = [b["name"] for b in strict(available)["backends"] if b["available"]]
    r = run(*where, "--contender", "batch", "--json", "-")
    result = strict(r.stdout)
    scene, rows = result["choices"][0]["scene"], result["benchmarks"]
    check("one frame a call: 1 to 4 pairs, 2.333 on average" in r.stderr, f"uneven frames: {r.stderr[:400]}")
    check(scene["call"] == "frame" and scene["pairs_per_call"] == 4 and scene["pairs_per_frame"] == 1.75, f"scene: {scene}")
    check({row["backend"] for row in rows} == set(backends) and len(rows) == len(backends) and all(
        row["call"] == "frame" and row["timed_pairs_per_call"] == 4 and row["iterations"] % 60 == 0 for row in rows),
        f"each backend of {backends}, in whole passes over 60 frames: {[(x['backend'], x['iterations']) for x in rows]}")
    check({c["backend"] for c in result["choices"][0]["candidates"]} == set(backends), "all of them are ranked")
    r = run(*where, "--contender", "batch", "--backend", "scalar", "--batch", "2", "--json", "-")
    result = strict(r.stdout)
    row, scene = result["benchmarks"][0], result["choices"][0]["scene"]
    check(len(result["benchmarks"]) == 1 and "call" not in row and "call" not in scene and row["pairs_per_call"] == 2
          and scene["pairs_per_call"] == 2, f"--batch divides frames, and --backend names one: {row['name']}")
    bench = os.path.join(folder, "frames-bench.json")
    where = ["--workload", "box2d-pyramid", "--query", "intersect", "--contender", "reference", "--min-time", "0.1ms"]
    subprocess.run([program, "bench", *where, "--json", bench], capture_output=True, check=True)
    for more, reused in (([], True), (["--batch", "64"], False)):
        r = run(*where, "--pairs", "64", "--results", bench, "--json", "-", *more)
        one = strict(r.stdout)["choices"][0]["candidates"][0]
        check(one["reused"] == reused, f"a time of frames is one for frames alone: {more}")


def nobody(folder):
    scene = write(folder, "scene.json", SCENE)
    r = run(scene, *quick, "--query", "distance", "--licence", "copyleft")
    check(r.returncode == 1 and r.stdout.startswith("3D distance: none; the nearest is reference f64, but: licence MIT"),
          f"nobody: exit {r.returncode}, {r.stdout[:120]!r}")
    r = run(scene, *quick, "--query", "distance", "--licence", "permissive", "--wrong", "1")
    check(r.returncode == 0, "permissive covers MIT")


def classes():
    """Separation classes are what the families of these names make."""
    for dim, workload in (("2", "polygon8"), ("3", "hull8")):
        for family in ("far", "near", "touching", "shallow", "deep"):
            r = run("--dim", dim, "--workload", workload, "--family", family, *quick, "--query", "intersect", "--json", "-")
            scene = strict(r.stdout)["choices"][0]["scene"]
            check(scene["classes"][family] >= 0.97 * scene["looked_at"], f"{dim}D {family}: {scene['classes']}")


def accuracy():
    """f32 is good for 1e-5 S, and not for 1e-10."""
    where = ["--dim", "2", "--contender", "batch", "--backend", "scalar", "--precision", "f32", "--query", "distance",
             "--min-time", "0.1ms", "--pairs", "512"]
    good, bad = run(*where, "--accuracy", "1e-5"), run(*where, "--accuracy", "1e-10")
    check(good.returncode == 0 and " wrong: the true rate may be as high as " in good.stdout,
          f"1e-5: exit {good.returncode}")
    check(bad.returncode == 1 and "wrong in" in bad.stdout and "you allow 0.1% beyond 1e-10 S" in bad.stdout,
          f"1e-10: exit {bad.returncode}, {bad.stdout[:200]!r}")
    some = run(*where, "--accuracy", "1e-10", "--wrong", "1")
    check(some.returncode == 0, "and is where any share of wrong answers can be borne")


def described(folder):
    """The share asked for is the share that comes."""
    for dim, workload, asked in [("2", "polygon8", 0.1), ("2", "box,capsule", 0.8), ("3", "box", 0), ("3", "sphere", 1)]:
        r = run("--dim", dim, "--workload", workload, "--overlap", str(asked), "--query", "intersect", "--contender",
                "reference", "--min-time", "0.1ms", "--pairs", "2048", "--shapes", "64", "--json", "-")
        choice = strict(r.stdout)["choices"][0]
        got = choice["scene"]["overlapping"] / choice["scene"]["looked_at"]
        check(r.returncode == 0 and abs(got - asked) < 0.04, f"{dim}D {workload} overlapping {asked}: {got}")
        check(1900 <= choice["scene"]["looked_at"] <= 2048, f"pairs to grade: {choice['scene']['looked_at']}")
    r = run("--dim", "2", "--workload", "polygon8", "--batch", "16", "--threads", "2", *quick, "--query", "distance",
            "--json", "-")
    row = strict(r.stdout)["benchmarks"][0]
    check(row["pairs_per_call"] == 16 and row["threads"] == 2 and row["family"] == "mixed", f"batch and threads: {row['name']}")


def both_dimensions():
    r = run("--workload", "box", *quick, "--query", "distance", "--json", "-")
    check([c["dim"] for c in strict(r.stdout)["choices"]] == [2, 3], "a kind of both dimensions")
    r = run("--workload", "box,sphere", *quick, "--query", "distance", "--json", "-")
    check([c["dim"] for c in strict(r.stdout)["choices"]] == [3], "kinds that only one dimension has all of")


def reused(folder):
    """A time that a result file has is taken from there, whoever wrote it; and from no other question."""
    bench, chosen = os.path.join(folder, "bench.json"), os.path.join(folder, "chosen.json")
    where = ["--dim", "2", "--workload", "polygon8", "--query", "distance", "--contender", "reference"]
    subprocess.run([program, "bench", *where, "--min-time", "0.1ms", "--json", bench], capture_output=True, check=True)
    time_of = strict(open(bench).read())["benchmarks"][0]["ns_per_pair"]

    def candidate(*more):
        r = run(*where, "--min-time", "0.1ms", "--pairs", "64", "--json", "-", *more)
        return strict(r.stdout)["choices"][0]["candidates"][0], r

    one, r = candidate("--results", bench)
    check(one["reused"] and one["ns_per_pair"] == time_of and "* measured before" in r.stderr, "of bench")
    with open(chosen, "w") as file:
        file.write(r.stdout)
    one, _ = candidate("--results", f"{bench},{chosen}")
    check(one["reused"] and one["ns_per_pair"] == time_of, "of choose")
    for other in (["--batch", "64"], ["--threads", "2"], ["--seed", "2"], ["--overlap", "0.2"], ["--precision", "f64", "--shapes", "32"]):
        one, _ = candidate("--results", bench, *other)
        check(not one["reused"], f"not with {' '.join(other)}")
    context = strict(open(bench).read())["context"]
    entry = {"contender": "reference", "backend": "-", "precision": "f64", "dim": 2, "query": "distance",
             "date": context["date"], "commit": context["commit"], "base": {"polygon8": [10, 9, 11]},
             "classes": {"deep": [30, 29, 31]}, "vertices": {"polygon4": [20, 19, 21]}}
    league = {"league": 1, "contenders": context["contenders"], "entries": [entry],
              "context": {k: context[k] for k in ("date", "host_name", "cpu", "compiler", "flags", "commit", "seed")}}
    path = write(folder, "league.json", league)
    for more, ns in (([], 10), (["--overlap", "0.5"], 10), (["--family", "deep"], 30)):
        one, _ = candidate("--results", path, *more)
        check(one["reused"] and one["ns_per_pair"] == ns, f"of a league table: {more}")
    for more in (["--batch", "64"], ["--shapes", "64"], ["--threads", "2"], ["--seed", "2"], ["--family", "far"],
                 ["--overlap", "0.2"], ["--workload", "polygon4", "--family", "deep"]):
        one, _ = candidate("--results", path, *more)
        check(not one["reused"], f"not with {' '.join(more)}, of a league table")
    one, _ = candidate("--results", write(folder, "older.json", {**league, "entries": [{**entry, "date": "2020"}]}))
    check(not one["reused"], "not of an entry of an earlier run")
    for key, value in (("commit", "0000000"), ("host_name", "elsewhere")):
        changed = strict(open(bench).read())
        changed["context"][key] = value
        one, r = candidate("--results", write(folder, "other.json", changed))
        check(not one["reused"] and f"its {key} is '{value}'" in r.stderr, f"not of another {key}")
    changed = strict(open(bench).read())
    changed["context"]["contenders"][1]["version"] = changed["context"]["contenders"][0]["version"] = "9"
    one, _ = candidate("--results", write(folder, "other.json", changed))
    check(not one["reused"], "not of another version")


def interrupted(folder):
    """What was known by then is shown."""
    with open(os.path.join(folder, "out"), "w+") as out, open(os.path.join(folder, "err"), "w+") as err:
        p = subprocess.Popen([program, "choose", "--dim", "2", "--contender", "reference", "--min-time", "60s"],
                             stdout=out, stderr=err)
        for _ in range(600):  # until it catches the signal, however busy the machine
            with open(f"/proc/{p.pid}/status") as status:
                caught = next((int(l.split()[1], 16) for l in status if l.startswith("SigCgt")), 0)
            if caught >> (signal.SIGINT - 1) & 1:
                break
            time.sleep(0.1)
        time.sleep(0.5)
        p.send_signal(signal.SIGINT)
        code = p.wait(timeout=60)
        out.seek(0)
        err.seek(0)
        text, said = out.read(), err.read()
    check(code == 130 and "interrupted" in said, f"interrupted: exit {code}, {said!r}")
    check(text.startswith("2D intersect"), f"interrupted: {text[:100]!r}")


with tempfile.TemporaryDirectory() as folder:
    bad_input(folder)
    own_scene(folder)
    calls_of_frames(folder)
    nobody(folder)
    classes()
    accuracy()
    described(folder)
    both_dimensions()
    reused(folder)
    interrupted(folder)
sys.exit(bool(failed))
