#!/usr/bin/env python3
"""Bodies that are not convex, in convex parts, from outside: what is answered for them, imported and refused.
usage: compounds.py GJKBENCH SOURCE"""
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(1, os.path.join(sys.path[0], "../../cli/tests"))
from common import check, failed, load, run  # noqa: E402

data = pathlib.Path(sys.argv[2]).resolve() / "data/compounds"
os.chdir(tempfile.mkdtemp())
ours = ["--contender", "batch,reference", "--precision", "f64"]


def replayed(file, *options):
    done = run("replay", file, "--json", "out.json", *(options or ours))
    return (load("out.json") if os.path.exists("out.json") else {}), done


def shifted(scene, name, **more):
    with open(name, "w", encoding="utf-8") as out:
        json.dump({**scene, **more}, out)
    return name


# By hand: the bar is 0.25 from the right wall, 1 above the bottom, and comes down by 2 in the step.
anchor = load(data / "anchor.json")
wanted = {"intersect": ("separated", None, None), "distance": ("separated", 0.25, 4),
          "signed_distance": ("separated", 0.25, 4), "penetration": ("separated", None, None), "toi": ("hit", 0.5, 0)}
found, done = replayed(str(data / "anchor.json"), *ours, "--query", ",".join(wanted))
for one in found.get("compounds", []):
    status, value, pair = wanted[one["query"]]
    check(one["compounds"] == [0, 3] and one["asked"] == one["pairs_of_parts"] == 6 and one["verdict"] == "right" and
          one["status"] == status and
          (value is None or abs(one["value"] - value) + abs(one["truth"] - value) < 1e-13) and
          (pair is None or one["id"].endswith(f":0/{pair}")), f"{one['contender']}, {one['query']}", one)
parts = {(c["contender"], c["backend"], c["query"]) for c in found["cases"]}
check(len(found["compounds"]) == len(parts) >= 10 and len(found["cases"]) == 6 * len(parts) and done.returncode == 0,
      "one answer for each contender and query, of six pairs of parts", done.stdout + done.stderr)
distance = next(c for c in found["compounds"] if c["contender"] == "reference" and c["query"] == "distance")
check(distance["normal"] == [-1, 0] and distance["point_a"][0] - distance["point_b"][0] == 0.25,
      "normal and witness points are those of the nearest parts, from the trough to the anchor", distance)
text = run("replay", data / "anchor.json", *ours, "--query", "toi").stdout
check("Pairs of compounds, from the answers to pairs of their parts:" in text and
      "0 and 3 by " in text and "anchor.json:0/0, 6 of 6 pairs of parts" in text, "as text", text)

# Deep in two parts: the deepest counts, and of a manifold all.
deep = shifted(anchor, "deep.json", margin=0.125, bodies=anchor["bodies"][:3] + [
    {"shape": 2, "pose": {"x": 0.625, "y": -0.625}}, {"shape": 3, "pose": {"x": 0.625, "y": 0.375}}])
found, done = replayed(deep, *ours, "--query", "intersect,distance,penetration,manifold")
for one in found["compounds"]:
    value = {"penetration": 0.125, "distance": None}.get(one["query"])
    check(one["status"] == "overlapping" and one["verdict"] == "right" and (value is None or one["value"] == value),
          f"deep, {one['contender']}, {one['query']}", one)
    if one["query"] == "manifold":
        check(one["contacts_of_all"] == sum(c["count"] for c in found["cases"] if c["query"] == "manifold" and
                                            c["contender"] == one["contender"] and c["backend"] == one["backend"]) > 2,
              f"contacts of all pairs of parts, {one['contender']}", one)

# Pairs that are not listed are not asked; frames are on their own.
still = [{k: v for k, v in body.items() if k == "shape"} for body in anchor["bodies"]]
poses = [[b["pose"]["x"], b["pose"]["y"], 1, 0] for b in anchor["bodies"]]
low = [[x, y - (0.5 if i > 2 else 0), c, s] for i, (x, y, c, s) in enumerate(poses)]
frames = shifted(anchor, "frames.json", bodies=still, pairs=None, frames=[
    {"poses": poses, "pairs": [[0, 3], [0, 4]]}, {"poses": low, "pairs": [[2, 3], [0, 3], [0, 4]]}])
scene = load(frames)
del scene["pairs"]
shifted(scene, frames)
found, done = replayed(frames, "--contender", "reference", "--query", "distance")
said = [(c["id"], c["value"], c["asked"], c["pairs_of_parts"]) for c in found.get("compounds", [])]
check(said == [("frames.json:0/0", 1, 2, 6), ("frames.json:1/0", 0.25, 3, 6)], "two frames", said or done.stderr)

