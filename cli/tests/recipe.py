#!/usr/bin/env python3
"""Published recipes from outside, small: rows, counts, files, refusals. Asserts no time."""
import html
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time

from common import check, failed, load, program

HULLS, POLYGONS = "ellipsoid-hulls-2205.09663", "polygons-2011.09117"
cheap = ["--contender", "batch,reference", "--backend", "scalar", "--min-time", "0.1ms"]
small = [HULLS, "--pairs", "4", "--poses", "3", "--seeds", "2", "--query", "distance", *cheap]
nobody = {"GJKBENCH_GNUPLOT": "/nonexistent/gnuplot"}


def run(*arguments, **environment):
    return subprocess.run([program, "recipe", *arguments], capture_output=True, text=True,
                          env={**os.environ, **environment})


def facts(row):
    return {key: row[key] for key in ("name", "workload_hash", "label", "fingerprint_pairs", "iteration_histogram",
                                      "graded", "wrong_rate")}


def solids(folder):
    outs = [os.path.join(folder, name) for name in ("only once", "twice", "other")]
    r = run(*small, "--out", outs[0])
    check(r.returncode == 0 and outs[0] + "/index.html" in r.stdout, f"hulls: exit {r.returncode}, {r.stderr!r}")
    result = load(outs[0] + "/data/bench.json")
    rows = result["benchmarks"]
    check(len(rows) == 2 * (15 + 17 + 17), f"a row for each contender, scale and distance: {len(rows)}")
    check(all(row["pairs"] == row["fingerprint_pairs"] == row["graded"] == sum(row["iteration_histogram"]) == 24 and
              row["wrong_rate"] == 0 for row in rows), "all 24 pairs of each are counted and graded, and right")
    check(len({row["workload_hash"] for row in rows}) == len(rows) // 2, "no two places are of the same pairs")
    recipe = result["context"]["recipe"]
    check("2205.09663" in recipe["citation"] and (recipe["couples"], recipe["poses"], recipe["seeds"]) == (4, 3, 2),
          f"the context says what it is: {recipe}")
    run(*small, "--out", outs[1], **nobody)
    check([facts(row) for row in load(outs[1] + "/data/bench.json")["benchmarks"]] == [facts(row) for row in rows],
          "again: the same pairs, answers and counts")
    run(*small, "--seed", "2", "--out", outs[2], **nobody)
    other = load(outs[2] + "/data/bench.json")["benchmarks"]
    check(not {row["workload_hash"] for row in other} & {row["workload_hash"] for row in rows}, "another seed: others")

    data = os.listdir(outs[0] + "/data")
    wanted = {f"{what}-distance-{scale}.{ending}" for what in ("time", "iterations", "wrong")
              for scale in ("x1", "x5", "x10") for ending in ("csv", "svg")}
    drawn = "gnuplot" not in r.stderr
    check({name for name in wanted if drawn or name.endswith(".csv")} <= set(data), f"each drawing has its files: {sorted(data)}")
    with open(outs[0] + "/index.html") as file:
        page = file.read()
    with open(outs[0] + "/tables/wrong-distance-x1-table.md") as file:
        table = file.read()
    check(table.count("\n| batch scalar") == table.count("\n| reference") == 1 and "| -0.01" in table and
          table.count("\\|") == 0, f"each drawing is a table in Markdown: {table}")
    check({f"{what}-distance-x5-table.{ending}"
           for what in ("time", "iterations", "wrong") for ending in ("csv", "md", "tex")}
          <= set(os.listdir(outs[0] + "/tables")) and 'href="tables/time-distance-x5-table.tex"' in page,
          "and in LaTeX and CSV, with links")
    check("gjkbench recipe " + shlex.join([*small, "--out", outs[0]]) in html.unescape(page),
          "the command on the page repeats it, in a shell")
    check("Montaut" in page and "24 pairs" in page and "25,000" not in page, "the page cites, and says how many")
    with open(outs[0] + "/data/iterations-distance-x1.csv", newline="") as file:
        lines = file.read().split("\r\n")
    check(lines[0] == "series,sigma,iterations,low,high" and len(lines) == 2 + 2 * 15 and
          lines[1].startswith("batch scalar,-0.01,"), f"numbers of a drawing: {lines[:2]}")
    if drawn:
        for name in wanted:
            if name.endswith(".svg"):
                with open(f"{outs[0]}/data/{name}") as file:
                    text = file.read()
                check(text.startswith("<svg xmlns=") and "var(" not in text and text.rstrip().endswith("</svg>"),
                      f"{name} stands alone")


def polygons(folder):
    out = os.path.join(folder, "polygons")
    r = run(POLYGONS, "--pairs", "50", *cheap, "--out", out, **nobody)
    rows = load(out + "/data/bench.json")["benchmarks"]
    check(r.returncode == 0 and len(rows) == 2 * 2 * 3 * 10, f"polygons: exit {r.returncode}, {len(rows)} rows")
    check({row["workload"] for row in rows} == {f"polygon{n}" for n in range(3, 13)} and
          {row["family"] for row in rows} == {"far", "touching", "deep"}, "3 to 12 vertices, far, touching and overlapping")
    check(all(sum(row["iteration_histogram"]) == 50 and not row.get("wrong_rate") for row in rows), "50 counted, none wrong")
    check(all(row["graded"] == 50 for row in rows if row["query"] == "distance") and
          all("graded" not in row for row in rows if row["query"] == "intersect" and row["family"] == "touching"),
          "distances are all graded, booleans of what touches are not")
    lines = [line.split() for line in r.stdout.splitlines() if line.startswith("intersect") and "touching" in line]
    check(len(lines) > 0 and all(line[-2:] == ["0", "-"] for line in lines),
          f"of what was not graded none is said to be wrong or right: {lines}")


def refusals(folder):
    for arguments, says in [
        (["ellipsoids"], "ellipsoids"), ([HULLS, "--pairs", "0"], "--pairs 0"), ([POLYGONS, "--poses", "3"], "--poses"),
        ([HULLS, "--pairs", "1000000", "--poses", "100"], "pairs"), ([HULLS, "--family", "far"], "--family"),
        ([HULLS, *cheap, "--out", "/dev/null/x"], "/dev/null"), ([HULLS, "--contender", "box2d", "--out", folder], "contender"),
        ([], "recipe"),
    ]:
        r = run(*arguments)
        lines = r.stderr.strip().splitlines()
        check(r.returncode == 2 and len(lines) == 1 and says in lines[0], f"{arguments}: exit {r.returncode}, {r.stderr!r}")


def interrupted(folder):
    out = os.path.join(folder, "stopped")
    child = subprocess.Popen([program, "recipe", HULLS, "--quick", *cheap[:4], "--min-time", "200ms", "--out", out],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    child.send_signal(signal.SIGINT)
    said, complained = child.communicate(timeout=60)
    kept = load(out + "/data/bench.json")
    check(child.returncode == 130 and kept["benchmarks"] and kept["context"]["interrupted"] and
          os.path.exists(out + "/index.html"), f"Ctrl-C keeps what was measured: exit {child.returncode}, {complained!r}")


def listed():
    r = subprocess.run([program, "list"], capture_output=True, text=True)
    check(all(word in r.stdout for word in (HULLS, POLYGONS, "Montaut", "Barycode")), "list shows both with citations")


with tempfile.TemporaryDirectory() as folder:
    solids(folder)
    polygons(folder)
    refusals(folder)
    interrupted(folder)
    listed()
sys.exit(bool(failed))
