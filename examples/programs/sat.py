#!/usr/bin/env python3
"""A contender of a few lines: separating axes for polygons and boxes in the plane. Try:
gjkbench verify --contender-program 'python3 sat.py' --contender py-sat"""
import math

from gjkbench import place, serve


def prepare(shape):
    """Corners, counter-clockwise. A box has one row, its half extents. Rounded shapes are not supported."""
    if shape.radius > 0:
        return None
    if shape.kind != "box":
        return shape.rows
    (x, y), = shape.rows
    return [[-x, -y], [x, -y], [x, y], [-x, y]]


def normals(corners):
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
        length = math.hypot(bx - ax, by - ay)
        if length > 0:
            yield (by - ay) / length, (ax - bx) / length


def gap(normal, a, b):
    """How far B lies beyond A along a normal of A; below 0 if they overlap along it."""
    along = [[normal[0] * x + normal[1] * y for x, y in corners] for corners in (a, b)]
    return min(along[1]) - max(along[0])


def penetration(a, pose_a, b, pose_b, params):
    if a is None or b is None:
        return "unsupported"
    a, b = [place(pose_a, p, pose_a) for p in a], [place(pose_b, p, pose_a) for p in b]
    axes = [(gap(n, a, b), n) for n in normals(a)] + [(gap(n, b, a), (-n[0], -n[1])) for n in normals(b)]
    sigma, normal = max(axes, default=(0, (1, 0)))
    return {"status": "separated" if sigma > 0 else "overlapping", "sigma": sigma, "normal": normal}


serve({"name": "py-sat", "version": "1", "licence": "MIT", "dims": [2], "kinds": ["polygon", "box"],
       "precisions": ["f64"], "no_points": ["penetration"], "note": "an example"},
      prepare=prepare,
      penetration=penetration,
      intersect=lambda *pair: penetration(*pair)["status"])
