#!/usr/bin/env python3
"""Plug-ins that misbehave on some pairs: each is reported with pair and cause, the pair file does it again, and
everything runs to its end. usage: misbehaving.py GJKBENCH BAD.SO"""
import os
import subprocess
import sys
import tempfile

from common import check, failed, program, strict

plugin = os.path.realpath(sys.argv[2])
PAIRS = 4000
# option, what is found, whether the process ends of it, queries that show it
FAULTS = [
    ("crash", "crashed", True, 2),
    ("abort", "aborted", True, 2),
    ("exit", "exited", True, 2),
    ("overrun", "wrote outside its results", True, 2),
    ("underrun", "wrote outside its results", True, 2),
    ("input", "wrote to its input", True, 2),
    ("unwritten", "left its result unwritten", False, 2),
    ("status", "wrote an unknown status", False, 2),
    ("nan", "returned NaN", False, 1),
    ("rounding", "changed the floating-point state", False, 2),
]


def run(folder, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, cwd=folder)


def select(option):
    name = "bad-" + option.split("=")[0]
    return ["--plugin", f"{plugin}:{option}", "--contender", name, "--workload", "circle"]


def verify(folder, option, pairs):
    out = os.path.join(folder, "pairs-" + option)
    r = run(folder, "verify", *select(option), "--family", "mixed", "--pairs", str(pairs), "--out", out,
            "--json", "-")
    check(r.returncode == 0, f"{option}: verify exits with {r.returncode}: {r.stderr[-300:]!r}")
    return strict(r.stdout), r.stderr


def replay(folder, path, option):
    """What a saved pair does now, to the contender and to one that is right."""
    r = run(folder, "replay", path, "--plugin", f"{plugin}:{option}", "--contender",
            f"reference,bad-{option.split('=')[0]}", "--json", "-")
    return r.returncode, {case["contender"]: case for case in strict(r.stdout)["cases"]}


def guilty_pairs(folder):
    """Told by who lives on and leaves them out, over all pairs: (query, pair, exchanged)."""
    result, _ = verify(folder, "unwritten", PAIRS)
    return {(m["query"], m["pair"], m["exchanged"]) for m in result["mishaps"]}


def in_verify(folder, option, what, ends, queries, guilty):
    result, text = verify(folder, option, PAIRS)
    rows, found = result["rows"], result["mishaps"]
    check(sum(row["pairs"] for row in rows) == 2 * PAIRS, f"{option}: all pairs are run")
    check({m["what"] for m in found} == {what}, f"{option}: it is called {({m['what'] for m in found})}")
    told = {(m["query"], m["pair"], m["exchanged"]) for m in found}
    check(told and (told == guilty if queries == 2 else told < guilty),
          f"{option}: {len(told)} of {len(guilty)} pairs")
    counted = [row["mishaps"].get(what, 0) for row in rows]
    check(sum(counted) == len(found) and result["mishaps_dropped"] == 0, f"{option}: {counted} are counted")
    straight = sum(not m["exchanged"] for m in found)
    if ends:
        check(sum(row["crashed"] for row in rows) == len(found), f"{option}: as crashes too")
    if option == "nan":
        check(sum(row["nan"] for row in rows) == straight, "nan: as NaN too")
    wrong = 0 if option == "rounding" else straight
    check(sum(row["wrong"] for row in rows) == wrong, f"{option}: every other answer is right")
    check(what in text and found[0]["file"] in text, f"{option}: it is reported, with a file")
    check(all(m["file"] and os.path.isfile(m["file"]) for m in found), f"{option}: each pair is in a file: {found}")
    for m in (found[0], found[-1]):
        code, cases = replay(folder, m["file"], option)
        bad, right = cases["bad-" + option], cases["reference"]
        check(code == 0 and bad["mishap"] == what and right["verdict"] == "right" and right["mishap"] is None,
              f"{option}: {os.path.basename(m['file'])} does it again")


def in_bench(folder, option, what, ends):
    r = run(folder, "bench", *select(option), "--query", "distance", "--shapes", "64", "--min-time", "1ms",
            "--json", "-")
    result = strict(r.stdout)
    context, rows = result["context"], result["benchmarks"]
    first = context["mishaps"][0]
    check(r.returncode == 0 and first["what"] == what and first["pair"] is not None,
          f"{option}: bench: {first}")
    check(("died" in context and not rows) if ends else (len(rows) == 1 and "died" not in context),
          f"{option}: bench has {len(rows)} rows")
    _, cases = replay(folder, os.path.join(folder, first["file"]), option)
    check(cases["bad-" + option]["mishap"] == what, f"{option}: the pair of bench does it again")


