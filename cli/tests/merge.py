#!/usr/bin/env python3
"""Shards merged are what one run gives, byte for byte; what does not fit together is refused, by name; what is missing
is said, with the commands that do it. usage: merge.py GJKBENCH BAD-PLUGIN"""
import copy
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

from common import check, failed, load, program, run

plugin = os.path.realpath(sys.argv[2])
os.chdir(tempfile.mkdtemp())


def put(name, value):
    with open(name, "w", encoding="utf-8") as file:
        json.dump(value, file)
    return name


def results(name):
    """All of a file but who made it, and how long it took."""
    value = load(name)
    del value["context"], value["digest"]  # the digest is of the time too
    del value["summary"]["seconds"], value["summary"]["threads"]
    return json.dumps(value, indent=1)


def table(text):
    return re.sub(r"pairs in [0-9.]+ s on \d+ threads", "pairs", text)


def shards(of, count, *arguments):
    for k in range(1, count + 1):
        # Threads differ, and must not show.
        done = run("verify", *arguments, "--shard", f"{k}/{count}", "--threads", str(k), "--json", f"{of}-{k}.json")
        if done.returncode not in (0, 1):
            check(False, f"shard {k}/{count} of {of}", done.stderr)
    return [f"{of}-{k}.json" for k in range(1, count + 1)]


# 20,000 pairs of two combinations of a dimension: 10 chunks of each, of which the last is a part.
few = ["--workload", "polygon8,hull8", "--family", "mixed,near,needle", "--seed", "7"]
points = ["--dim", "2", "--workload", "point", "--family", "mixed", "--precision", "f64", "--pairs", "4000"]
campaigns = {
    "batch": ["--contender", "batch", "--pairs", "9100", *few],
    "empty shards": ["--contender", "batch", "--precision", "f64", "--pairs", "40", *few],
    "foreign": ["--contender", "textbook-gjk,reference", "--dim", "2", "--pairs", "6k", *few],
    "answers": ["--contender", "batch", "--answers-only", "--pairs", "9100", *few],
    # Mishaps, of pairs and of a process.
    "NaN": ["--plugin", plugin + ":nan", "--contender", "bad-nan", *points],
    "crash": ["--plugin", plugin + ":crash", "--contender", "bad-crash", *points],
    "motion": ["--contender", "batch", "--query", "toi,sweep", "--dim", "2", "--pairs", "4000"],
}
names = [c["name"] for c in json.loads(run("list", "--json").stdout)["contenders"]]
campaigns["foreign"][1] = ",".join([next(n for n in names if n not in ("batch", "reference")), "reference"])

for name, arguments in campaigns.items():
    label = name.replace(" ", "-")
    whole = run("verify", *arguments, "--json", f"{label}-whole.json")
    check(whole.returncode in (0, 1), f"{name}: one run", whole.stderr)
    for count in (3,) if name != "empty shards" else (3, 50):
        merged = run("merge", *reversed(shards(label, count, *arguments)), "--json", f"{label}-merged.json")
        check(merged.returncode == whole.returncode, f"{name}, {count} shards: the exit code", merged.stderr)
        one, other = results(f"{label}-whole.json"), results(f"{label}-merged.json")
        check(one == other, f"{name}, {count} shards: the same results",
              [line for line in zip(one.splitlines(), other.splitlines()) if line[0] != line[1]][:3])
        check(table(whole.stdout) == table(merged.stdout), f"{name}, {count} shards: the same table",
              whole.stdout + merged.stdout)
        check(load(f"{label}-merged.json")["context"]["merged"][0]["file"] == f"{label}-{count}.json", f"{name}: says of what")
rows = load("batch-whole.json")["rows"]
check(all(load(f"{name}-whole.json")["mishaps"] for name in ("NaN", "crash")), "there are mishaps")
check(len(rows) > 40 and any(row["graded"] > 2000 for row in rows), "there is something to merge")
again = run("merge", "batch-merged.json", "--json", "again.json")
check(again.returncode == 0 and results("again.json") == results("batch-whole.json"), "what was merged is one run's", again.stderr)


def refused(what, says, *files):
    done = run("merge", *files)
    said = done.stderr if r":\d+" in says else re.sub(r"(\.json):\d+:\d+: ", r"\1: ", done.stderr)
    check(done.returncode == 2 and re.search(says, said) and done.stderr.count("\n") == 1, f"refused: {what}",
          done.stderr)


def broken(change, source="batch-2.json"):
    value = copy.deepcopy(load(source))
    change(value)
    return put("broken.json", value)


first, second, third = "batch-1.json", "batch-2.json", "batch-3.json"
arguments = campaigns["batch"]
refused("the same shard twice", f"{second}: shard 2/3 again: {second}", first, second, second)
refused("a dropped row", "broken.json: digest", first, broken(lambda v: v["rows"].pop(3)), third)
refused("a count that is text", r"broken.json: rows\[0\].wrong: \"0\" is no count", first,
        broken(lambda v: v["rows"][0].update(wrong="0")), third)
refused("a count below 0", r"broken.json: rows\[1\].nan: -1", first, broken(lambda v: v["rows"][1].update(nan=-1)), third)
refused("fewer pairs", r"broken.json: rows\[0\].pairs", first, broken(lambda v: v["rows"][0].update(pairs=5)), third)
refused("another count", "broken.json: digest", first, broken(lambda v: v["rows"][0].update(graded=5)), third)
refused("another fingerprint", "broken.json: digest", first,
        broken(lambda v: v["rows"][0].update(fingerprint="0123456789abcdef")), third)
