#!/usr/bin/env python3
"""Certificates of pairs and of answers are accepted; what is changed in one is refused, and said by exit codes.
usage: certify.py GJKBENCH DATA-FOLDER BAD-PLUGIN"""
import glob
import json
import os
import sys
import tempfile

from common import check, failed, load, run

data, plugin = (os.path.realpath(path) for path in sys.argv[2:4])
os.chdir(tempfile.mkdtemp())


def put(name, value):
    with open(name, "w", encoding="utf-8") as file:
        json.dump(value, file)
    return name


examples = sorted(glob.glob(data + "/examples/*.json"))
made = run("certify", *examples, "--out", "own")
check(made.returncode == 0 and len(os.listdir("own")) == len(examples), "a certificate for each pair", made.stderr)
done = run("check", "own", "--json", "-")
verdicts = json.loads(done.stdout)["certificates"]
check(done.returncode == 0 and all(v["accepted"] and v["width_eps"] < 8 for v in verdicts), "accepted, and narrow", done.stdout)
for verdict in verdicts:
    truth = json.loads(run("explain", examples[verdicts.index(verdict)], "--no-pictures", "--json", "-").stdout)["proof"]
    check(verdict["lo"] <= truth["lo"] and truth["hi"] <= verdict["hi"], verdict["file"] + " holds the exact oracle's truth", truth)

# Answers of contenders, ours in both precisions, and one that does what it should not.
answers = run("certify", *examples, "--contender", "batch,reference", "--precision", "f32,f64", "--out", "answers")
done = run("check", "answers")
check(answers.returncode == 0 and done.returncode == 0 and len(os.listdir("answers")) > 4 * len(examples),
      "our answers carry their claims", done.stdout + answers.stderr)
# A manifold has a certificate of each contact; one without contacts claims that nothing is within the margin.
box = {"kind": "box", "half_extents": [1, 1, 1]}
for name, z, count in ("lying", 1.875, 4), ("above", 2.015625, 4), ("high", 2.5, 1):
    manifold = put(name + ".json", {"gjkbench": 1, "dim": 3, "margin": 0.0625, "shapes": [box], "pairs": [[0, 1]],
                                    "bodies": [{"shape": 0, "pose": {"x": x, "y": 0, "z": at}} for x, at in ((0, 0), (0.5, z))]})
    done = run("certify", manifold, "--contender", "batch", "--precision", "f64", "--backend", "scalar", "--query", "manifold",
               "--out", "of-" + name)
    check(done.returncode == 0 and len(os.listdir("of-" + name)) == count, f"{name}: {count} certificates", done.stdout + done.stderr)
    done = run("check", "of-" + name)
    check(done.returncode == 0 and f"{count} accepted" in done.stdout, name + ": its certificates are accepted", done.stdout)
lying = load("of-lying/lying-batch-scalar-f64-manifold-3.json")
check(abs(lying["claim"]["hi"] + 0.125) < 1e-12 and lying["proof"]["direction"] == [0, 0, 1] and "witness" in lying["claim"],
      "a depth, the normal, and points are claimed", lying)
lying["claim"]["witness"]["a"][2] += 1e-9
check(run("check", put("off.json", lying)).returncode == 1, "a contact that is off is refused")

# On a half-space: the plane, and the other shape's point, of each contact and of every other query at rest.
ground = {"kind": "halfspace", "normal": [0, 0, 2], "offset": 0.5}
for name, pairs in ("on-ground", [[0, 1]]), ("under-box", [[1, 0]]):
    scene = put(name + ".json", {"gjkbench": 1, "dim": 3, "margin": 0.0625, "shapes": [ground, box], "pairs": pairs,
                                 "bodies": [{"shape": s, "pose": {"x": 0, "y": 0, "z": z}} for s, z in ((0, 0), (1, 1.46875))]})
    done = run("certify", scene, "--contender", "batch,reference", "--precision", "f64", "--backend", "scalar", "--query",
               "intersect,distance,penetration,signed_distance,manifold", "--out", "of-" + name)
    check(done.returncode == 0, name + ": certificates are made", done.stdout + done.stderr)
    files = os.listdir("of-" + name)
    check(sum("manifold" in file for file in files) == 8 and sum("manifold" not in file for file in files) == 8,
          name + ": one for each query, and each contact", files)
    done = run("check", "of-" + name)
    check(done.returncode == 0 and "16 accepted" in done.stdout, name + ": they are accepted", done.stdout)
    held = load(f"of-{name}/{name}-batch-scalar-f64-manifold-0.json")
    side = "b" if name == "on-ground" else "a"
    check(held["proof"]["plane"] is True and list(held["proof"]["points"]) == [side] and "direction" not in held["proof"] and
          abs(held["claim"]["hi"] + 0.03125) < 1e-12 and "witness" in held["claim"], name + ": what it has", held)
    for what in "a", "b":
        off = json.loads(json.dumps(held))
        off["claim"]["witness"][what][2] += 1e-9 if what != side else -1e-9
        check(run("check", put("off.json", off)).returncode == (1 if held["claim"]["witness"]["off"] < 1e-9 else 0),
              f"{name}: a point of {what} that is off is refused", off)
    for odd, says in ((False, "proof.plane: false"), (1, "proof.plane: 1")):
        wrong = json.loads(json.dumps(held))
        wrong["proof"]["plane"] = odd
        done = run("check", put("odd.json", wrong))
        check(done.returncode == 2 and says in done.stderr + done.stdout, f"{name}: plane is true, or is not there", done.stderr + done.stdout)
    wrong = json.loads(json.dumps(held))
    wrong["claim"] = {"lo": -0.03}
    done = run("check", put("odd.json", wrong))
    check(done.returncode == 1 and "claim.lo" in done.stdout, name + ": more than the plane proves", done.stdout)

