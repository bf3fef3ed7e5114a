#!/usr/bin/env python3
"""A program for tests that answers every query, of balls, and of boxes swept: each field of the protocol is used, and a
wrong one shows in the grades. usage: everything.py EXAMPLES-FOLDER [--json]"""
import math
import sys

sys.path.insert(0, sys.argv[1])
from gjkbench import place, serve


def meeting(a, pose_a, b, pose_b):
    """Centres relative to A's translation, what lies between, and the signed distance."""
    if a.kind != "point" or b.kind != "point":
        return None
    at, to = place(pose_a, a.rows[0], pose_a), place(pose_b, b.rows[0], pose_a)
    between = [y - x for x, y in zip(at, to)]
    return at, to, between, math.hypot(*between) - a.radius - b.radius


def answer(a, at, b, to, sigma, status):
    between = [y - x for x, y in zip(at, to)]
    length = math.hypot(*between)
    normal = [x / length for x in between] if length > 0 else [1] + [0] * (len(at) - 1)
    return {"status": status, "sigma": sigma, "normal": normal,
            "point_a": [x + a.radius * n for x, n in zip(at, normal)],
            "point_b": [x - b.radius * n for x, n in zip(to, normal)]}


def signed_distance(a, pose_a, b, pose_b, params):
    found = meeting(a, pose_a, b, pose_b)
    if not found:
        return None
    at, to, _, sigma = found
    return answer(a, at, b, to, sigma, "separated" if sigma > 0 else "overlapping")


def intersect(a, pose_a, b, pose_b, params):
    found = meeting(a, pose_a, b, pose_b)
    return found and found[3] <= params.margin


def distance(a, pose_a, b, pose_b, params):
    found = signed_distance(a, pose_a, b, pose_b, params)
    if found and found["sigma"] > params.margin > 0:  # no more is asked
        found["point_a"] = found["point_b"] = []
    return found


def manifold(a, pose_a, b, pose_b, params):
    found = signed_distance(a, pose_a, b, pose_b, params)
    if found:
        near = found["sigma"] <= params.margin
        contact = {"point_a": found["point_a"], "point_b": found["point_b"], "separation": found["sigma"], "feature": 7}
        found = {"status": found["status"], "normal": found["normal"] if near else [],
                 "contacts": [contact] if near else []}
    return found


def toi(a, pose_a, b, pose_b, params):
    """Balls that turn about their centres alone do not turn."""
    found = meeting(a, pose_a, b, pose_b)
    turns = [[getattr(m, key) for key in ("angle", "wx", "wy", "wz") if hasattr(m, key)] for m in params.motions]
    if not found or any(any(turn) and any(shape.rows[0]) for turn, shape in zip(turns, (a, b))):
        return None
    at, to, gap, sigma = found
    ways = [[m.x, m.y] + ([m.z] if params.dim == 3 else []) for m in params.motions] or [[0] * params.dim] * 2
    way = [y - x for x, y in zip(*ways)]
    reach = a.radius + b.radius
    over, half, rest = sum(x * x for x in way), sum(x * y for x,
                                                    y in zip(gap, way)), sum(x * x for x in gap) - reach * reach
    size = math.hypot(*gap) + reach
    if params.leaving == "ignore" and half >= 0 and abs(sigma) <= 1e-14 * size:
        return "separated"
    if sigma <= 0:
        return "overlapping"
    inside = half * half - over * rest
    if half >= 0 or inside < 0 or rest / (-half + math.sqrt(inside)) > 1:
        return "separated"
    time = rest / (-half + math.sqrt(inside))
    moved = [x + time * d for x, d in zip(to, way)]
    return {**answer(a, at, b, moved, 0, "hit"), "time": time, "sigma": time}


def sweep(a, pose_a, b, pose_b, params):
    """Slabs, of two boxes about their origins."""
    if a.kind != "box" or b.kind != "box" or a.radius or b.radius:
        return None
    axes, (way_a, way_b) = "xyz"[:params.dim], params.motions
    gap = [getattr(pose_b, k) - getattr(pose_a, k) for k in axes]
    way = [getattr(way_b, k) - getattr(way_a, k) for k in axes]
    first, last, face = -math.inf, 1.0, 0
    for k, (g, w) in enumerate(zip(gap, way)):
        reach = a.rows[0][k] + b.rows[0][k]
        if w == 0 and abs(g) > reach:
            return "separated"
        if w != 0:
            enter, leave = sorted(((-reach - g) / w, (reach - g) / w))
            first, face, last = (enter, k, min(last, leave)) if enter > first else (first, face, min(last, leave))
    if first > last or first > 1 or last < 0:
        return "separated"
    time = max(first, 0)
    moved = [g + time * w for g, w in zip(gap, way)]
    low = [max(-a.rows[0][k], m - b.rows[0][k]) for k, m in enumerate(moved)]
    high = [min(a.rows[0][k], m + b.rows[0][k]) for k, m in enumerate(moved)]
    normal = [0] * params.dim
    if first > 0:
        normal[face] = -1 if way[face] > 0 else 1
    return {"status": "hit" if first > 0 else "overlapping", "time": time, "last": last, "normal": normal,
            "point_a": [(x + y) / 2 for x, y in zip(low, high)]}


serve({"name": "everything", "version": "1", "licence": "MIT", "dims": [2, 3], "kinds": ["point", "box"],
       "precisions": ["f32", "f64"],
       "within": ["intersect", "distance"], "leaving": True, "tau": {"toi": 1e-6}},
      intersect=intersect, distance=distance, penetration=signed_distance, signed_distance=signed_distance,
      sweep=sweep, toi=toi,
      manifold=manifold)
