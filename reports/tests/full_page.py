#!/usr/bin/env python3
"""The page of all that 'bench --full' measures stays small enough to be sent, and its files have all of it. Times are
made up: what a point is called says all else. usage: full_page.py GJKBENCH LEAGUE.json"""
import csv
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.join(sys.path[0], "../../cli/tests"))
from common import check, failed, program  # noqa: E402

league = os.path.realpath(sys.argv[2])
MOST = 3_000_000  # bytes
SHOWN = 2000


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True)


def made_up(name, low, high):
    """A number between, the same for a name everywhere."""
    share = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=6).digest(), "big") / 2 ** 48
    return low + share * (high - low)


def row(line):
    name, sweeps = line.split("\t")
    dim, query, workload, family, *ways = name.split("/")
    precision, backend, contender = ways.pop(), ways.pop(), ways.pop()
    numbers = dict(way.split(":") for way in ways if ":" in way)
    shapes = int(numbers["shapes"])
    call = int(numbers.get("call", shapes)) if numbers.get("call") != "frame" else shapes
    vertices = re.fullmatch(r"[a-z]+?(\d+)", workload)
    size = int(vertices[1]) if vertices else 8
    ns = made_up(name, 50, 500) * size ** 0.7 * (1 + shapes / 65536)
    made = {"name": name, "contender": contender, "backend": backend, "precision": precision, "query": query,
            "workload": workload, "family": family, "sweep": sweeps, "dim": int(dim[0]), "shapes": shapes,
            "pairs": 16384, "pairs_per_call": call, "threads": int(numbers.get("threads", 1)),
            "ns_per_pair": ns, "ns_low": 0.97 * ns, "ns_high": 1.04 * ns, "ns_min": 0.95 * ns,
            "pairs_per_second": 1e9 / ns, "prepare_ns_per_shape": 10 * size, "label": f"{int(made_up(name, 0, 2 ** 63)):016x}",
            "wrong_rate": 0.0 if contender in ("batch", "reference") else made_up(name, 0, 0.01),
            "wrong_rate_1e3": 0.0, "graded": 12288, "worst_error_eps": 1.0, "random_lines_per_pair": 6.0,
            "samples": [ns] * 9}
    if contender == "batch":
        made |= {"lane_occupancy": made_up(name, 0.6, 1), "mean_iterations": 4.0, "careful_share": 0.01,
                 "iteration_histogram": [0, 10, 3000, 9000, 3000, 1000]}
    made |= {"start": way for way in ways if ":" not in way}
    made |= {"vertices": size} if vertices else {}
    return made


with tempfile.TemporaryDirectory() as folder:
    def path(name):
        return os.path.join(folder, name)
    run("bench", "--dim", "2", "--quick", "--contender", "batch", "--query", "intersect", "--min-time", "0.1ms",
        "--json", path("bench.json"))
    with open(path("bench.json")) as file:
        result = json.load(file)
    lines = run("bench", "--full", "--points").stdout.splitlines()
    result["benchmarks"] = [row(line) for line in lines]
    with open(path("bench.json"), "w") as file:
        json.dump(result, file)
    run("verify", "--pairs", "20", "--family", "mixed,near", "--json", path("verify.json"))
    run("report", path("bench.json"), path("verify.json"), league, "--out", path("page"))
    with open(path("page/index.html"), "rb") as file:
        page = file.read()
    check(len(page) < MOST, f"the page of {len(lines)} points: {len(page)} bytes")
    figures = page.count(b"<figure")
    check(figures > 100, f"{figures} figures")
    with open(path("page/tables/points.csv")) as file:
        names = [line[0].removesuffix(" †") for line in csv.reader(file)][1:]
    check(sorted(names) == sorted(line.split("\t")[0] for line in lines), f"points.csv has all of them: {len(names)}")
    start = page.index(b'data-file="points"')
    shown = page[start:page.index(b"</table>", start)].count(b"<tr><th>")
    check(shown == min(SHOWN, len(lines)), f"the page shows {shown} of them")
sys.exit(bool(failed))