circle = {"kind": "point", "vertices": [[0, 0]], "radius": 1}
circles = put("circles.json", {"gjkbench": 1, "shapes": [circle], "pairs": [[0, 1]],
                               "bodies": [{"shape": 0, "pose": {"x": x, "y": 0.5}} for x in (0, 3)]})
for fault in "crash", "nan", "unwritten":
    wrong = run("certify", circles, "--plugin", f"{plugin}:{fault}=1", "--contender", "bad-" + fault, "--query", "distance",
                "--out", "wrong")
    check("1 answer had nothing to certify" in wrong.stdout and not os.listdir("wrong"),
          f"an answer that is none ({fault}) claims nothing",
          wrong.stdout + wrong.stderr)

# Pairs of one name in two folders.
for folder, name in ("d1", examples[0]), ("d2", examples[1]):
    os.mkdir(folder)
    put(folder + "/p.json", load(name))
twice = run("certify", "d1/p.json", "d2/p.json", "--out", "twice")
check(sorted(os.listdir("twice")) == ["p-2.json", "p.json"] and load("twice/p.json")["pair"] != load("twice/p-2.json")["pair"],
      "the second of a name is numbered", twice.stdout + twice.stderr)

# What is changed is refused.
apart, deep = load("own/polygons.json"), load("own/deep.json")


def changed(certificate, part, *path):
    copy = json.loads(json.dumps(certificate))
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = part(at[path[-1]])
    return copy


cases = {
    "more-claimed": (changed(apart, lambda lo: lo * (1 + 2**-52), "claim", "lo"), "claim.lo"),
    "less-deep": (changed(deep, lambda hi: hi * (1 + 2**-52), "claim", "hi"), "claim.hi"),
    "flipped": (changed(apart, lambda d: [-x for x in d], "proof", "direction"), "claim.lo"),
    "no-direction": (changed(apart, lambda d: [0, 0], "proof", "direction"), "direction"),
    "open": (changed(deep, lambda faces: faces[1:], "proof", "polytope", "faces"), "not closed"),
    "corner": (changed(deep, lambda v: [[4000000000, 0]] + v[1:], "proof", "polytope", "vertices"), "corner 4000000000 of"),
    "negative": (changed(apart, lambda w: [-1] * len(w), "proof", "points", "a", "weight"), "weight[0]: -1"),
    "other-pair": (changed(apart, lambda _: deep["pair"], "pair"), ""),
    "no-points": ({**changed(apart, lambda proof: {k: v for k, v in proof.items() if k != "points"}, "proof"),
                   "claim": {"witness": {"a": [0, 0], "b": [0, 0], "off": 100}}}, "witness: claimed, and the proof has no points"),
    "no-distance": ({**apart, "claim": {"witness": {"a": [0, 0], "b": [0, 0], "off": -0.25}}}, "witness.off: -0.25 is no distance"),
    "no-claim": (changed(apart, lambda _: {}, "claim"), "nothing is claimed"),
}
for name, (certificate, says) in cases.items():
    done = run("check", put(name + ".json", certificate))
    check(done.returncode == 1 and done.stdout.startswith("refused  " + name) and says in done.stdout, name + " is refused", done.stdout)

# Faces without area: corners that coincide, by number or by place, or lie on a line through the origin, that of
# the first ray among them. They count as faces when it comes to the nearest.
ray = [1000003, 514229, 317811]
inner = [[k, k, k] for k in (1, 2, 3)] + [[k * x / 2**20 for x in ray] for k in (2, 3, 4)] + [[4, 4, 4]] * 3
cube = [[8 * (k >> axis & 1 or -1) for axis in range(3)] for k in range(8)]
quads = (0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)
around = [face for a, b, c, d in quads for face in ([a, b, c], [a, c, d])]


