#!/usr/bin/env python3
"""Manifolds and their margin, from outside: which commands take it, what it reaches, what is shown of contacts.
usage: manifold.py GJKBENCH"""
import json
import os
import re
import subprocess
import tempfile

from common import check, failed, load, run
from margins import refuses, scene

os.chdir(tempfile.mkdtemp())
who = ["--contender", "reference", "--precision", "f64"]
round_ones = ["--query", "manifold", *who, "--workload", "circle,sphere", "--family", "near,mixed"]

refuses("--margin")

# A scene says it; the command line is above that.
near = scene("near.json", 0.01, query="manifold", margin=0.02)
plain = scene("plain.json", 0.01)


def replayed(file, *options):
    done = run("replay", file, *who, "--json", "-", *options)
    try:
        return {(c["id"], c["query"]): c for c in json.loads(done.stdout)["cases"]}, done
    except ValueError:
        return {}, done


cases, done = replayed(near)
first, far = cases.get(("near.json:0/0", "manifold"), {}), cases.get(("near.json:0/1", "manifold"), {})
check(first.get("verdict") == "right" and first.get("count") == 2 and first.get("coverage") == 1,
      "two squares side by side have two contacts, which cover the patch", done.stdout or done.stderr)
check(first.get("normal") == [1, 0] and all(abs(c["separation"] - 0.01) < 1e-12 for c in first.get("contacts", [])) and
      len({c["feature"] for c in first.get("contacts", [])}) == 2 and
      sorted(round(c["point_a"][1], 9) for c in first.get("contacts", [])) == [-0.5, 1],
      "normal, points, separations and features are shown", first)
check(far.get("verdict") == "right" and far.get("count") == 0 and far.get("contacts") == [] and far.get("value") is None and
      far.get("normal") is None and far.get("coverage") is None, "nothing within the margin: no contact, and no value", far)
cases, done = replayed(near, "--margin", "0.001")
check(cases.get(("near.json:0/0", "manifold"), {}).get("count") == 0, "--margin is above what the scene says", done.stderr)
cases, done = replayed(near, "--margin", "100")
check(cases.get(("near.json:0/1", "manifold"), {}).get("count") == 1, "a wide margin reaches the circle", done.stderr)
cases, done = replayed(plain)
check(cases and not any(query == "manifold" for _, query in cases), "without query and margin a scene asks for no manifold")
cases, done = replayed(plain, "--margin", "0.02")
check(("plain.json:0/0", "manifold") in cases, "with a margin it does")
cases, done = replayed(plain, "--query", "manifold")
check(cases.get(("plain.json:0/0", "manifold"), {}).get("count") == 0, "without a margin, contacts are those that touch")
text = run("replay", near, *who, "--full").stdout
check(re.search(r"normal \(1, 0\)  contacts 2  coverage 100%\n +on A \(1, [-0-9.]+\)  on B \(1.01, [-0-9.]+\)  separation 0.01  "
                r"feature [0-9a-f]{8}\n", text), "--full has a line for each contact", text)
check("m manifold" in run("replay", near, *who, "--table", "text").stdout, "manifold has a letter in the table")

# verify: the margin is part of the plan; coverage is shown, and sums of shards are those of one run.
done = run("verify", *round_ones, "--pairs", "4000", "--json", "whole.json")
whole = load("whole.json")
row = next(r for r in whole["rows"] if r["family"] == "near")
check(done.returncode == 0 and "cover." in done.stdout, "verify shows what contacts cover", done.stdout + done.stderr)
check(whole["plan"].get("margin") == 0.02 and row.get("covered", 0) > 0 and row.get("mean_coverage") == 1 and
      row["coverage_millionths"] == 1000000 * row["covered"], "0.02 is the default, and one contact covers what circles have", row)
shards = []
for k in (1, 2):
    run("verify", *round_ones, "--pairs", "4000", "--shard", f"{k}/2", "--json", f"{k}.json", "--threads", str(k))
    shards.append(f"{k}.json")
