"""Speaks gjkbench's protocol for a contender in Python: copy it next to yours (docs/programs.md).

    serve({"name": ..., "version": ..., "licence": ..., "dims": ..., "kinds": ..., "precisions": ...},
          prepare=lambda shape: ..., distance=lambda a, pose_a, b, pose_b, params: ...)

Standard output is the protocol's: what is printed goes to standard error. With --json as an argument, frames are JSON.
"""
import json
import os
import struct
import sys
import time
from types import SimpleNamespace as Record

KINDS = ["point", "segment", "polygon", "box", "triangle", "hull", "aabb", "ellipse", "superellipse", "ellipsoid",
         "superellipsoid", "cylinder", "cone", "halfspace"]
QUERIES = ["intersect", "distance", "penetration", "signed_distance", "sweep", "toi", "manifold"]
STATUSES = ["", "separated", "overlapping", "iteration-limit", "invalid-input", "unsupported", "hit"]
FIELDS = {"status", "iterations", "sigma", "time", "last", "normal", "point_a", "point_b", "contacts"}
SHAPES, READY, ASK, ANSWERS, CHUNK = 1, 2, 3, 4, 64
POSE = {2: ["x", "y", "c", "s"], 3: ["x", "y", "z", "qx", "qy", "qz", "qw"]}
MOTION = {2: ["x", "y", "angle"], 3: ["x", "y", "z", "wx", "wy", "wz"]}


def place(pose, point, origin):
    """A point of a shape in world axes, relative to the translation of the pose `origin`."""
    if len(point) == 2:
        return [pose.c * point[0] - pose.s * point[1] + (pose.x - origin.x),
                pose.s * point[0] + pose.c * point[1] + (pose.y - origin.y)]
    (x, y, z, w), (a, b, c) = (pose.qx, pose.qy, pose.qz, pose.qw), point
    f = 2 / (x * x + y * y + z * z + w * w)
    return [a - f * ((y * y + z * z) * a - (x * y - w * z) * b - (x * z + w * y) * c) + (pose.x - origin.x),
            b - f * ((x * x + z * z) * b - (x * y + w * z) * a - (y * z - w * x) * c) + (pose.y - origin.y),
            c - f * ((x * x + y * y) * c - (x * z - w * y) * a - (y * z + w * x) * b) + (pose.z - origin.z)]


def named(names, numbers):
    return Record(**dict(zip(names, numbers)))


class Binary:
    def __init__(self, source, write):
        self.source, self.write, self.dim = source, write, 0

    def take(self, form, count):
        size = struct.calcsize(f"<{count}{form}")
        data = self.source.read(size)
        return list(struct.unpack(f"<{count}{form}", data)) if len(data) == size else sys.exit()

    def read(self):
        take = self.take
        frame, _ = take("I", 2)
        if frame == SHAPES:
            self.dim, precision, count, sent = take("I", 4)
            shapes = []
            for _ in range(sent):
                index, kind, rows, _ = take("I", 4)
                radius, = take("d", 1)
                shapes.append({"index": index, "kind": KINDS[kind], "radius": radius,
                               "rows": [take("d", self.dim) for _ in range(rows)]})
            return {"frame": "shapes", "dim": self.dim, "precision": ["f32", "f64"][precision], "count": count,
                    "shapes": shapes}
        number, query, count, moving, leaving, _ = take("I", 6)
        ask = {"frame": "ask", "id": number, "query": QUERIES[query], "leaving": ["hit", "ignore"][leaving],
               "margin": take("d", 1)[0], "pairs": []}
        for _ in range(count):
            pair = {"shapes": take("I", 2), "bodies": take("I", 2)}
            pair["poses"] = [take("d", len(POSE[self.dim])) for _ in "ab"]
            if moving:
                pair["motions"] = [take("d", len(MOTION[self.dim])) for _ in "ab"]
            ask["pairs"].append(pair)
        return ask

    def ready(self, ns):
        self.write(struct.pack("<IIQ", READY, 8, ns))

    def answers(self, ask, first, ns, results):
        body, vector = b"", lambda v: struct.pack("<3d", *v, *[0] * (3 - len(v)))
        for result in results:
            status = result.get("status")
            body += struct.pack("<II", STATUSES.index(status) if status in STATUSES else 0, result.get("iterations", 0))
            if ask["query"] == "manifold":
                contacts = result.get("contacts", [])
                body += struct.pack("<II", len(contacts), 0) + vector(result.get("normal", ()))
                for i, c in enumerate((contacts + [{}] * 4)[:4]):
                    body += vector(c.get("point_a", ())) + vector(c.get("point_b", ()))
                    body += struct.pack("<dII", c.get("separation", 0), c.get("feature", i), 0)
            else:
                body += struct.pack("<dd", result.get("sigma", result.get("time", 0)), result.get("last", 0))
                body += b"".join(vector(result.get(key, ())) for key in ("normal", "point_a", "point_b"))
        self.write(struct.pack("<IIQIIII", ANSWERS, 24 + len(body), ns, ask["id"], first, len(results), 0) + body)


class Json:
    def __init__(self, source, write):
        self.source, self.write = source, write

    def read(self):
        frame = json.loads(self.source.readline() or sys.exit())
        return {**frame, "margin": float("inf")} if frame.get("margin", 0) is None else frame

    def send(self, **frame):
        self.write(json.dumps(frame).replace("NaN", "null").encode() + b"\n")

    def ready(self, ns):
        self.send(frame="ready", ns=ns)

    def answers(self, ask, first, ns, results):
        self.send(frame="answers", id=ask["id"], first=first, ns=ns, answers=results)


def complete(result, query):
    if isinstance(result, bool) and query != "intersect":
        raise TypeError(f"of {query} a boolean is no answer")
    result = ("separated", "overlapping")[result] if isinstance(result, bool) else result
    result = {"status": result or "unsupported"} if result is None or isinstance(result, str) else result
    if not result.keys() <= FIELDS:
        raise KeyError(f"fields that no answer has: {sorted(result.keys() - FIELDS)}")
    return result


def serve(header, prepare=lambda shape: shape, **functions):
    out, source = os.fdopen(os.dup(1), "wb", 0), os.fdopen(0, "rb")
    os.dup2(2, 1)

    def write(data):
        while data:
            data = data[out.write(data):]
    form = (Json if "--json" in sys.argv else Binary)(source, write)
    header = {"gjkbench": 1, "form": type(form).__name__.lower(), "queries": list(functions), **header}
    write(json.dumps(header).encode() + b"\n")
    shapes, dim, clock = {}, 0, time.perf_counter_ns
    while True:
        frame, began = form.read(), clock()
        if frame["frame"] == "shapes":
            dim, shapes = frame["dim"], {shape["index"]: prepare(Record(**shape)) for shape in frame["shapes"]}
            form.ready(clock() - began)
            continue
        answer, calls = functions[frame["query"]], []
        asked = {"query": frame["query"], "dim": dim, "margin": frame["margin"], "leaving": frame["leaving"]}
        for pair in frame["pairs"]:
            (a, b), (pose_a, pose_b) = pair["shapes"], [named(POSE[dim], pose) for pose in pair["poses"]]
            motions = [named(MOTION[dim], motion) for motion in pair.get("motions", [])]
            params = Record(motions=motions, bodies=pair["bodies"], **asked)
            calls.append((shapes[a], pose_a, shapes[b], pose_b, params))
        for first in range(0, len(calls), CHUNK):  # what is answered is known if a later pair fails
            before = clock()
            results = [answer(*call) for call in calls[first:first + CHUNK]]
            form.answers(frame, first, clock() - before, [complete(result, frame["query"]) for result in results])