refused("a row twice", r"broken.json: rows\[1\]: out of order", first,
        broken(lambda v: v["rows"].insert(0, v["rows"][0])), third)
refused("a row of another query", r"broken.json: rows\[[01]\]: (out of order|of no place)", first,
        broken(lambda v: v["rows"][0].update(query="toi")), third)
refused("another commit", "broken.json: another context.commit", first,
        broken(lambda v: v["context"].update(commit="0000000")), third)
refused("other flags", "broken.json: another context.flags", first, broken(lambda v: v["context"].update(flags="-Ofast")), third)
refused("another schema", "broken.json: plan.schema: 2", broken(lambda v: v["plan"].update(schema=2)))
refused("another kind", "broken.json: kind: \"fuzz\"", first, broken(lambda v: v.update(kind="fuzz")))
refused("more shards than there are", "broken.json: another plan.shards", first, broken(lambda v: v["plan"].update(shards=4)))
refused("a shard out of range", "broken.json: plan.shard", first, broken(lambda v: v["plan"].update(shard=9)))
refused("shard 0", "broken.json: plan.shard|a merge", broken(lambda v: v["plan"].update(shard=0, shards=0)))
refused("an unknown family", "broken.json: plan.families", broken(lambda v: v["plan"].update(families=["nosuch"])))
refused("no plan", "broken.json: no plan", broken(lambda v: v.pop("plan")))
refused("no rows", "broken.json: no rows", broken(lambda v: v.pop("rows")))
refused("pairs that were not done", "broken.json: summary.pairs", broken(lambda v: v["summary"].update(pairs=1)))
with open("half.json", "w", encoding="utf-8") as half, open(second, encoding="utf-8") as complete:
    half.write(complete.read()[:3000])
refused("half a file", r"half.json:\d+:\d+", first, "half.json", third)
os.symlink(second, "link.json")
whole = open(second, encoding="utf-8").read()
for over in (second, "link.json", os.path.abspath(second)):
    refused("results over a shard", re.escape(f"--json: {over}: is one of the files"), first, second, "--partial", "--json", over)
check(open(second, encoding="utf-8").read() == whole, "which is left alone")
refused("no file", "nosuch.json", first, "nosuch.json")
run("verify", *[w if w != "7" else "8" for w in arguments], "--shard", "2/3", "--json", "seed.json")
refused("another seed", "seed.json: another plan.seed: 8 instead of 7", first, "seed.json", third)
run("verify", *[w if w != "9100" else "9200" for w in arguments], "--shard", "2/3", "--json", "pairs.json")
refused("other pairs", "pairs.json: another plan.pairs", first, "pairs.json", third)

# What is missing, or was interrupted, and what does it.
gone = run("merge", first, third)
check(gone.returncode == 2 and "of 3 shards 1 are missing and 0 interrupted" in gone.stderr, "a missing shard is told", gone.stderr)
check(gone.stdout.count("\n") == 1 and "--shard 2/3" in gone.stdout and "--json batch-2.json" in gone.stdout,
      "and what does it", gone.stdout)
partial = run("merge", first, third, "--partial", "--json", "partial.json")
check(partial.returncode == 0 and load("partial.json")["summary"]["interrupted"] and "stopped early" in partial.stdout,
      "--partial merges the rest", partial.stdout)
refused("what was merged of some", "merge the files of the shards", "partial.json")
os.rename(second, "kept.json")
process = subprocess.run([program, *shlex.split(gone.stdout)[1:]], capture_output=True, text=True)
check(process.returncode == 0 and results(second) == results("kept.json"), "the command does it", process.stderr)

# --resume: once is enough; what was interrupted is done again; another campaign's file is left alone.
before = os.stat(second).st_mtime_ns
done = run("verify", *arguments, "--shard", "2/3", "--resume", "--json", second)
check(done.returncode == 0 and "done before" in done.stderr and os.stat(second).st_mtime_ns == before, "--resume: done before", done.stderr)
other = run("verify", *arguments, "--shard", "1/3", "--resume", "--json", second)
check(other.returncode == 2 and f"{second}: another plan.shard: 2 instead of 1" in other.stderr and
      os.stat(second).st_mtime_ns == before, "--resume: another shard's file is left alone", other.stderr)
check(run("verify", "--resume").returncode == 2, "--resume wants a file")
long = [w if w != "9100" else "3M" for w in arguments]
process = subprocess.Popen([program, "verify", *long, "--shard", "1/2", "--json", "long.json"], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
try:
    process.wait(2)
except subprocess.TimeoutExpired:
    process.terminate()
check(process.wait() == 130, "an interrupted shard")
cut = run("merge", "long.json")
check(cut.returncode == 2 and "1 are missing and 1 interrupted" in cut.stderr and cut.stdout.count("\n") == 2 and
      "--shard 1/2 --resume --json long.json" in cut.stdout, "is told", cut.stderr + cut.stdout)
check(run("merge", "long.json", "--partial").returncode == 0, "and can be told from")


def interrupt(value):
    value["summary"]["interrupted"] = True


broken(interrupt)
cut = run("verify", *arguments, "--shard", "2/3", "--resume", "--json", "broken.json")
check(cut.returncode == 2 and "digest" in cut.stderr, "--resume: a file that was changed is left alone", cut.stderr)

sys.exit(bool(failed))
