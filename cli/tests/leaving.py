#!/usr/bin/env python3
"""Casts and rays that ignore a contact that they leave, from outside: which commands take it, what it changes, what is
refused, who is not asked. usage: leaving.py GJKBENCH"""
import json
import os
import pathlib
import subprocess
import tempfile

from common import check, failed, load, run

os.chdir(tempfile.mkdtemp())
ours = ["--contender", "batch,reference", "--precision", "f64"]
# A box that touches another of half extent 1: away, along, into it, at a corner, at rest, too deep, from afar.
moves = {"away": ([2, 0], [1, 0.5]), "along": ([2, 0], [0, -3]), "into": ([2, 0], [-0.25, 3]), "corner": ([2, 2], [-1, 0.5]),
         "rest": ([2, 0], [0, 0]), "deep": ([1.5, 0], [1, 0]), "afar": ([3, 0], [-2, 0])}
left = {"away", "along", "corner", "rest"}


def scene(name, turn=0, **more):
    bodies = [{"shape": 0, "pose": {"x": 0, "y": 0}}]
    for at, way in moves.values():
        bodies.append({"shape": 0, "pose": {"x": at[0], "y": at[1]}, "motion": {"x": way[0], "y": way[1], "angle": turn}})
    value = {"gjkbench": 1, "query": "toi", "shapes": [{"kind": "box", "half_extents": [1, 1]}], "bodies": bodies,
             "pairs": [[0, i + 1] for i in range(len(moves))], **more}
    pathlib.Path(name).write_text(json.dumps(value, indent=1), encoding="utf-8")
    return name


def refused(done, *words):
    return done.returncode == 2 and done.stderr.count("\n") == 1 and all(word in done.stderr for word in words)


# What is neither hit nor ignore is refused on one line, with option and value, before any work.
for command in ["run", "verify", "fuzz", "bench", "compare a.json b.json", "replay a.json"]:
    for bad in ["ignored", "0", "", "Ignore", "hit,ignore"]:
        done = run(*command.split(), "--leaving", bad)
        check(refused(done, "--leaving wants hit or ignore", f"'{bad}'"), f"{command} --leaving '{bad}'", done.stderr)
for command in ["verify", "fuzz", "bench"]:
    done = run(*command.split(), "--query", "toi", "--family", "cast,spin", "--leaving", "ignore")
    check(refused(done, "--leaving ignore", "family 'spin' turns"), f"{command}: a family that turns", done.stderr)
    done = run(*command.split(), "--query", "distance,sweep", "--leaving", "ignore")
    check(refused(done, "--leaving ignore", "only toi has it"), f"{command}: another query", done.stderr)

# A scene's likewise, by file, line, field and value.
for name, words, more in [("word", ["word.json:", "leaving: 'maybe', wanted hit or ignore"], {"leaving": "maybe"}),
                          ("number", ["number.json:", "leaving: 1, wanted hit or ignore"], {"leaving": 1}),
                          ("query", ["query.json:", "leaving: 'ignore' is of toi and ray, not of query 'sweep'"],
                           {"leaving": "ignore", "query": "sweep"}),
                          ("turns", ["turns.json:", "bodies[1].motion.angle: 0.5 turns"], {"leaving": "ignore", "turn": 0.5})]:
    done = run("replay", scene(name + ".json", **more))
    check(refused(done, *words), f"{name} is refused", done.stderr)
done = run("replay", scene("turns.json", turn=0.5), "--leaving", "ignore")
check(refused(done, "--leaving ignore: turns.json: bodies[1].motion.angle: 0.5 turns"), "so is what an option makes of it", done.stderr)
done = run("replay", scene("sweeps.json", query="sweep"), "--leaving", "ignore")
check(refused(done, "--leaving ignore: sweeps.json is of query 'sweep'"), "an option is named, no field that is missing",
      done.stderr)
done = run("replay", "turns.json", "--leaving", "hit", *ours)
check(done.returncode == 0, "a scene that turns is asked as ever", done.stderr)

# A scene says it; the command line is above that.
ignores, plain = scene("ignores.json", leaving="ignore"), scene("plain.json")


def replayed(file, *options):
    done = run("replay", file, "--json", "-", *options)
    try:
        return {(c["contender"], c["id"].rsplit("/", 1)[-1], c["precision"]): c for c in json.loads(done.stdout)["cases"]}, done
    except ValueError:
        return {}, done


for file, options, ignored in [(ignores, [], True), (plain, [], False), (plain, ["--leaving", "ignore"], True),
                               (ignores, ["--leaving", "hit"], False), (scene("hit.json", leaving="hit"), [], False)]:
    cases, done = replayed(file, *ours, *options)
    for who in ("batch", "reference"):
        for i, move in enumerate(moves):
            want = "separated" if ignored and move in left else "hit" if move == "afar" else "overlapping"
            got = cases.get((who, str(i), "f64"), {})
            check(got.get("status") == want and got.get("verdict") == "right",
                  f"{who}, {file} {options}, {move}: {want}", got or done.stdout + done.stderr)
    check(done.returncode == 0 and len(cases) == 2 * len(moves), f"nothing else, {file} {options}", done.stdout + done.stderr)

