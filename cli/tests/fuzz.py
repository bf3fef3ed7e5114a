#!/usr/bin/env python3
"""fuzz, shrink and merge as people call them. usage: fuzz.py GJKBENCH DATA-FOLDER BAD-PLUGIN"""
import json
import os
import shlex
import subprocess
import sys
import tempfile

from common import check, failed, load, program, run

data, plugin = (os.path.realpath(path) for path in sys.argv[2:4])
os.chdir(tempfile.mkdtemp())


def refused(what, *arguments):
    done = run(*arguments)
    check(done.returncode == 2 and what in done.stderr and done.stderr.count("\n") == 1, f"refused: {what}", done.stderr)


common = ["fuzz", "--contender", "batch", "--dim", "2", "--query", "distance,intersect", "--precision", "f32", "--pairs", "9000",
          "--workload", "polygon8,capsule"]
whole = run(*common, "--json", "all.json", "--out", "all")
check(whole.returncode == 0, "ours is searched and nothing is found", whole.stdout + whole.stderr)
rows = load("all.json")["rows"]
check([row["query"] for row in rows] == ["intersect", "distance"] and all(row["pairs"] == 9000 and not row["wrong"] for row in rows),
      "a row for each target, with all its pairs", rows)
closest = rows[1]["closest_pair"]["file"]
replayed = run("replay", f"all/{closest}.json", "--contender", "batch")
check(replayed.returncode == 0, "the closest pair is there, and right", replayed.stdout + replayed.stderr)
for shard in ("1/2", "2/2"):
    run(*common, "--shard", shard, "--json", f"{shard[0]}.json")
merged = run("merge", "1.json", "2.json", "--json", "merged.json")
mine, theirs = load("all.json"), load("merged.json")
for row in mine["rows"] + theirs["rows"]:
    (row["closest_pair"] or {}).pop("file", None)
check(merged.returncode == 0 and mine["rows"] == theirs["rows"] and mine["failures"] == theirs["failures"], "shards merged are one run", merged.stderr)
alone = run("merge", "1.json")
check(alone.returncode == 2 and "of 2 shards 1 are missing and 0 interrupted" in alone.stderr, "a missing shard is told", alone.stderr)
os.rename("2.json", "kept.json")
done = subprocess.run([program, *shlex.split(alone.stdout)[1:]], capture_output=True, text=True)
check(alone.stdout.count("\n") == 1 and done.returncode == 0 and load("2.json")["plan"] == load("kept.json")["plan"]
      and load("2.json")["rows"] == load("kept.json")["rows"], "and the command does it", alone.stdout + done.stderr)
check(run("merge", "1.json", "--partial").returncode == 0, "and merged where that is asked for")
verified = run("verify", "--contender", "batch", "--dim", "2", "--query", "distance", "--workload", "polygon8", "--pairs", "100", "--json", "v.json")
check(verified.returncode == 0, "a verification, to mix with", verified.stderr)
refused("v.json:3:9: kind", "merge", "1.json", "v.json")
refused("1.json:3:9: kind", "merge", "v.json", "1.json")

timed = run("fuzz", "--contender", "reference", "--dim", "2", "--query", "distance", "--workload", "polygon8", "--time", "300ms", "--corpus", f"{data}/examples/boxes.json")
check(timed.returncode == 0 and "0 of ours" in timed.stdout, "for a time, from a corpus", timed.stdout + timed.stderr)

large = run("fuzz", "--contender", "reference", "--dim", "3", "--query", "distance", "--workload", "box", "--pairs", "64", "--corpus", f"{data}/regressions")
said = [line for line in large.stderr.splitlines() if "searched, " not in line]  # of a slow machine, progress
check(large.returncode == 0 and len(said) == 1 and "more than 40 vertices" in said[0],
      "large pairs of a corpus are left out, and that is said", large.stdout + large.stderr)

found = run("fuzz", "--plugin", f"{plugin}:nan=5", "--contender", "bad-nan", "--dim", "2", "--query", "distance", "--workload", "circle",
            "--pairs", "128", "--shrink", "200", "--json", "bad.json", "--out", "bad")
lines = load("bad.json")["failures"] if os.path.exists("bad.json") else []
check(found.returncode == 0 and lines, "a plug-in's failure is found, and is not ours", found.stdout + found.stderr)
kinds = {name.rsplit(".", 1)[-1] for name in os.listdir("bad")} if os.path.exists("bad") else set()
check(kinds >= {"json", "c", "svg"}, "pair, picture and C test", kinds)
summary = load("bad.json")["summary"]
head = found.stdout.splitlines()[0]
counts = f"{summary['wrong']} of {summary['graded']} graded answers are wrong, in {summary['failures']} ways"
check(head.startswith(counts),
      "counts come first, and say what they count", head)
check(max(map(len, found.stdout.splitlines())) <= 100 and "s of search," in found.stdout,
      "in lines of a terminal", found.stdout)
with open("bad/README.md", encoding="utf-8") as file:
    index = file.read()
