#!/usr/bin/env python3
"""Small grids, exhausted: a shard of each is graded and right, shards merge into what one run gives, others' wrong answers
are counted, and options that make no sense with a grid are refused by name. At night all of the grid in 2D, and a shard of
the one in 3D. usage: grids.py GJKBENCH all|some, of which some are for sanitizers"""
import json
import os
import re
import sys
import tempfile

sys.path.insert(1, os.path.join(sys.path[0], "../../cli/tests"))

from common import check, failed, load, run, strict

os.chdir(tempfile.mkdtemp())
PAIRS = {"grid2": 22006441, "grid3": 1056288435}
QUERIES = {"intersect", "distance", "penetration", "signed_distance"}
night = os.environ.get("GJKBENCH_TESTS") == "night" and sys.argv[2] == "all"
# All backends by day; of so many pairs one, as the others give the same bits.
best = [row["name"] for row in strict(run("list", "--json").stdout)["backends"] if row["available"]][-1]


def rows_of(path, who):
    return [row for row in load(path)["rows"] if row["contender"] == who]


# Ours, in both precisions; a chunk is 1,024 pairs.
for grid, shard in [("grid2", "1" if night else "1/1000"), ("grid3", "1/208" if night else "1/100000")]:
    part = (["--shard", shard] if "/" in shard else []) + (["--backend", best] if night else [])
    done = run("verify", "--exhaustive", grid, "--contender", "batch", *part, "--json", "ours.json")
    rows, of = rows_of("ours.json", "batch"), int(shard.partition("/")[2] or 1)
    check(done.returncode == 0 and not os.path.exists("failures"), f"{grid} {shard}: ours is right",
          done.stdout + done.stderr)
    check({(row["query"], row["precision"]) for row in rows} == {(q, p) for q in QUERIES for p in ("f32", "f64")},
          f"{grid}: all queries, both precisions", rows)
    check(all(abs(row["pairs"] - PAIRS[grid] / of) <= 1024 and row["workload"] == grid and row["family"] == "exhaustive"
              for row in rows), f"{grid}: so many pairs", [row["pairs"] for row in rows])
    check(all(row["graded"] == row["pairs"] for row in rows if row["query"] != "intersect"),
          f"{grid}: every value is graded", rows)
    summary = load("ours.json")["summary"]
    check(summary["audits"] * 600 > summary["pairs"] and summary["oracle_calls"] <= summary["audits"],
          f"{grid}: the oracle is asked for audits alone", summary)

# Shards of which some are empty, by more than one contender; textbook methods that are wrong.
shards = ["verify", "--exhaustive", "grid2", "--contender", "batch,textbook-gjk2", "--query", "distance,intersect",
          "--precision", "f32"]
files = []
for k in ("3", "7"):
    done = run(*shards, "--shard", f"{k}/20000", "--json", f"{k}.json")
    check(done.returncode == 0, f"shard {k}", done.stderr)
    files.append(f"{k}.json")
both = run("merge", *files, "--partial", "--json", "both.json")
sums = [sum(sum(row["pairs"] for row in rows_of(f, "batch")) for f in files),
        sum(row["pairs"] for row in rows_of("both.json", "batch"))]
check(both.returncode == 0 and sums[0] == sums[1] > 0, "shards are merged", both.stderr)
again = run(*shards, "--shard", "3/20000", "--json", "3.json", "--resume")
check(again.returncode == 0 and "done before" in again.stderr, "a shard that is done is not done again", again.stderr)
check(run("merge", "3.json").stdout.count("--exhaustive grid2") > 0, "what is missing is said with its grid")
odd = load("3.json")
odd["plan"].update(shard=1, shards=1, sample={"seconds": 1, "chunks": 2})
with open("odd.json", "w", encoding="utf-8") as file:
    json.dump(odd, file)
done = run("merge", "odd.json")
check(done.returncode == 2 and "plan.sample: of a grid" in done.stderr and done.stderr.count("\n") == 1,
      "a file that claims a sample of a grid is refused", done.stderr)
wrong = run("verify", "--exhaustive", "grid2", "--contender", "textbook-dist2", "--query", "distance", "--precision",
            "f64",
            "--shard", "5/20000", "--save-all", "--json", "wrong.json")
counted = sum(row["wrong"] for row in rows_of("wrong.json", "textbook-dist2"))
check(wrong.returncode == 0 and counted > 0, "others' wrong answers are counted, and no failure of ours",
      wrong.stdout + wrong.stderr)
saved = [os.path.join("failures", name) for name in sorted(os.listdir("failures"))] if os.path.isdir("failures") else []
check(saved, "and their pairs are saved")
if saved:
    again = run("replay", saved[0], "--contender", "batch")
    note = load(saved[0])["note"]
    check(again.returncode == 0 and "family exhaustive" in note and re.search(r"pair \d+", note), "for replay",
          again.stderr + note)


def refused(says, *options):
    done = run("verify", *options)
    check(done.returncode == 2 and done.stderr.count("\n") == 1 and says in done.stderr,
          f"refused: {' '.join(options)}",
          done.stderr)


refused("unknown grid 'grid4'; did you mean 'grid", "--exhaustive", "grid4")
refused("unknown grid ''", "--exhaustive", "")
refused("unknown grid 'exhaustive'; there are grid2 and grid3", "--exhaustive", "exhaustive")
refused("--exhaustive wants a value", "--exhaustive")
refused("unknown family 'exhaustive'", "--family", "exhaustive")
refused("unknown workload 'grid2'", "--workload", "grid2")
for shard in ("0/4", "5/4", "1", "1/0", "-1/3", "1/2000000"):
    refused("--shard wants K/N", "--exhaustive", "grid2", "--shard", shard)
for option, value in [("pairs", "1000"), ("pairs", "0"), ("space-pairs", "5"), ("seed", "1"), ("workload", "box"),
                      ("family", "far"), ("hulls", "no-such.gjb"), ("margin", "0.02"), ("within", "0"),
                      ("leaving", "hit")]:
    refused(f"--exhaustive grid2: takes every pair of the grid, and no --{option}", "--exhaustive", "grid2",
            f"--{option}", value)
for query in ("toi", "sweep", "manifold"):
    refused(f"--exhaustive grid2: --query {query}", "--exhaustive", "grid2", "--query", f"distance,{query}")
refused("--exhaustive grid2: --dim 3: it is a grid of 2D", "--exhaustive", "grid2", "--dim", "3")
refused("nothing to grade", "--exhaustive", "grid3", "--contender", "textbook-gjk2")
raise SystemExit(1 if failed else 0)