done = run("merge", *shards, "--json", "merged.json")
check(done.returncode == 0 and load("merged.json")["rows"] == whole["rows"], "merged shards are one run, coverage too",
      done.stderr)
run("verify", *round_ones, "--pairs", "4000", "--shard", "2/2", "--json", "wide.json", "--margin", "0.5")
wide = load("wide.json")
check(wide["plan"].get("margin") == 0.5 and sum(r.get("covered", 0) for r in wide["rows"]) >
      sum(r.get("covered", 0) for r in load("2.json")["rows"]), "a wider margin wants more contacts")
for pair in (["1.json", "wide.json"], ["wide.json", "1.json"]):
    done = run("merge", *pair)
    check(done.returncode == 2 and "plan.margin" in done.stderr, "results of two margins are not merged", done.stderr)
done = run("verify", "--query", "distance", *round_ones[2:], "--pairs", "500", "--json", "distance.json")
check("margin" not in load("distance.json")["plan"] and not any("covered" in r for r in load("distance.json")["rows"]),
      "queries without a margin have none in their plan")
usual = [r["query"] for r in load("distance.json")["rows"]]
run("verify", *round_ones[2:], "--pairs", "500", "--json", "usual.json")
check("manifold" not in [r["query"] for r in load("usual.json")["rows"]], "manifold is asked for by name alone")

# bench: next to the speed what is wrong and what is covered; only rows of manifold know the margin.
measured = {}
for margin in ("0.02", "0.5"):
    done = run("bench", *who, "--query", "distance,manifold", "--workload", "circle", "--min-time", "10ms", "--margin", margin,
               "--json", "bench.json")
    for r in load("bench.json")["benchmarks"]:
        measured[r["query"], margin] = r
    check(done.returncode == 0 and re.search(r"circle/mixed.*\n.* 0%  covers 100%\n", done.stderr + done.stdout),
          f"bench shows coverage, margin {margin}", done.stdout + done.stderr)
check(measured["manifold", "0.5"].get("margin") == 0.5 and measured["manifold", "0.5"].get("mean_coverage") == 1 and
      "margin" not in measured["distance", "0.5"], "margin and coverage are in its JSON")
check(measured["distance", "0.02"]["workload_hash"] == measured["distance", "0.5"]["workload_hash"] and
      measured["manifold", "0.02"]["workload_hash"] != measured["manifold", "0.5"]["workload_hash"],
      "a margin makes another workload of manifold, and of nothing else")
points = run("bench", "--points").stdout
check("/manifold/" not in points and "/distance/" in points, "a plain bench leaves manifold out")

# fuzz tells 'merge' of its margin.
done = run("fuzz", *round_ones, "--pairs", "64", "--margin", "0.25", "--shard", "1/2", "--json", "fuzz.json")
check(done.returncode == 0 and load("fuzz.json")["plan"].get("margin") == 0.25, "fuzz takes a margin", done.stderr)
done = run("merge", "fuzz.json")
check("--margin 0.25" in done.stdout + done.stderr, "merge says which margin the missing shard had", done.stdout + done.stderr)

# properties and choose.
done = run("properties", *round_ones, "--pairs", "40", "--json", "properties.json")
check(done.returncode == 0 and any(r["query"] == "manifold" and r["property"] == "swap" and r["checked"]
                                   for r in load("properties.json")["properties"]), "properties hold manifolds", done.stdout)
done = run("choose", near, "--query", "manifold", *who, "--json", "choice.json")
check(done.returncode in (0, 1) and load("choice.json")["choices"][0]["query"] == "manifold", "choose ranks by manifolds",
      done.stderr)

# explain says what lies over one another.
done = run("explain", scene("one.json", 0.01, pairs=1, query="manifold", margin=0.02))
check("a segment of length 1.5: 2 corners, separated by 0.01 to 0.01" in " ".join(done.stdout.split()),
      "explain has a line about contacts", done.stdout + done.stderr)

subprocess.run(["rm", "-rf", "failures"], check=False)
raise SystemExit(1 if failed else 0)