distinct = [line["file"] for line in lines if line["same_as"] is None]
check(all(index.count(name) == 1 for name in distinct) and max(map(len, index.splitlines())) <= 100,
      "an index with a line for each", index)
files = sorted(name[:-5] for name in os.listdir("bad") if name.endswith(".json") and "-closest-" not in name)
check(files == sorted(distinct)
      and all(os.path.exists(f"bad/{name}.{kind}") for name in files for kind in ("svg", "c")),
      "and no pair without a picture and a test", files)
with open(f"bad/{distinct[0]}.svg", encoding="utf-8") as file:
    picture = file.read()
check(">A</text>" in picture and ">x</text>" in picture
      and ("as answered" in picture) == ('stroke="#d62728"' in picture),
      "a picture names its shapes and axes, and no arrow that it has not", picture)
hasty = run("fuzz", "--plugin", f"{plugin}:nan=2", "--contender", "bad-nan", "--dim", "2", "--time", "400ms",
            "--json", "hasty.json")
hasty = load("hasty.json")
check(0 < hasty["summary"]["search_seconds"] < hasty["summary"]["seconds"] and hasty["failures"],
      "in a time, search leaves time to shrink", hasty["summary"])
lost = [f"{line['file']}.json" for line in lines if not line["same_as"]][0]
os.mkdir("lost")
os.mkdir(f"lost/{lost}")
found = run("fuzz", "--plugin", f"{plugin}:nan=5", "--contender", "bad-nan", "--dim", "2", "--query", "distance", "--workload", "circle",
            "--pairs", "128", "--shrink", "200", "--json", "lost.json", "--out", "lost")
check(found.returncode == 2 and found.stderr.count("\n") == 1 and f"lost/{lost}: " in found.stderr and "128 pairs" in found.stdout,
      "a file that cannot be written is said in a line, and the table is there", found.stdout + found.stderr)
check(os.path.exists("lost.json") and len(load("lost.json")["failures"]) == len(lines), "and so are the results")
if any(row["name"] == "chipmunk" for row in json.loads(run("list", "--json").stdout)["contenders"]):
    small = run("shrink", f"{data}/wrong-answers/chipmunk-apart.json", "--contender", "chipmunk", "--out", "small")
    check(small.returncode == 0 and "boolean: answered overlapping" in small.stdout, "shrink tells what is wrong", small.stdout + small.stderr)
    path = [line for line in small.stdout.splitlines() if line.endswith(".json")][0]
    check(not load(path)["note"].endswith(" ") and len(load(path)["note"]) < 160,
          "and the note ends with a word", load(path)["note"])
    check(load(path)["x-wrong"]["contender"] == "chipmunk" and os.path.exists(path[:-5] + ".svg") and os.path.exists(path[:-5] + ".c"),
          "and writes pair, picture and C test", os.listdir("small"))
    check(run("replay", path, "--contender", "batch,reference").returncode == 0, "about which ours is right")
else:
    print("ok - shrink # SKIP chipmunk is not in this build")

if any(row["name"] == "bullet-gjkepa" for row in json.loads(run("list", "--json").stdout)["contenders"]):
    off = run("shrink", f"{data}/wrong-answers/bullet-hulls.json", "--contender", "bullet-gjkepa", "--most", "1", "--out", "off")
    check("value: answered separated, 5.09" in off.stdout and "off by 3.45 (" in off.stdout,
          "a wrong value is off by what the value is", off.stdout)
refused("--shard wants K/N with 1 <= K <= N <= 2^20, not '1/99999999999'", "fuzz", "--shard", "1/99999999999")
lonely = run("fuzz", "--contender", "batch", "--dim", "2", "--query", "distance", "--time", "200ms", "--shard", "1048576/1048576")
check(lonely.returncode == 0, "a shard whose turn does not come ends in time", lonely.stdout + lonely.stderr)
refused("--time and --pairs", "fuzz", "--time", "1s", "--pairs", "10")
if any(row["name"] == "chipmunk" for row in json.loads(run("list", "--json").stdout)["contenders"]):
    refused("nothing to search", "fuzz", "--contender", "chipmunk", "--workload", "ellipse", "--pairs", "64", "--dim", "2")
for option in ("--pairs", "--time", "--shrink"):
    refused(f"{option} 0", "fuzz", option, "0")
for option in ("--most", "--time"):
    refused(f"{option} 0", "shrink", f"{data}/wrong-answers/chipmunk-apart.json", "--contender", "reference", option, "0")
refused("--corpus nowhere", "fuzz", "--corpus", "nowhere")
refused("--contender needs exactly one name", "shrink", f"{data}/examples/boxes.json", "--query", "distance")
refused("is not wrong about it", "shrink", f"{data}/wrong-answers/chipmunk-apart.json", "--contender", "reference")
open("plain", "w", encoding="utf-8").close()
refused("cannot make folder", "shrink", f"{data}/wrong-answers/chipmunk-apart.json", "--contender", "reference", "--out", "plain/folder")
refused("the file names none", "shrink", f"{data}/examples/boxes.json", "--contender", "reference")
sys.exit(bool(failed))
