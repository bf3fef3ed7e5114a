#!/usr/bin/env python3
"""Fits the weights that 'gjkbench bench --count' estimates cycles with, or says how well they rank.

usage: fit-cycles.py fit PROGRAM [OPTION OF BENCH...]
       fit-cycles.py rank PROGRAM OLD NEW... [-- OPTION OF COMPARE...]

fit measures PROGRAM's base points on every backend that can be counted, as times and as counts, and prints the weights
(least squares of relative errors, none below 0) and what they miss by. They belong into bench/count/profile.c.

rank has PROGRAM compare OLD with each NEW by time, on avx2, and counts them. All are gjkbench programs, also old ones
that do not count themselves. It prints both changes of each benchmark, then Spearman's rank correlation of all of them
together, and of those whose time changed by 2% and more.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

TERMS = ["instructions_per_pair", "mispredicted_per_pair", "misses_per_pair"]


def run_json(*command):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        code = subprocess.run([*command, "--json", file.name], stdout=subprocess.DEVNULL).returncode
        if code not in (0, 3, 99):
            sys.exit(f"fit-cycles.py: {' '.join(command)}: exit code {code}")
        return json.load(open(file.name))


def solve(rows, terms):
    """Non-negative least squares by coordinate descent: each row is (values, target), relative to the target."""
    weights = [0.0] * terms
    for _ in range(20000):
        for k in range(terms):
            top = bottom = 0.0
            for values, target in rows:
                x = values[k] / target
                rest = 1 - sum(w * v / target for j, (w, v) in enumerate(zip(weights, values)) if j != k)
                top += x * rest
                bottom += x * x
            weights[k] = max(0.0, top / bottom) if bottom > 0 else 0.0
    return weights


def fit(program, options):
    backends = ["--backend", "scalar,sse4,avx,avx2", *options]
    counts = run_json(program, "bench", "--count", *backends)
    times = {r["name"]: r["ns_per_pair"][0]
             for r in run_json(program, "compare", program, program, "--budget", "300s", *backends)["comparisons"]}
    mhz = counts["context"]["mhz_per_cpu"]
    named = [(r["name"], [r[t] for t in TERMS], times[r["name"]] * mhz / 1000) for r in counts["benchmarks"]
             if r["name"] in times]
    weights = solve([row[1:] for row in named], len(TERMS))
    print(f"{len(named)} points, {mhz:.0f} MHz")
    for term, weight in zip(TERMS, weights):
        print(f"{weight:8.3f} cycles for each of {term}")
    errors = sorted((sum(w * v for w, v in zip(weights, values)) / cycles - 1, name) for name, values, cycles in named)
    for error, name in errors[:3] + errors[-3:]:
        print(f"{100 * error:+7.1f}%  {name}")
    sizes = sorted(abs(e) for e, _ in errors)
    print(f"off by {100 * sizes[len(sizes) // 2]:.0f}% in the median")


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for i in order[at:end]:
            result[i] = (at + end - 1) / 2
        at = end
    return result


def spearman(a, b):
    a, b = ranks(a), ranks(b)
    n, mean = len(a), (len(a) - 1) / 2
    top = sum((x - mean) * (y - mean) for x, y in zip(a, b))
    bottom = (sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)) ** 0.5
    return top / bottom if n > 1 and bottom > 0 else float("nan")


BACKEND = ["--backend", "avx2"]


def profile_source():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bench/count/profile.c")) as file:
        return file.read()


def weights():
    return [float(re.search(rf"{name} = ([0-9.]+)", profile_source())[1])
            for name in ("cycles_instruction", "cycles_mispredicted", "cycles_miss")]


def callgrind():
    """As programs are counted, but for what old ones cannot say: each call of the kernels goes through one function."""
    options = re.search(r"gjb_callgrind_options\[\] = \{(.*?)\}", profile_source(), re.S)[1]
    return ["valgrind", *(o for o in re.findall(r'"([^"]+)"', options) if "-atstart" not in o),
            "--toggle-collect=gjb_simd_run"]


def totals(program, index):
    """What the kernels execute for the answers of a point, of a program of any age: by the name of their function."""
    with tempfile.NamedTemporaryFile() as file:
        r = subprocess.run([*callgrind(), f"--callgrind-out-file={file.name}", program, "bench", "--serve", *BACKEND],
                           input=f"open {index}\nanswer\n", capture_output=True, text=True)
        pairs = json.loads(r.stdout.splitlines()[2])["answered"]
        lines = dict(line.split(": ", 1) for line in open(file.name).read().splitlines() if ": " in line)
    events = dict(zip(lines["events"].split(), map(int, lines["totals"].split())))
    sums = [["Ir"], ["Bcm", "Bim"], ["I1mr", "D1mr", "D1mw"]]
    return [sum(events.get(e, 0) for e in names) / pairs for names in sums]


def count(program):
    """By name of point: [instructions, mispredicted branches, misses] a pair."""
    hello = subprocess.run([program, "bench", "--serve", *BACKEND], input="", capture_output=True, text=True).stdout
    points = json.loads(hello)["points"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(zip(points, pool.map(lambda i: totals(program, i), range(len(points)))))


def rank(program, old, news, options):
    each, pairs, before = weights(), [], count(old)
    cycles_of = lambda counts: sum(w * c for w, c in zip(each, counts))
    for new in news:
        after = count(new)
        for r in run_json(program, "compare", old, new, *BACKEND, *options)["comparisons"]:
            name, time = r["name"], r["ratio"]
            if name not in before or name not in after or not time:
                continue
            cycles, instructions = cycles_of(after[name]) / cycles_of(before[name]), after[name][0] / before[name][0]
            pairs.append((time, cycles, instructions))
            print(f"{100 * (time - 1):+7.2f}% time {100 * (cycles - 1):+7.2f}% cycles "
                  f"{100 * (instructions - 1):+7.2f}% instructions  {name}  {new}", flush=True)
    for words, some in (("all", pairs), ("changed by 2% and more", [p for p in pairs if abs(p[0] - 1) >= 0.02])):
        print(f"{words}: {len(some)} pairs, rank correlation with time: "
              f"cycles {spearman([p[0] for p in some], [p[1] for p in some]):.3f}, "
              f"instructions {spearman([p[0] for p in some], [p[2] for p in some]):.3f}")


def main():
    words = sys.argv[1:]
    if len(words) >= 2 and words[0] == "fit":
        fit(words[1], words[2:])
    elif len(words) >= 4 and words[0] == "rank":
        end = words.index("--") if "--" in words else len(words)
        rank(words[1], words[2], words[3:end], words[end + 1:])
    else:
        sys.exit(__doc__)


main()