# What a scene without compounds says is unchanged.
found, done = replayed(shifted(anchor, "plain.json", compounds=[]), *ours, "--query", "distance")
check("compounds" not in found and "compounds" not in done.stdout, "none", done.stdout)

for compounds, word in [([[0, 7]], "compounds[0][1]: 7 is not a body (the scene has 5)"),
                        ([[0, 1], [1, 2]], "compounds[1][0]: body 1"),
                        ([[0]], "compounds[0]: 1 given, a compound has 2 to 4096 parts"),
                        ([[]], "compounds[0]: 0 given"),
                        ([[0, 3]], "pairs[0]: bodies 0 and 3 are parts of one compound")]:
    done = run("replay", shifted(anchor, "bad.json", compounds=compounds), *ours)
    check(done.returncode == 2 and "bad.json:1:" in done.stderr and word in done.stderr, word, done.stderr)

# `choose` counts both kinds of pairs.
done = run("choose", data / "anchor.json", "--contender", "batch,reference", "--query", "distance",
           "--min-time", "1ms", "--json", "choice.json")
check("1 pair of compounds" in done.stdout and "6 pairs of parts" in done.stdout, "choose", done.stdout + done.stderr)
choice = load("choice.json")["choices"][0]
times = [c["ns_per_compound_pair"] / c["ns_per_pair"] for c in choice["candidates"] if "ns_per_pair" in c]
check(choice["scene"].get("compound_pairs") == 1 and times and all(abs(t - 6) < 1e-9 for t in times),
      "times of compounds", choice)

# Objects of an OBJ file as one body, if this build reads it.
done = run("import", data / "bracket.obj", "--as-body", "--gap", "0.25", "--precision", "f64", "--out", "bracket.json")
if "reads no meshes" in done.stderr:
    print("# no assimp: --as-body is not tried")
else:
    check(done.returncode == 0 and "bracket.obj: 2 objects, parts of one body" in done.stdout and
          "bracket.json: 2 hulls, 4 pairs, f64\n  2 bodies of several parts; 1 pair of bodies, of these pairs of parts"
          in done.stdout,
          "import --as-body", done.stdout + done.stderr)
    check(load("bracket.json")["compounds"] == [[0, 1], [2, 3]], "its parts")
    found, done = replayed("bracket.json", "--contender", "reference", "--query", "distance")
    check([abs(c["truth"] - 0.25) < 1e-12 for c in found["compounds"]] == [True], "apart by the gap",
          found["compounds"])
    with open("box.obj", "w", encoding="utf-8") as out:
        out.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n")
    done = run("import", "box.obj", "--as-body", "--out", "no.json")
    check(done.returncode == 2 and "--as-body is for OBJ files of several objects, and no file is one" in done.stderr,
          "one object", done.stderr)
    done = run("import", "box.obj", data / "bracket.obj", "--as-body", "--out", "two.json")
    check(done.returncode == 0 and load("two.json")["compounds"][0] == [5, 6], "a body of one next to a body of two",
          done.stdout + done.stderr)

# Rigid bodies of several shapes.
with open("robot.xml", "w", encoding="utf-8") as out:
    out.write("<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
              "<body><joint/><geom size='.5' pos='0 0 3'/><geom size='.5' pos='0 0 2'/></body><body><joint/><geom size='.5' pos='4 0 2'/></body></worldbody></mujoco>")
done = run("import", "robot.xml", "--out", "robot.json")
if "reads no MJCF" in done.stderr:
    print("# no expat: models are not tried")
else:
    check(done.returncode == 0 and
          "robot.json: 4 shapes, 5 pairs, f32\n  1 body of several parts; 3 pairs of bodies" in done.stdout and
          load("robot.json")["compounds"] == [[1, 2]], "a model", done.stdout + done.stderr)
    found, done = replayed("robot.json", "--contender", "reference", "--query", "distance")
    said = [(c["compounds"], c["value"], c["asked"]) for c in found["compounds"]]
    check(said == [([0, 1], 1.5, 2), ([1, 3], 3, 2)], "its distances", said)
    run("import", "robot.xml", "--out", "robot.gjb")
    found, done = replayed("robot.gjb", "--contender", "reference", "--query", "distance")
    check(said == [(c["compounds"], c["value"], c["asked"]) for c in found.get("compounds", [])], "the same in binary",
          done.stderr)
    done = run("import", "robot.xml", "--as-body", "--out", "no.json")
    check(done.returncode == 2 and "--as-body is for meshes" in done.stderr, "--as-body of a model", done.stderr)

raise SystemExit(1 if failed else 0)
