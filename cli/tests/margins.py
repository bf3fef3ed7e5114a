"""What tests of margins share: a scene of two pairs, and that what is no margin is refused."""
import json
import pathlib

from common import check, run


def scene(name, gap, pairs=2, **more):
    """Two unit squares, side by side with a gap, and a circle that is far off; of these pairs the first ones."""
    shapes = [{"kind": "box", "half_extents": [1, 1]}, {"kind": "point", "vertices": [[0, 0]], "radius": 0.5}]
    bodies = [{"shape": 0, "pose": {"x": 0, "y": 0}}, {"shape": 0, "pose": {"x": 2 + gap, "y": 0.5}},
              {"shape": 1, "pose": {"x": 0, "y": 30}}]
    value = {"gjkbench": 1, "shapes": shapes, "bodies": bodies, "pairs": [[0, 1], [0, 2]][:pairs], **more}
    pathlib.Path(name).write_text(json.dumps(value), encoding="utf-8")
    return name


def refuses(option):
    """On one line, with option and value, before any work."""
    for command in ["run", "verify", "fuzz", "bench", "properties", "choose", "compare a.json b.json", "replay a.json"]:
        for bad in ["-0.5", "nan", "inf", "1e37", "wide", ""]:
            done = run(*command.split(), option, bad)
            check(done.returncode == 2 and done.stderr.count("\n") == 1 and option in done.stderr and f"'{bad}'" in done.stderr,
                  f"{command} {option} '{bad}' is refused", done.stderr)
