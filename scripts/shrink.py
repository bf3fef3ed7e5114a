#!/usr/bin/env python3
"""Makes a pair that a contender answers wrongly small: fewer vertices, rounder numbers, plainer poses.

usage: shrink.py GJKBENCH PAIR.json CONTENDER [--query Q] [--margin M] [--out FILE]

What is kept is any change after which `gjkbench replay` still calls the contender wrong, for the same
fault, by at least M times the size of the pair (0.01), or what it was off by if that is less; and `reference` right.
Meant for bug reports: a person finds a defect in numbers that fit into a line.
"""
import argparse
import copy
import json
import math
import os
import subprocess
import sys
import tempfile

LEAST = {"polygon": 3, "hull": 4}


EXTENTS = {"box": "half_extents", "ellipse": "semi_axes", "superellipse": "semi_axes", "ellipsoid": "semi_axes",
           "superellipsoid": "semi_axes"}
FIELDS = ("base_radius", "half_height", "exponent", "radius")


def points(shape):
    """None of them farther from the origin than the shape's own, but for superellipsoids, near enough."""
    if shape["kind"] in ("cylinder", "cone"):
        return [[shape["base_radius"], shape["half_height"]]]
    return [shape[EXTENTS[shape["kind"]]]] if shape["kind"] in EXTENTS else shape["vertices"]


def numbers(scene):
    """Every number that may become rounder, as (holder, key)."""
    for shape in scene["shapes"]:
        if shape["kind"] not in ("cylinder", "cone"):
            yield from ((row, i) for row in points(shape) for i in range(len(row)))
        yield from ((shape, field) for field in FIELDS if shape.get(field))
    for body in scene["bodies"]:
        yield from ((body["pose"], key) for key in "xyz" if key in body["pose"])


def rotation(pose):
    """Row by row; the identity where the pose names none."""
    if "z" not in pose:
        c, s = (math.cos(pose["angle"]), math.sin(pose["angle"])) if "angle" in pose else (pose.get("c", 1), pose.get("s", 0))
        return [[c, -s], [s, c]]
    x, y, z, w = (pose.get(key, key == "qw") for key in ("qx", "qy", "qz", "qw"))
    s = 2 / (x * x + y * y + z * z + w * w)
    return [[1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)]]


def plain(pose):
    return {key: pose[key] for key in "xyz" if key in pose}


def size(scene):
    """S of docs/design.md, near enough."""
    bodies = [scene["bodies"][i] for i in scene["pairs"][0]]
    shapes = [scene["shapes"][body["shape"]] for body in bodies]
    reach = max(math.hypot(*row) for shape in shapes for row in points(shape))
    a, b = (list(plain(body["pose"]).values()) for body in bodies)
    return reach + sum(shape.get("radius", 0) for shape in shapes) + math.dist(a, b)


def cost(scene):
    """What to have less of: vertices, then characters."""
    vertices = sum(len(points(shape)) for shape in scene["shapes"])
    return vertices, len(json.dumps([scene["shapes"], scene["bodies"]]))


def changed(scene, change):
    other = copy.deepcopy(scene)
    return other if change(other) is not False else None


def rounded(value, digits):
    whole = round(value, digits)
    return int(whole) if whole == int(whole) else whole


def without_vertex(shape, row):
    def change(scene):
        rows = scene["shapes"][shape]["vertices"]
        if len(rows) <= LEAST.get(scene["shapes"][shape]["kind"], len(rows)):
            return False
        del rows[row]
    return change


def with_rounding(which, digits):
    def change(scene):
        for at, (holder, key) in enumerate(numbers(scene)):
            if which is None or which == at:
                holder[key] = rounded(holder[key], digits)
    return change


def with_zero(which):
    def change(scene):
        holder, key = list(numbers(scene))[which]
        holder[key] = 0
    return change


def solid(scene):
    """A box or curved shape without an extent would be another kind of case."""
    return all("vertices" in shape or min(points(shape)[0]) > 0 for shape in scene["shapes"])


def without_turn(body, bake):
    """`bake`: the vertices are turned instead, where there are any."""
    def change(scene):
        pose = scene["bodies"][body]["pose"]
        turn, shape = rotation(pose), scene["shapes"][scene["bodies"][body]["shape"]]
        if bake and "vertices" in shape:
            shape["vertices"] = [[sum(a * b for a, b in zip(line, row)) for line in turn] for row in shape["vertices"]]
        scene["bodies"][body]["pose"] = plain(pose)
    return change


def with_turn(body, turn):
    def change(scene):
        pose = scene["bodies"][body]["pose"]
        scene["bodies"][body]["pose"] = plain(pose) | turn
    return change


