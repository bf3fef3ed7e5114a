#!/usr/bin/env python3
"""A program for tests that makes one of an adapter's usual mistakes, and is right but for that. usage: mistakes.py
EXAMPLES-FOLDER MISTAKE"""
import os
import sys

sys.path.insert(0, sys.argv[1])
import gjkbench  # noqa: E402

place, serve, mistake = gjkbench.place, gjkbench.serve, sys.argv[2]
NOWHERE = gjkbench.Record(x=0, y=0)
PLACES = {"pose-left-out": lambda pose, point, origin: list(point),
          "pose-twice": lambda pose, point, origin: place(pose, place(pose, point, NOWHERE), origin),
          "turned-back": lambda pose, point, origin: place(gjkbench.Record(**{**vars(pose), "s": -pose.s}), point,
                                                           origin)}
RADII = {"radius-left-out": 0, "radius-twice": 2}
ANSWERS = {"exchanged-points": lambda a: {**a, "point_a": a["point_b"], "point_b": a["point_a"]},
           "opposite-normal": lambda a: {**a, "normal": [-x for x in a["normal"]]}}


def prepare_wrongly(prepare):
    def prepared(shape):
        shape.radius *= RADII.get(mistake, 1)
        return prepare(shape)
    return prepared


def answer_wrongly(query):
    change = ANSWERS.get(mistake, lambda answer: answer)
    return lambda *pair: change(query(*pair))


def serve_wrongly(header, prepare=lambda shape: shape, **functions):
    kinds = [kind for kind in header["kinds"] if (kind == "point") != (mistake in PLACES)]
    serve({**header, "name": "mistaken", "kinds": kinds}, prepare=prepare_wrongly(prepare),
          **{name: answer_wrongly(functions[name]) for name in ("distance", "penetration") if name in functions})


gjkbench.place, gjkbench.serve = PLACES.get(mistake, place), serve_wrongly
if mistake in PLACES:
    import sat  # noqa: F401  which serves
else:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import everything  # noqa: F401
