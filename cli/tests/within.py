#!/usr/bin/env python3
"""Intersect within a margin, and distances of which none beyond it matters, from outside: which commands take it, what it
changes, who is not asked. usage: within.py GJKBENCH"""
import json
import os
import subprocess
import tempfile

from common import check, failed, load, run
from margins import refuses, scene

os.chdir(tempfile.mkdtemp())
ours = ["--contender", "batch,reference", "--precision", "f64"]

refuses("--within")
done = run("replay", scene("bad.json", 0.25, within=-1))
check(done.returncode == 2 and done.stderr.count("\n") == 1 and "within: -1 is negative" in done.stderr,
      "a scene's is refused likewise", done.stderr)

# A scene says it; the command line is above that.
wide, plain = scene("wide.json", 0.25, within=0.5), scene("plain.json", 0.25)


def replayed(file, *options):
    done = run("replay", file, "--json", "-", "--query", "intersect,distance", *options)
    try:
        return {(c["contender"], c["id"], c["query"]): c for c in json.loads(done.stdout)["cases"]}, done
    except ValueError:
        return {}, done


def status(cases, who, pair, query):
    return cases.get((who, pair, query), {}).get("status")


for file, options, near in [(wide, [], "overlapping"), (plain, [], "separated"), (plain, ["--within", "0.5"], "overlapping"),
                            (wide, ["--within", "0"], "separated"), (wide, ["--within", "0.125"], "separated")]:
    cases, done = replayed(file, *ours, *options)
    for who in ("batch", "reference"):
        check(status(cases, who, file + ":0/0", "intersect") == near and status(cases, who, file + ":0/1", "intersect") == "separated",
              f"{who}, {file} {options}: {near}", done.stdout + done.stderr)
    check(done.returncode == 0 and all(c["verdict"] == "right" for c in cases.values()) and len(cases) >= 8,
          f"all are right, {file} {options}", done.stdout + done.stderr)
cases, done = replayed(plain, *ours, "--within", "0.125")
stopped, whole = cases[("batch", "plain.json:0/1", "distance")], cases[("reference", "plain.json:0/1", "distance")]
check(0.125 < stopped["value"] <= whole["value"] and stopped["point_a"] == [0, 0] and whole["value"] == 28.5,
      "a distance that stops says more than the limit, and has no points", stopped)
cases, done = replayed(plain, *ours, "--within", "30")
check(cases[("batch", "plain.json:0/1", "distance")]["value"] == 28.5, "one that is less than the limit is whole")

# Who does not take it is not asked whether they overlap, and asked for the whole distance.
cases, done = replayed(plain, "--contender", "textbook-gjk2,textbook-dist2", "--precision", "f64", "--within", "0.125")
asked = cases.get(("textbook-gjk2", "plain.json:0/0", "intersect"), {})
check(asked.get("verdict") == "unsupported", "a contender without margins", done.stdout + done.stderr)
asked = cases.get(("textbook-dist2", "plain.json:0/0", "distance"), {})
check(asked.get("verdict") == "right" and asked.get("value") == 0.25, "one without limits", done.stdout + done.stderr)
done = run("bench", "--contender", "batch,textbook-gjk2,textbook-dist2", "--query", "intersect,distance", "--workload", "box", "--dim", "2",
           "--precision", "f32,f64", "--within", "0.1", "--min-time", "10ms", "--json", "bench.json")
rows = load("bench.json")["benchmarks"]
check(done.returncode == 0 and {r["contender"] for r in rows if r["query"] == "distance"} == {"batch", "textbook-dist2"} and
      {r["contender"] for r in rows if r["query"] == "intersect"} == {"batch"} and all(r.get("within") == 0.1 for r in rows),
      "it is not timed either", done.stdout + done.stderr)

# verify: part of the plan, which parts must share.
small = ["--query", "intersect,distance", "--contender", "batch", "--precision", "f32", "--pairs", "3000"]
for k, within in (("1/2", "0.1"), ("2/2", "0.1"), ("2/2", "0.2")):
    done = run("verify", *small, "--shard", k, "--within", within, "--json", f"{k[0]}-{within}.json")
    check(done.returncode == 0 and load(f"{k[0]}-{within}.json")["plan"].get("within") == float(within),
          f"verify --within {within}", done.stdout + done.stderr)
done = run("merge", "1-0.1.json", "2-0.1.json")
check(done.returncode == 0, "shards are merged", done.stderr)
for pair in (["1-0.1.json", "2-0.2.json"], ["2-0.2.json", "1-0.1.json"]):
    done = run("merge", *pair)
    check(done.returncode == 2 and "plan.within" in done.stderr, "those of two margins are not", done.stderr)
run("verify", "--query", "penetration", *small[2:], "--within", "0.1", "--json", "deep.json")
check("within" not in load("deep.json")["plan"], "queries without it have none in their plan")

# fuzz tells 'merge' of it.
done = run("fuzz", *small[:4], "--pairs", "64", "--within", "0.25", "--shard", "1/2", "--json", "fuzz.json")
check(done.returncode == 0 and load("fuzz.json")["plan"].get("within") == 0.25, "fuzz takes it", done.stderr)
done = run("merge", "fuzz.json")
check("--within 0.25" in done.stdout + done.stderr, "merge says which the missing shard had", done.stdout + done.stderr)

# properties: what stopped is a bound, and booleans are of the margin.
done = run("properties", "--query", "intersect,distance", "--contender", "batch", "--pairs", "60", "--within", "0.3",
           "--json", "properties.json")
laws = load("properties.json")["properties"]
check(done.returncode == 0 and load("properties.json")["within"] == 0.3 and
      {r["query"] for r in laws if r["checked"]} == {"intersect", "distance"} and not any(r["violated"] for r in laws),
      "properties hold within a margin", done.stdout + done.stderr)

# choose ranks who answers; explain says what the margin makes of it; certificates are of sigma.
done = run("choose", wide, "--query", "intersect", "--contender", "batch,textbook-gjk2", "--json", "choice.json")
check(done.returncode in (0, 1) and load("choice.json")["choices"][0]["query"] == "intersect", "choose takes it", done.stderr)
done = run("explain", scene("one.json", 0.25, pairs=1, within=0.5, query="intersect"))
check("within 0.5 of each other, and sigma is no more" in " ".join(done.stdout.split()) and "wrong" not in done.stdout,
      "explain has a line about it", done.stdout + done.stderr)
done = run("certify", "one.json", "--contender", "batch", "--precision", "f64")
check(done.returncode == 0 and ", 0 of them refused" in done.stdout, "certify asks without", done.stdout + done.stderr)

subprocess.run(["rm", "-rf", "failures", "certificates"], check=False)
raise SystemExit(1 if failed else 0)