def turns(pose):
    """Plainer ones: of known fractions, or rounded; in the plane as an angle too, which a reader turns into c and s."""
    keys = [key for key in pose if key not in "xyz" and key != "angle"]
    whole = [[.6, .8], [.8, .6], [-.6, .8], [0, 1], [-1, 0], [0, -1]] if "z" not in pose else [
        [0, 0, .6, .8], [0, .6, 0, .8], [.6, 0, 0, .8], [.5, .5, .5, .5], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]]
    for values in whole:
        if keys:
            yield dict(zip(keys, values))
    for digits in range(1, 6):
        if "s" in pose:
            yield {"angle": rounded(math.atan2(pose["s"], pose["c"]), digits)}
        elif "angle" in pose:
            yield {"angle": rounded(pose["angle"], digits)}
        else:
            yield {key: rounded(pose[key], digits) for key in keys}


def at_origin(scene):
    a, b = (scene["bodies"][i]["pose"] for i in scene["pairs"][0])
    for key in plain(a):
        b[key] -= a[key]
        a[key] = 0


def candidates(scene):
    yield at_origin
    for body in range(len(scene["bodies"])):
        yield without_turn(body, False)
        yield without_turn(body, True)
        for turn in turns(scene["bodies"][body]["pose"]):
            yield with_turn(body, turn)
    for shape, described in enumerate(scene["shapes"]):
        for row in range(len(described.get("vertices", []))):
            yield without_vertex(shape, row)
    for digits in range(-2, 7):
        yield with_rounding(None, digits)
    for which in range(sum(1 for _ in numbers(scene))):
        yield with_zero(which)
        for digits in range(-2, 7):
            yield with_rounding(which, digits)


class Judge:
    def __init__(self, options):
        self.options = options
        self.fault = None
        self.least = 0

    def replay(self, scenes, folder):
        files = []
        for at, scene in enumerate(scenes):
            files.append(os.path.join(folder, f"{at}.json"))
            with open(files[-1], "w", encoding="utf-8") as out:
                json.dump(scene, out)
        result = os.path.join(folder, "result")
        command = [self.options.program, "replay", *files, "--json", result, "--query", self.options.query]
        command += ["--contender", self.options.contender + ",reference"]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        with open(result, encoding="utf-8") as text:
            cases = json.load(text)["cases"]
        os.remove(result)
        return {(case["id"].rsplit("/", 1)[-1], case["contender"]): case for case in cases}

    def off(self, case, scene):
        """In sizes of the pair; a boolean is off by how deep or how far apart they are."""
        if case["mishap"]:
            return math.inf
        value = 0 if self.options.query == "intersect" else case["value"]
        if value is None or case["truth"] is None or case["fault"] not in ("boolean", "value"):
            return 0
        return abs(value - case["truth"]) / size(scene)

    def passed(self, scenes):
        """Those that are still wrong, with by how much in sizes of the pair."""
        with tempfile.TemporaryDirectory() as folder:
            verdicts = self.replay(scenes, folder)
        for at, scene in enumerate(scenes):
            case = verdicts.get((f"{at}.json", self.options.contender))
            truth = verdicts.get((f"{at}.json", "reference"))
            if not case or case["verdict"] != "wrong" or not truth or truth["verdict"] != "right":
                continue
            fault = case["mishap"] or case["fault"]
            if self.fault in (None, fault) and self.off(case, scene) >= self.least:
                yield scene, fault, self.off(case, scene)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("pair")
    parser.add_argument("contender")
    parser.add_argument("--query")
    parser.add_argument("--margin", type=float, default=0.01)
    parser.add_argument("--out")
    options = parser.parse_args()
    with open(options.pair, encoding="utf-8") as text:
        scene = json.load(text)
    options.query = options.query or scene.get("query")
    scene["query"] = options.query
    scene.pop("name", None)
    judge = Judge(options)
    start = list(judge.passed([scene]))
    if not start:
        sys.exit(f"{options.pair}: {options.contender} is not wrong about it in '{options.query}', or reference is")
    judge.fault, judge.least = start[0][1], min(options.margin, start[0][2])
    while True:
        tries = [changed(scene, change) for change in candidates(scene)]
        tries = [other for other in tries if other and solid(other) and cost(other) < cost(scene)]
        better = sorted(judge.passed(tries), key=lambda found: cost(found[0])) if tries else []
        if not better:
            break
        scene = better[0][0]
    text = json.dumps(scene, indent=1)
    if options.out:
        with open(options.out, "w", encoding="utf-8") as out:
            out.write(text + "\n")
    else:
        print(text)


if __name__ == "__main__":
    main()