def box_with(faces, hi, sign=1):
    bodies = [{"shape": shape, "pose": {"x": 0, "y": 0, "z": 0}} for shape in (0, 1)]
    shapes = [{"kind": "hull", "vertices": [[sign * x for x in v] for v in cube + inner]},
              {"kind": "point", "vertices": [[0, 0, 0]]}]
    return {"gjkbench-certificate": 1, "by": "test",
            "pair": {"gjkbench": 1, "dim": 3, "shapes": shapes, "bodies": bodies, "pairs": [[0, 1]]},
            "claim": {"hi": hi, "is": "overlap"},
            "proof": {"polytope": {"vertices": [[v, 0] for v in range(len(cube + inner))], "faces": faces}}}


for name, more, depth in (("none", [], 8), ("one number", [[0, 0, 0]], 8),
                          ("one place", [[14, 15, 16], [14, 16, 15]], 48**.5 * .999),
                          ("a line through the origin", [[8, 9, 10], [8, 10, 9]], 3**.5 * .999),
                          ("that of a ray", [[11, 12, 13], [11, 13, 12]], 2.22),
                          ("two alike", [[0, 0, 1], [0, 1, 0]], 8)):
    for sign in 1, -1:
        done = run("check", put("area.json", box_with(around + more, -depth, sign)))
        check(done.returncode == 0, f"faces without area: {name}", done.stdout)
        done = run("check", put("area.json", box_with(around + more, -depth * 1.01, sign)))
        check(done.returncode == 1 and "claim.hi" in done.stdout, f"{name}: and no more is proven", done.stdout)
        if more:
            done = run("check",
                       put("area.json", box_with(more + [f[::k] for f in around for k in (1, -1)], -depth, sign)))
            check(done.returncode == 1 and "wind" in done.stdout,
                  f"{name}: they do not wind about the origin", done.stdout)
            done = run("check", put("area.json", box_with(more, -depth, sign)))
            check(done.returncode == 1, f"{name}: alone", done.stdout)

# Files that are none, and exit codes of a mixture.
unread = run("check", put("none.json", {"gjkbench-certificate": 1}), "own/deep.json", "missing.json")
check(unread.returncode == 2 and "none.json: pair: missing" in unread.stderr and "missing.json" in unread.stderr
      and "1 accepted, 0 refused, 2 unreadable" in unread.stdout, "what cannot be read is said, and exits with 2", unread.stderr)
os.mkdir("empty")
unread = json.loads(run("check", "none.json", "own/deep.json", "missing.json", "empty", "--json", "-").stdout)["certificates"]
check([v["verdict"] for v in unread] == ["unreadable", "accepted", "unreadable", "unreadable"]
      and "pair: missing" in unread[0]["reason"] and "missing.json" in unread[2]["reason"], "in JSON too", unread)
check(run("check", "flipped.json", "none.json").returncode == 1, "a refusal weighs more")
with open("own/deep.json", encoding="utf-8") as file:
    check(run("check", "-", input=file.read()).returncode == 0, "standard input")

# What the manual shows is what there is.
with open(os.path.join(data, "../docs/certificates.md"), encoding="utf-8") as file:
    shown = [json.loads(block.split("```")[0]) for block in file.read().split("```json\n")[1:]]
check(len(shown) == 1 and shown[0] == load(data + "/certificates/point-in-square.json"), "the example of the manual ships")
check(run("check", data + "/certificates").returncode == 0, "what ships is accepted")

# A pair by name and hash.
apart["pair"] = {"file": "named.json", "hash": "0"}
with open("named.json", "w", encoding="utf-8") as file:
    file.write(open(data + "/examples/polygons.json", encoding="utf-8").read())
done = run("check", put("by-name.json", apart))
found = done.stderr.split("has '")[1].split("'")[0] if "has '" in done.stderr else ""
check(done.returncode == 2 and len(found) == 16, "a pair with another hash is refused", done.stderr)
apart["pair"]["hash"] = found
check(run("check", put("by-name.json", apart)).returncode == 0, "one with that hash is taken")

for arguments in (["certify"], ["check"], ["certify", examples[0], "--query", "toi", "--contender", "batch"],
                  ["certify", examples[0], "--query", "distance"]):
    check(run(*arguments).returncode == 2, "usage: " + " ".join(arguments[:1] + arguments[2:]))
sys.exit(bool(failed))