# A ray may begin on what it meets.
for direction, status in [([1, 0], "separated"), ([0, -1], "separated"), ([-1, 0.5], "overlapping")]:
    value = {"gjkbench": 1, "query": "ray", "leaving": "ignore", "shapes": [{"kind": "box", "half_extents": [1, 1]}],
             "bodies": [{"shape": 0, "pose": {"x": 0, "y": 0}}], "origin": [1, 0.25], "direction": direction, "maximum": 8}
    pathlib.Path("ray.json").write_text(json.dumps(value), encoding="utf-8")
    cases, done = replayed("ray.json", *ours)
    check({c["status"] for c in cases.values()} == {status} and done.returncode == 0, f"a ray along {direction}",
          done.stdout + done.stderr)

# The answers without it are wrong with it, and the other way round: a contender of before is unsupported, not wrong.
cases, done = replayed(ignores, "--contender", "bullet,fcl,box2d", "--precision", "f32,f64")
check(all(c["verdict"] == "unsupported" for c in cases.values()), "who does not take it is not asked", done.stdout + done.stderr)

# verify: families that turn are left out, it is part of the plan, and parts must share it; failures keep it.
small = ["--query", "toi", "--contender", "batch", "--precision", "f32", "--pairs", "3000"]
for k, leaving in (("1/2", "ignore"), ("2/2", "ignore"), ("2/2", "hit")):
    done = run("verify", *small, "--shard", k, "--leaving", leaving, "--json", f"{k[0]}-{leaving}.json")
    check(done.returncode == 0 and load(f"{k[0]}-{leaving}.json")["plan"].get("leaving") == (leaving if leaving == "ignore" else None),
          f"verify --leaving {leaving}", done.stdout + done.stderr)
families = {row["family"] for row in load("1-ignore.json")["rows"]}
check({"touch-cast", "touch-ray", "cast", "ray", "box-sweep"} <= families and not families & {"spin", "approach-turn", "resting"},
      "no family turns", families)
done = run("merge", "1-ignore.json", "2-ignore.json")
check(done.returncode == 0, "shards are merged", done.stderr)
for pair in (["1-ignore.json", "2-hit.json"], ["2-hit.json", "1-ignore.json"]):
    done = run("merge", *pair)
    check(done.returncode == 2 and "plan.leaving" in done.stderr, "those of two questions are not", done.stderr)
done = run("fuzz", *small[:4], "--pairs", "64", "--leaving", "ignore", "--shard", "1/2", "--json", "fuzz.json")
check(done.returncode == 0 and load("fuzz.json")["plan"].get("leaving") == "ignore", "fuzz takes it", done.stderr)
done = run("merge", "fuzz.json")
check("--leaving ignore" in done.stdout + done.stderr, "merge says what the missing shard had", done.stdout + done.stderr)

# bench measures it, of families that do not turn, and says so.
done = run("bench", *small[:4], "--workload", "box", "--family", "touch-cast", "--dim", "2", "--precision", "f32", "--leaving",
           "ignore", "--min-time", "10ms", "--json", "bench.json")
rows = load("bench.json")["benchmarks"]
check(done.returncode == 0 and rows and all(r.get("leaving") == "ignore" for r in rows), "bench takes it",
      done.stdout + done.stderr)

# Times of two questions are not compared, and the field is named.
done = run("bench", *small[:4], "--workload", "box", "--family", "touch-cast", "--dim", "2", "--precision", "f32",
           "--min-time", "10ms", "--json", "hits.json")
done = run("compare", "hits.json", "bench.json")
check(done.returncode == 99 and "leaving is hit in the old, ignore in the new" in done.stdout, "compare names what differs",
      done.stdout + done.stderr)

# What turns is left out, of families and of recordings, and refused by name if it is named.
still = ["bench", *small[:4], "--dim", "3", "--quick", "--min-time", "1ms", "--backend", "scalar", "--leaving", "ignore"]
done = run(*still, "--json", "default.json")
rows = load("default.json")["benchmarks"]
check(done.returncode == 0 and rows and all(r.get("leaving") == "ignore" for r in rows)
      and not {r["family"] for r in rows} & {"approach-turn", "recorded"}, "bench leaves out what turns",
      [r["name"] for r in rows] or done.stdout + done.stderr)
for named, words in [("bullet-heap", ["bullet-heap", "turns"]), ("cone", ["nothing to measure", "or it turns"])]:
    done = run(*still, "--workload", named)
    check(refused(done, *words), f"{named} is refused by name", done.stdout + done.stderr)

subprocess.run(["rm", "-rf", "failures"], check=False)
raise SystemExit(1 if failed else 0)
