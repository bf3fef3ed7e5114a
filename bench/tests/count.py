#!/usr/bin/env python3
"""Counts from outside: the same twice, of the kernels' calls alone, a known slow-down found, and files held against
each other. Needs Valgrind: without it, the test is skipped.
usage: count.py GJKBENCH FAKE-WORKER"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, os.path.join(sys.path[0], "../../cli/tests"))
from common import check, failed, program  # noqa: E402

fake = os.path.realpath(sys.argv[2])
point = ("--dim", "2", "--query", "distance")


def run(folder, *arguments, **more):
    environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(folder, "cache"), "TMPDIR": os.path.join(folder, "tmp"),
                   **more.pop("env", {})}
    environment.pop("GJKBENCH_BACKEND", None)
    return subprocess.run([program, *arguments], capture_output=True, text=True, cwd=folder, env=environment, **more)


def load(folder, name):
    with open(os.path.join(folder, name)) as file:
        return json.load(file)


def save(folder, name, value):
    with open(os.path.join(folder, name), "w") as file:
        json.dump(value, file)


def exact(folder):
    for name in ("a.json", "b.json"):
        r = run(folder, "bench", "--count", *point, "--json", name)
        check(r.returncode == 0 and "distance" in r.stdout, f"counts: exit {r.returncode}, {r.stderr!r}")
    rows = [load(folder, name)["benchmarks"] for name in ("a.json", "b.json")]
    keys = ("name", "instructions_per_pair", "branches_per_pair", "functions", "label", "mean_iterations")
    check(len(rows[0]) == 1 and [[r[k] for k in keys] for r in rows[0]] == [[r[k] for k in keys] for r in rows[1]],
          "what is counted is the same twice, and so are its functions and answers")
    row = rows[0][0]
    check(row["cycles_per_pair"] > 10 and row["misses_per_pair"] > 0, f"cycles and misses are estimated: {row}")
    harness = {"work", "main", "gjb_session_run", "gjb_generate", "gjb_scene_hash", "serve"}
    check("gjb_simd_run" in row["functions"] and not harness & set(row["functions"]),
          f"calls of the kernels are counted, and nothing else: {sorted(row['functions'])}")
    check(abs(sum(row["functions"].values()) / row["instructions_per_pair"] - 1) < 0.01, "functions sum up to all")


def both(folder):
    r = run(folder, "compare", program, program, "--count", *point, "--json", "same.json")
    same = load(folder, "same.json")
    check(r.returncode == 0 and "1 equal" in r.stdout and same["of"] == "instructions" and
          same["comparisons"][0]["ratio"] == 1,
          f"a program equals itself: exit {r.returncode}, {r.stdout!r}, {r.stderr!r}")
    r = run(folder, "report", "same.json", "--out", "page", env={"GJKBENCH_GNUPLOT": "none"})
    with open(os.path.join(folder, "page", "index.html")) as file:
        check(r.returncode == 0 and "Instructions are new over old, counted exactly." in file.read(),
              f"and a page says what was compared: {r.stderr!r}")
    r = run(folder, "calibrate", "--count", *point, "--rounds", "1", "--json", "levels.json")
    levels = {level["name"]: level for level in load(folder, "levels.json")["levels"]}
    check(r.returncode == 0 and levels["identical"]["found"] == 0 and
          all(levels[name]["found"] == 1 for name in ("+0.5%", "+1%", "+2%", "+5%")),
          f"known slow-downs are found: {r.stdout!r}, {r.stderr!r}")
    check(not os.path.exists(os.path.join(folder, "cache")), "what is counted leaves the floor of times as it was")


def files(folder):
    counts = load(folder, "a.json")
    for share, code, word in ((1.01, 3, "more"), (0.99, 0, "fewer"), (1.001, 0, "same"), (1, 0, "equal")):
        changed = json.loads(json.dumps(counts))
        row = changed["benchmarks"][0]
        row["instructions_per_pair"] *= share
        row["functions"]["gjb_simd_run"] += row["instructions_per_pair"] * (1 - 1 / share)
        save(folder, "new.json", changed)
        r = run(folder, "compare", "a.json", "new.json")
        check(r.returncode == code and f" {word} " in r.stdout and ("gjb_simd_run" in r.stdout) == (share != 1),
              f"files, {share} times as much: exit {r.returncode}, {r.stdout!r}, {r.stderr!r}")
    r = run(folder, "compare", "a.json", "new.json", "--count", "--floor", "0.05")
    check(r.returncode == 0, f"--count and --floor go with files of counts: {r.stderr!r}")
    save(folder, "times.json", {"context": {"cpu": "x"}, "benchmarks": [
        {"name": counts["benchmarks"][0]["name"], "workload_hash": "00", "ns_per_pair": 100, "samples": [100] * 9}]})
    for pair in (("a.json", "times.json"), ("times.json", "a.json"), ("times.json", "times.json", "--count")):
        r = run(folder, "compare", *pair)
        check(r.returncode == 2 and r.stderr.count("\n") == 1 and "times.json: holds times" in r.stderr,
              f"{pair}: refused: exit {r.returncode}, {r.stderr!r}")


def refused(folder):
    has = json.loads(run(folder, "list", "--json").stdout)["backends"]
    if any(row["name"] == "avx512" and row["available"] for row in has):
        r = run(folder, "bench", "--count", *point, "--backend", "avx512")
        check(r.returncode == 2 and "avx512: Valgrind runs no AVX-512" in r.stderr and r.stderr.count("\n") == 1,
              f"a backend that Valgrind has not: exit {r.returncode}, {r.stderr!r}")
        r = run(folder, "bench", "--count", *point, "--backend", "scalar,avx512")
        check(r.returncode == 0 and "not counted: avx512" in r.stdout and "/avx512/" not in r.stdout,
              f"one of two: exit {r.returncode}, {r.stdout!r}")
    r = run(folder, "bench", "--count", *point, env={"PATH": folder})
    check(r.returncode == 99 and "needs valgrind on PATH" in r.stderr and r.stderr.count("\n") == 1,
          f"no Valgrind: exit {r.returncode}, {r.stderr!r}")
    r = run(folder, "compare", fake, fake, "--count", *point)
    check(r.returncode == 99 and r.stderr.count("\n") == 1 and os.path.basename(fake) in r.stderr,
          f"a program that does not count: exit {r.returncode}, {r.stderr!r}")
    r = run(folder, "bench", "--count", "--threads", "1,2", *point, "--json", "threads.json")
    check(r.returncode == 0 and "counts are of one thread" in r.stdout and
          len(load(folder, "threads.json")["benchmarks"]) == 1 and
          len(load(folder, "threads.json")["context"]["not_counted"]) == 1, f"threads: {r.stdout!r}, {r.stderr!r}")
    for words in (("bench", "--count", "--quick"), ("compare", program, program, "--count", "--budget", "9s"),
                  ("compare", program, program, "--count", "--nightly"), ("calibrate", "--count", "--budget", "9s")):
        r = run(folder, *words)
        check(r.returncode == 2 and r.stderr.count("\n") == 1 and words[-2 if words[-1] == "9s" else -1] in r.stderr,
              f"{words[-2:]} is for times: exit {r.returncode}, {r.stderr!r}")
    r = run(folder, "bench", "--count", *point, "--contender", "reference")
    check(r.returncode == 0 and "/reference/" in r.stdout and "not counted" not in r.stdout,
          f"backends are those of batch alone: exit {r.returncode}, {r.stdout!r}, {r.stderr!r}")


def interrupted(folder):
    p = subprocess.Popen([program, "bench", "--count", "--json", "cut.json"], cwd=folder, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": os.path.join(folder, "tmp")})
    time.sleep(2)
    p.send_signal(signal.SIGINT)
    p.communicate(timeout=60)
    check(p.returncode == 130, f"Ctrl-C: exit {p.returncode}")
    check(not os.listdir(os.path.join(folder, "tmp")), "callgrind's files are taken away")


def main():
    if not shutil.which("valgrind"):
        print("no valgrind: counts are not tested")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "tmp"))
        for part in (exact, both, files, refused, interrupted):
            part(folder)
    sys.exit(bool(failed))


main()