def hanging(folder):
    """Every hang costs seconds: few pairs, of which one is enough."""
    result, text = verify(folder, "hang=400", 600)
    found = result["mishaps"]
    check(found and all(m["what"] == "hung" and m["file"] and os.path.isfile(m["file"]) for m in found),
          f"hang: {found}")
    wrong, straight = sum(row["wrong"] for row in result["rows"]), sum(not m["exchanged"] for m in found)
    check(wrong == straight and "hung" in text, "hang: every other answer is right")
    _, cases = replay(folder, found[0]["file"], "hang=400")
    check(cases["bad-hang"]["mishap"] == "hung", "hang: the pair does it again")


def preparing(folder):
    """A shape in three hundred: its pairs have no answer, all others do, and the first such pair does it again."""
    result, text = verify(folder, "prepare=300", 1000)
    rows, found = result["rows"], result["mishaps"]
    lost, answered = sum(row["wrong"] for row in rows), sum(row["graded"] for row in rows)
    check(found and all(m["what"] == "aborted" and m["text"] == "aborted while preparing" and m["preparing"] and
                        m["file"] and os.path.isfile(m["file"]) for m in found), f"prepare: {found}")
    check(0 < lost < answered / 4 and sum(row["unasked"] for row in rows) == 0 and
          sum(row["crashed"] for row in rows) >= lost, f"prepare: {lost} of {answered} pairs are lost")
    check("aborted while preparing" in text and found[0]["file"] in text, "prepare: it is reported, with a file")
    code, cases = replay(folder, found[0]["file"], "prepare=300")
    check(code == 0 and cases["bad-prepare"]["mishap"] == "aborted while preparing" and
          cases["reference"]["verdict"] == "right", f"prepare: the pair does it again: {cases['bad-prepare']}")


def limits(folder):
    """One in two: so many are kept, all are counted, and what is left out is said to be."""
    result, _ = verify(folder, "nan=2", 3000)
    rows = {row["query"]: row for row in result["rows"]}
    kept = [m for m in result["mishaps"] if m["query"] == "distance"]
    check(len(kept) == 20 and len(set(m["file"] for m in kept)) == 20, f"{len(kept)} NaN are kept of a row")
    nan = rows["distance"]["mishaps"]["returned NaN"]
    check(nan > rows["distance"]["nan"] > 400, f"{nan} are counted")
    result, _ = verify(folder, "abort=2", 3000)
    rows = result["rows"]
    check(len(result["mishaps"]) == 20 and result["mishaps_dropped"] > 0,
          f"{len(result['mishaps'])} crashes are kept, all of the query that used up the patience")
    check(all(row["unasked"] > 0 and row["pairs"] == 3000 for row in rows),
          f"{[row['unasked'] for row in rows]} unasked")


def in_run(folder):
    out = os.path.join(folder, "report")
    r = run(folder, "run", "--quick", "--pairs", "2000", *select("crash=100"), "--min-time", "0.1ms",
            "--out", out)
    check(r.returncode == 0, f"run: exit {r.returncode}: {r.stderr[-300:]!r}")
    with open(os.path.join(out, "data", "bench.json")) as file:
        context = strict(file.read())["context"]
    first, cost = context["mishaps"][0], context["isolation_cost"]
    check(first["what"] == "crashed" and os.path.isfile(os.path.join(folder, first["file"])),
          "run: bench saves a pair among the failures")
    check(len(cost) >= 2 and all(0 < row["ratio_low"] <= row["ratio"] <= row["ratio_high"] for row in cost),
          f"run: what isolation costs is measured: {[(row['dim'], row['contender']) for row in cost]}")
    check(os.path.isfile(os.path.join(out, "index.html")), "run: the page is there")


with tempfile.TemporaryDirectory() as folder:
    guilty = guilty_pairs(folder)
    check(2 <= len(guilty) < 40 and {g[0] for g in guilty} == {"intersect", "distance"},
          f"{len(guilty)} guilty answers")
    for option, what, ends, queries in FAULTS:
        in_verify(folder, option, what, ends, queries, guilty)
        in_bench(folder, option, what, ends)
    hanging(folder)
    preparing(folder)
    limits(folder)
    in_run(folder)
sys.exit(bool(failed))
