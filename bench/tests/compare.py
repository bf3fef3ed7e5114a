#!/usr/bin/env python3
"""compare and calibrate, from outside: result files whose samples are known, programs whose times are known, and a
repository in which one commit made something slower. No time that is measured decides anything here.
usage: compare.py GJKBENCH FAKE-WORKER FAKE-WORKER.C"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, os.path.join(sys.path[0], "../../cli/tests"))
from common import check, failed, program  # noqa: E402

fake, source = (os.path.realpath(path) for path in sys.argv[2:4])


def run(folder, *arguments, **more):
    return subprocess.run([program, *arguments], capture_output=True, text=True, cwd=folder, **more)


def one_line(r):
    return r.returncode == 2 and r.stdout == "" and r.stderr.count("\n") == 1


def write(path, text):
    with open(path, "w") as file:
        file.write(text)
    return path


def result(folder, name, **rows):
    """A result file: samples by benchmark."""
    benchmarks = [{"name": row, "workload_hash": "00", "label": "ab", "mean_iterations": 2.5, "careful_share": 0.25,
                   "ns_per_pair": sorted(samples)[len(samples) // 2], "samples": samples}
                  for row, samples in rows.items()]
    return write(os.path.join(folder, name), json.dumps({"context": {"cpu": "x"}, "benchmarks": benchmarks}))


def files(folder):
    steady = [100 + i % 3 * 0.1 for i in range(12)]
    old = result(folder, "old.json", a=steady, b=steady, c=steady, gone=steady)
    new = result(folder, "new.json", a=[1.2 * s for s in steady], b=[0.8 * s for s in steady], c=steady, fresh=steady)
    out = os.path.join(folder, "out.json")
    r = run(folder, "compare", old, new, "--json", out)
    with open(out) as file:
        rows = {row["name"]: row for row in json.load(file)["comparisons"]}
    check(r.returncode == 3 and {k: v["verdict"] for k, v in rows.items()} ==
          {"a": "slower", "b": "faster", "c": "same"}, f"files: exit {r.returncode}, {r.stdout!r}")
    r = run(folder, "report", out, "--out", os.path.join(folder, "page"), env={**os.environ, "GJKBENCH_GNUPLOT": "none"})
    with open(os.path.join(folder, "page", "tables", "brief-changed.csv")) as file:
        table = file.read()
    check(r.returncode == 0 and table.splitlines()[1:] == ["a,slower,+20.0% (+19.9 to +20.1),the same",
                                                           "b,faster,-20.0% (-20.1 to -19.9),the same"],
          f"files: the page tells what changed: {table!r}")
    check(abs(rows["a"]["ratio"] - 1.2) < 1e-9 and rows["a"]["ratio_low"] <= 1.2 <= rows["a"]["ratio_high"],
          "files: the ratio is that of the samples")
    r = run(folder, "compare", new, old, "--only", "b")
    check(r.returncode == 3 and "1 benchmark: 1 slower" in r.stdout.splitlines()[0],
          "files: the other way round, b is the slower one")
    r = run(folder, "compare", old, old)
    check(r.returncode == 0 and not r.stderr, "files: a file is as fast as itself")
    with open(old) as file:
        elsewhere = json.load(file)
    elsewhere["context"]["cpu"] = "y"
    r = run(folder, "compare", old, write(os.path.join(folder, "elsewhere.json"), json.dumps(elsewhere)))
    check("warning: another cpu: 'x' and 'y'" in r.stderr, f"files: of another machine: {r.stderr!r}")
    r = run(folder, "compare", old, new, "--floor", "30")
    check(r.returncode == 0 and "3 benchmarks: 0 slower" in r.stdout.splitlines()[0],
          "files: 20% is below a floor of 30%")
    changed = json.load(open(new))
    changed["benchmarks"][2].update(label="cd", careful_share=0.5)
    changed["benchmarks"][1]["workload_hash"] = "11"
    r = run(folder, "compare", old, write(os.path.join(folder, "changed.json"), json.dumps(changed)), "--json", "-")
    rows = {row["name"]: row for row in json.loads(r.stdout)["comparisons"]}
    check(rows["c"]["changed"] == {"fingerprint": ["ab", "cd"], "careful": [0.25, 0.5]}, f"files: {rows['c']['changed']}")
    check(rows["b"]["verdict"] == "not judged" and "workload" in rows["b"]["trouble"], "files: other pairs are not judged")


def apart(folder):
    """Sample i of a file has nothing to do with sample i of the other: their order decides nothing, and what is
    shown is the ratio of the medians that are shown."""
    times = [30 + 0.5 * (7 * i % 20) for i in range(20)]
    rows = []
    for name, samples in ("up.json", sorted(times)), ("down.json", sorted(times, reverse=True)), ("mixed.json", times):
        r = run(folder, "compare", result(folder, "before.json", a=[1.02 * t for t in sorted(times)]),
                result(folder, name, a=samples), "--json", "-")
        row = json.loads(r.stdout)["comparisons"][0]
        old, new = row["ns_per_pair"]
        check(abs(row["ratio"] - new / old) < 1e-12 and row["ratio_low"] < row["ratio"] < row["ratio_high"],
              f"files: the ratio shown is that of the times shown: {row}")
        rows.append((row["ratio"], row["ratio_low"], row["ratio_high"], row["verdict"], row["p_faster"]))
    check(len(set(rows)) == 1, f"files: the order of samples decides nothing: {rows}")
    check(rows[0][3] == "cannot tell" and rows[0][1] < 0.92 < 1.05 < rows[0][2],
          f"files: an interval as wide as the samples: {rows[0]}")
    r = run(folder, "compare", os.path.join(folder, "before.json"), os.path.join(folder, "up.json"))
    head, row = (line.split() for line in r.stdout.splitlines()[2:4])
    check(head[:2] == ["benchmark", "verdict"] and row[:2] == ["a", "inconclusive"]
          and "1 inconclusive" in r.stdout.splitlines()[0],
          f"files: the name first, and a verdict: {r.stdout}")


def together(folder):
    """Nine blocks say little of one of a thousand benchmarks; what they say of it alone is told."""
    steady = [100 + i % 3 for i in range(9)]
    slow = [110 + (7 * i) % 4 for i in range(9)]
    names = ["slow"] + [f"b{i}" for i in range(999)]
    old = result(folder, "many.json", **{name: steady for name in names})
    new = result(folder, "slow.json", **{name: slow if name == "slow" else steady for name in names})
    r = run(folder, "compare", old, new)
    check(r.returncode == 0 and "taken alone, 1 more would be slower and 0 faster" in r.stdout,
          f"files: one of a thousand: exit {r.returncode}, {r.stdout.splitlines()[-4:]}")
    r = run(folder, "compare", old, new, "--only", "slow")
    check(r.returncode == 3 and "taken alone" not in r.stdout, "files: and alone it is told")


def wrong_files(folder, good):
    """What a file has that is no result: the file, the row, the field and the value."""
    with open(good) as file:
        text = file.read()
    for key, value, says in (("samples", [], "benchmarks[0].samples: expected an array of times in nanoseconds, not []"),
                             ("samples", [1, 0], "benchmarks[0].samples[1]: expected a time in nanoseconds, not 0"),
                             ("samples", [1, 1e308], "benchmarks[0].samples[1]: expected a time in nanoseconds, not 1e308"),
                             ("ns_per_pair", "fast", 'benchmarks[0].ns_per_pair: expected a time in nanoseconds, not "fast"'),
                             ("label", 7, "benchmarks[0].label: expected a text, not 7"),
                             ("mean_iterations", "3", 'benchmarks[0].mean_iterations: expected a number, 0 or more, not "3"'),
                             ("iteration_histogram", {}, "benchmarks[0].iteration_histogram: expected an array"),
                             ("name", "", 'benchmarks[0].name: expected a text, not ""')):
        changed = json.loads(text)
        changed["benchmarks"][0][key] = value
        path = write(os.path.join(folder, "wrong.json"), json.dumps(changed))
        for arguments in ((path, good), (good, path)):
            r = run(folder, "compare", *arguments)
            check(one_line(r) and re.search(rf"{path}:1:\d+: {re.escape(says)}", r.stderr),
                  f"compare, {key} {value}: exit {r.returncode}, {r.stderr!r}")
    for option in (["--dim", "2"], ["--query=distance"], ["--shapes", "64"], ["--budget", "1m"], ["--nightly"],
                   ["--builds", folder], ["--threads", "2"]):
        r = run(folder, "compare", good, good, *option)
        check(one_line(r) and option[0].split("=")[0] in r.stderr and "--only" in r.stderr,
              f"compare of files, {option}: exit {r.returncode}, {r.stderr!r}")
    nowhere = json.loads(text)
    del nowhere["context"]
    r = run(folder, "compare", good, write(os.path.join(folder, "nowhere.json"), json.dumps(nowhere)), "--seed", "3")
    check(r.returncode == 0 and "nowhere.json does not say where it was measured" in r.stderr, f"compare: {r.stderr!r}")


def bad_input(folder):
    good = result(folder, "good.json", a=[1, 2, 3, 4, 5, 6])
    cases = [
        ("no such thing", ["nonsense", good]),
        ("not JSON", [good, write(os.path.join(folder, "half.json"), '{"benchmarks": [')]),
        ("no benchmarks", [good, write(os.path.join(folder, "verify.json"), '{"rows": []}')]),
        ("nothing in common", [good, result(folder, "other.json", z=[1, 2, 3, 4, 5, 6])]),
        ("two kinds", [good, fake]),
        ("a folder", [good, folder]),
        ("one side", [good]),
        ("alpha", [good, good, "--alpha", "2"]),
        ("floor", [good, good, "--floor", "-1"]),
        ("a row without a workload", [good, write(os.path.join(folder, "bare.json"),
                                                  '{"benchmarks": [{"name": "a", "samples": [1, 2]}]}')]),
        ("a row that is none", [write(os.path.join(folder, "one.json"), '{"benchmarks": [1]}'), good]),
        ("a name twice", [write(os.path.join(folder, "twice.json"), json.dumps({"benchmarks": 2 * [
            {"name": "a", "workload_hash": "00", "samples": [1, 2]}]})), good]),
        ("no benchmark at all", [good, result(folder, "none.json")]),
        ("budget", [good, good, "--budget", "soon"]),
        ("bisect of files", [good, good, "--bisect"]),
        ("unwritable", [good, good, "--json", os.path.join(folder, "no", "such", "folder.json")]),
    ]
    for what, arguments in cases:
        r = run(folder, "compare", *arguments)
        check(one_line(r), f"compare, {what}: exit {r.returncode}, {r.stderr!r}")
    wrong_files(folder, good)
    r = run(folder, "compare", "/bin/true", "/bin/true", "--budget", "2s")
    check(r.returncode == 99 and r.stderr.count("\n") == 1, f"a program that does not serve: {r.stderr!r}")
    for arguments in (["--rounds", "x"], ["--alpha", "0"], ["--floor", "101"], ["--floor", "-1"],
                      ["--rounds", "0"], ["extra"], ["--query", "nonsense"],
                      ["--relinked", "nowhere"], ["--relinked", folder]):
        check(one_line(run(folder, "calibrate", *arguments)), f"calibrate {' '.join(arguments)}: one line")


def wrapper(folder, name, words):
    path = write(os.path.join(folder, name), f'#!/bin/sh\nexec "{fake}" {words}\n')
    os.chmod(path, 0o755)
    return path


def programs(folder):
    r = run(folder, "compare", fake, wrapper(folder, "slow", "ns=12"), "--budget", "2s", "--json", "-")
    result = json.loads(r.stdout)
    rows = {row["name"]: row for row in result["comparisons"]}
    check(r.returncode == 3 and all(abs(row["ratio"] - 1.2) < 1e-9 for row in rows.values()) and len(rows) == 2,
          f"programs: exit {r.returncode}")
    check(all(row["instructions_per_pair"] == [300.0, 360.0] for row in rows.values()), "programs: instructions")
    check(result["context"]["launches"] >= 6 and result["context"]["old"]["says"]["commit"] == "fake",
          "programs: launches, and what they say of themselves")
    r = run(folder, "compare", fake, wrapper(folder, "refusing", "refuse=0"), "--budget", "1s")
    check(r.returncode == 99 and "not judged" in r.stdout, f"what could not be judged is not fine: exit {r.returncode}")
    r = run(folder, "compare", fake, wrapper(folder, "dying", "leave=1"), "--budget", "2s", "--seed", "2", "--json", "-")
    check(r.returncode == 99 and sum(row["launches"] for row in json.loads(r.stdout)["comparisons"]) == 1 and
          "middle of serving" in r.stderr, f"a side that dies: what was measured is told: {r.stderr!r}")
    r = run(folder, "compare", program, program, "--dim", "2", "--query", "intersect", "--shapes", "64", "--budget",
            "2s", "--json", "-")
    rows = json.loads(r.stdout)["comparisons"]
    check(r.returncode in (0, 3) and len(rows) == 1 and rows[0]["changed"] == {} and "shapes:64" in rows[0]["name"],
          f"a program and itself: SELECT is handed on, answers are the same: {[row['name'] for row in rows]}")


def interrupted(folder):
    napping = wrapper(folder, "napping", "nap=5") # or as many launches as there may be are over too soon
    with subprocess.Popen([program, "compare", napping, napping, "--budget", "100s", "--json", "partial.json"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as p:
        time.sleep(4)
        p.send_signal(signal.SIGINT)
        text, _ = p.communicate(timeout=60)
    hung = write(os.path.join(folder, "hung"), "#!/bin/sh\nexec sleep 1000\n")
    os.chmod(hung, 0o755)
    with subprocess.Popen([program, "compare", napping, hung, "--budget", "1s"], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as h:
        time.sleep(1)
        h.send_signal(signal.SIGINT)
        h.communicate(timeout=20)
    check(h.returncode != 0, f"Ctrl-C ends a comparison with a side that hangs: exit {h.returncode}")
    with open(os.path.join(folder, "partial.json")) as file:
        partial = json.load(file)
    check(p.returncode == 130 and partial["context"]["interrupted"] and partial["comparisons"][0]["launches"] > 0 and
          "launches of both" in text, f"Ctrl-C keeps what is done: exit {p.returncode}")


def git(folder, *arguments):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", *arguments],
                   cwd=folder, check=True, capture_output=True)


def revisions(folder):
    """Commit 5 of 6 makes it slower; commit 4 does not build, so that it may have been that one."""
    repository = os.path.join(folder, "repository")
    os.makedirs(os.path.join(repository, "cli"))
    git(repository, "init", "-q", "-b", "main")
    shutil.copy(source, os.path.join(repository, "cli", "main.c"))
    write(os.path.join(repository, "meson_options.txt"),
          "".join(f"option('{name}', type: 'feature')\n" for name in ("tests", "contenders", "assimp")) +
          "option('backends', type: 'array', value: [])\n")
    for commit in range(7):
        define = "" if commit == 4 else f"-DFAKE_NS={10 if commit < 5 else 12}"
        broken = "nonsense" if commit == 4 else ""
        write(os.path.join(repository, "meson.build"), f"project('fake', 'c')\n{broken}\nsubdir('cli')\n# {commit}\n")
        write(os.path.join(repository, "cli", "meson.build"),
              f"executable('gjkbench', 'main.c', c_args: ['{define or '-O1'}'])\n")
        git(repository, "add", "-A")
        git(repository, "commit", "-q", "-m", f"commit {commit}")
    commits = subprocess.run(["git", "rev-list", "--reverse", "HEAD"], cwd=repository, capture_output=True,
                             text=True, check=True).stdout.split()
    builds = os.path.join(folder, "builds")
    r = run(repository, "compare", commits[0], "HEAD", "--bisect", "--budget", "1s", "--builds", builds)
    check(r.returncode == 3 and f"{commits[5]} is the first slow commit, or one of 1 before it" in r.stdout,
          f"bisect: exit {r.returncode}, {r.stdout[-400:]!r} {r.stderr[-300:]!r}")
    r = run(repository, "compare", commits[3], "HEAD", "--bisect", "--budget", "1s", "--builds", builds)
    check(r.returncode == 3 and f"{commits[5]} is the first slow commit, or one of 1" in r.stdout,
          f"bisect, where nothing between tells: {r.stdout[-200:]!r}")
    r = run(repository, "compare", commits[3], "HEAD", "--bisect", "--budget", "1s", "--builds", builds, "--json", "-")
    check(r.returncode == 3 and json.loads(r.stdout)["summary"]["slower"] == 2 and "first slow commit" in r.stderr,
          "bisect: JSON has stdout for itself")
    r = run(repository, "compare", commits[0], commits[2], "--bisect", "--budget", "1s", "--builds", builds)
    check(r.returncode == 0 and "nothing to bisect" in r.stdout, "bisect: nothing is slower")
    r = run(repository, "compare", commits[0], commits[4], "--budget", "1s", "--builds", builds)
    log = r.stderr.strip().split(" ")[-1]
    check(r.returncode == 2 and "does not build" in r.stderr and os.path.isfile(log), f"a broken revision: {r.stderr!r}")
    r = run(repository, "compare", "HEAD", commits[0], "--bisect", "--budget", "1s", "--builds", builds)
    check("nothing to bisect" in r.stdout and r.returncode == 0, "the other way round it is faster")

    before, other = len(os.listdir(builds)), []
    for _ in range(2):
        r = run(repository, "compare", commits[0], commits[2], "--budget", "1s", "--builds", builds,
                env=os.environ | {"CFLAGS": "-DANOTHER"})
        other.append((len(os.listdir(builds)) - before, r.stderr.count("building")))
    check(other == [(2, 2), (2, 0)], f"other flags make other builds, which are kept: {other}")

    write(os.path.join(repository, "meson.build"), "project('fake', 'c')\nrun_command('sleep', '600', check: true)\n")
    git(repository, "commit", "-q", "-a", "-m", "takes long to build")
    with subprocess.Popen([program, "compare", commits[0], "HEAD", "--builds", builds], cwd=repository,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as p:
        while "building HEAD" not in p.stderr.readline():
            pass
        time.sleep(2)
        os.killpg(p.pid, signal.SIGINT)
        _, text = p.communicate(timeout=60)
    check(p.returncode == 130 and "interrupted while HEAD was built" in text, f"Ctrl-C in a build: {p.returncode}, {text!r}")


with tempfile.TemporaryDirectory() as folder:
    os.environ["XDG_CACHE_HOME"] = os.path.join(folder, "cache")
    files(folder)
    apart(folder)
    together(folder)
    bad_input(folder)
    programs(folder)
    interrupted(folder)
    if shutil.which("git") and shutil.which("meson"):
        revisions(folder)
    else:
        print("skipped - revisions: there is no git, or no meson")
sys.exit(bool(failed))
