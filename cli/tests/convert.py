#!/usr/bin/env python3
"""convert writes what Bencher and github-action-benchmark document; Google Benchmark's own tool reads results as they
are, where it is installed. usage: convert.py GJKBENCH"""
import glob
import json
import os
import subprocess
import sys
import tempfile

from common import check, failed, run


# As https://bencher.dev/docs/reference/bencher-metric-format states it: any name, any measure, numbers, one required.
def is_bencher(value):
    def is_metric(metric):
        return (isinstance(metric, dict) and "value" in metric and
                all(isinstance(number, (int, float)) for number in metric.values()) and
                set(metric) <= {"value", "lower_value", "upper_value"})
    return (isinstance(value, dict) and
            all(0 < len(name) <= 1024 and isinstance(measures, dict) and
                all(0 < len(measure) <= 64 and is_metric(metric) for measure, metric in measures.items())
                for name, measures in value.items()))


# As the README of github-action-benchmark states it.
def is_github(value):
    return (isinstance(value, list) and
            all(isinstance(row["name"], str) and isinstance(row["unit"], str) and
                isinstance(row["value"], (int, float)) and set(row) <= {"name", "unit", "value", "range", "extra"} and
                all(isinstance(row.get(key, ""), str) for key in ("range", "extra")) for row in value))


def contents(folder):
    path = os.path.join(folder, "result.json")
    with open(path, "w") as file:
        json.dump({"benchmarks": [{"name": "a/b", "ns_per_pair": 20, "ns_low": 16, "ns_high": 25, "label": "0123",
                                   "wrong_rate": 0.25, "mean_iterations": 2.5},
                                  {"name": "c", "ns_per_pair": 1e6, "ns_low": 1e6, "ns_high": 1e6}]}, file)
    bencher = json.loads(run("convert", path, "--to", "bencher").stdout)
    check(bencher == {"a/b": {"latency": {"value": 20, "lower_value": 16, "upper_value": 25},
                              "throughput": {"value": 5e7, "lower_value": 4e7, "upper_value": 6.25e7},
                              "wrong-answer-rate": {"value": 0.25}, "iterations": {"value": 2.5}},
                      "c": {"latency": {"value": 1e6, "lower_value": 1e6, "upper_value": 1e6},
                            "throughput": {"value": 1e3, "lower_value": 1e3, "upper_value": 1e3}}}, f"bencher: {bencher}")
    out = os.path.join(folder, "out.json")
    r = run("convert", path, "--to", "github-action", "--json", out)
    with open(out) as file:
        github = json.load(file)
    check(r.returncode == 0 and r.stdout == "" and github ==
          [{"name": "a/b", "unit": "ns/pair", "value": 20, "range": "± 5",
            "extra": "95% interval: 16 to 25 ns\nwrong answers: 25%\nfingerprint: 0123"},
           {"name": "c", "unit": "ns/pair", "value": 1e6, "range": "± 0",
            "extra": "95% interval: 1e+06 to 1e+06 ns\nwrong answers: not graded\nfingerprint: none"}],
          f"github-action: {github}")
    return path


def real_results(folder):
    path = os.path.join(folder, "bench.json")
    run("bench", "--dim", "2", "--contender", "batch", "--query", "distance", "--shapes", "64", "--min-time", "1ms",
        "--json", path, cwd=folder)
    for format, fits in (("bencher", is_bencher), ("github-action", is_github)):
        value = json.loads(run("convert", path, "--to", format).stdout)
        check(len(value) >= 1 and fits(value), f"{format}: what bench measured, as its documentation has it")
    tools = glob.glob("/usr/share/benchmark/compare.py")
    python = "/usr/bin/python3" # which has what Debian packages
    if not tools or subprocess.run([python, "-c", "import scipy, numpy"], capture_output=True).returncode:
        print("skipped - Google Benchmark's compare.py is not installed (libbenchmark-tools, python3-scipy)")
        return
    r = subprocess.run([python, tools[0], "--no-color", "benchmarks", path, path], capture_output=True, text=True)
    check(r.returncode == 0 and "/batch/" in r.stdout, f"Google Benchmark's compare.py reads it: {r.stderr[-200:]!r}")


def bad_input(folder, good):
    def text(name, content):
        path = os.path.join(folder, name)
        with open(path, "w") as file:
            file.write(content)
        return path
    for says, arguments in [
            ("--to", [good]), ("--to bench: must be bencher", [good, "--to", "bench"]), ("an operand is missing", ["--to", "bencher"]),
            ("none.json: cannot open: No such file", [os.path.join(folder, "none.json"), "--to", "bencher"]),
            (f"{folder}: is a directory", [folder, "--to", "bencher"]),
            ("half.json:1:", [text("half.json", "{"), "--to", "bencher"]),
            ("'benchmarks'", [text("rows.json", '{"rows": []}'), "--to", "bencher"]),
            ("e.json:1:16: benchmarks: none", [text("e.json", '{"benchmarks": []}'), "--to", "bencher"]),
            ("benchmarks[0].name: missing", [text("n.json", '{"benchmarks": [{"ns_per_pair": 1}]}'), "--to", "bencher"]),
            ("benchmarks[0].name: expected a text, not null",
             [text("null.json", '{"benchmarks": [{"name": null, "ns_per_pair": 1}]}'), "--to", "bencher"]),
            ("benchmarks[0]: expected an object, not 7", [text("7.json", '{"benchmarks": [7]}'), "--to", "bencher"]),
            ("benchmarks[0].ns_per_pair: expected a time in nanoseconds, not 0",
             [text("t.json", '{"benchmarks": [{"name": "a", "ns_per_pair": 0}]}'), "--to", "bencher"]),
            ("benchmarks[1].name: 'c' comes twice", [text("two.json", json.dumps({"benchmarks": 2 * [
                {"name": "c", "ns_per_pair": 1, "ns_low": 1, "ns_high": 1}]})), "--to", "bencher"]),
            ("convert: " + os.path.join(folder, "no", "where.json"),
             [good, "--to", "bencher", "--json", os.path.join(folder, "no", "where.json")])]:
        r = run("convert", *arguments)
        check(r.returncode == 2 and r.stdout == "" and r.stderr.count("\n") == 1 and says in r.stderr,
              f"{says}: {r.stderr!r}")


with tempfile.TemporaryDirectory() as folder:
    bad_input(folder, contents(folder))
    real_results(folder)
sys.exit(bool(failed))
