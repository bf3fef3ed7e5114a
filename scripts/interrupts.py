#!/usr/bin/env python3
"""How soon Ctrl-C is heard: starts long commands, interrupts each, alone and with its process group, and says
when it ended, with which exit code, and what of its results is missing. Exits with 1 where one took more than
two seconds, did not end with 130, or has not kept what was done.
usage: interrupts.py GJKBENCH [--after SECONDS] [--only NAME,...]"""
import argparse
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

LIMIT, ENDS = 2.0, (130,)


def shape(kind, draw):
    size = [draw.uniform(0.5, 2) for _ in range(3)]
    if kind in ("cone", "cylinder"):
        return {"kind": kind, "base_radius": size[0], "half_height": size[1]}
    if kind == "hull":
        return {"kind": kind, "vertices": [[draw.gauss(0, 1) for _ in range(3)] for _ in range(1500)]}
    return {"kind": kind, "semi_axes": size} | ({"exponent": draw.uniform(2, 8)} if "super" in kind else {})


def scene(path, pairs, kinds, query):
    """Pairs near to touching, each of shapes of its own; they move where the query is about that."""
    draw, shapes, bodies = random.Random(7), [], []
    for i in range(2 * pairs):
        q = [draw.gauss(0, 1) for _ in range(4)]
        length = math.sqrt(sum(w * w for w in q))
        pose = dict(zip(("x", "y", "z", "qx", "qy", "qz", "qw"),
                        [i % 2 * draw.uniform(0.5, 2.5), 0, 0] + [v / length for v in q]))
        shapes.append(shape(kinds[i // 2 % len(kinds)], draw))
        bodies.append({"shape": i, "pose": pose})
        if query == "toi":
            bodies[-1]["motion"] = {k: draw.uniform(-2, 2) for k in ("x", "y", "z", "wx", "wy", "wz")}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"gjkbench": 1, "dim": 3, "query": query, "shapes": shapes, "bodies": bodies,
                   "pairs": [[2 * i, 2 * i + 1] for i in range(pairs)]}, file)


def mesh(path, corners):
    draw = random.Random(3)
    with open(path, "w", encoding="utf-8") as file:
        for i in range(corners):
            v = [draw.gauss(0, 1) for _ in range(3)]
            length = math.sqrt(sum(w * w for w in v))
            file.write("v %.9g %.9g %.9g\n" % tuple(w / length for w in v))
            if i > 1:
                file.write(f"f {i - 1} {i} {i + 1}\n")


def inputs():
    curved = ["superellipsoid", "cone", "cylinder", "ellipsoid"]
    scene("curved.json", 3000, curved, "signed_distance")
    scene("moving.json", 1000, curved, "toi")
    scene("hulls.json", 400, ["hull"], "signed_distance")
    scene("one.json", 1, ["hull"], "signed_distance")
    mesh("mesh.obj", 400000)


# Name, seconds until the signal (0: as given), what is there afterwards (-: nothing), and the command.
COMMANDS = """
verify             0    v.json              verify CURVED --pairs 1M --json v.json
verify-toi         0    vt.json             verify CURVED --query toi --pairs 1M --json vt.json
verify-hulls       0    vh.json             verify --dim 3 --workload hull4096 --pairs 1M --json vh.json
run                0    run/index.html      run --quick --out run
run-late           30   late/index.html     run --quick --out late
run-later          45   later/index.html    run --quick --out later
bench              0    b.json              bench --min-time 1s --json b.json
bench-curved       0    bc.json             bench CURVED --min-time 1s --json bc.json
replay             0    r.json              replay curved.json --json r.json
replay-toi         0    rt.json             replay moving.json --json rt.json
replay-hulls       0    rh.json             replay hulls.json --json rh.json
choose             0    ch.json             choose curved.json --json ch.json
choose-toi         0    ct.json             choose moving.json --json ct.json
choose-hulls       0    chh.json            choose hulls.json --json chh.json
certify            0    certificates        certify hulls.json --out certificates
compare            0    cmp.json            compare PROGRAM PROGRAM --json cmp.json
calibrate          0    -                   calibrate
explain            0.5  -                   explain one.json --steps 4000 --out explained
import             0.5  -                   import mesh.obj --out mesh.gjb
recipe             0    -                   recipe ellipsoid-hulls-2205.09663 --out recipe
recipe-late        15   late3/index.html    recipe ellipsoid-hulls-2205.09663 --quick --out late3
recipe-2d          0    flat/index.html     recipe polygons-2011.09117 --out flat
fuzz               0    f.json              fuzz --time 2m --json f.json --out found
fuzz-curved        0    fc.json             fuzz CURVED --time 2m --json fc.json --out found-curved
properties         0    p.json              properties --pairs 5k --json p.json
properties-curved  0    pc.json             properties CURVED --pairs 5k --json pc.json
"""
CURVED = "--dim 3 --contender reference,batch --workload superellipsoid,rounded-cone"


def commands(program):
    for line in COMMANDS.strip().splitlines():
        name, after, kept, *words = line.replace("CURVED", CURVED).replace("PROGRAM", program).split()
        yield name, words, [k for k in [kept] if k != "-"], float(after)


def interrupt(program, name, arguments, kept, after, group):
    """Seconds to the end, exit code, what is there; None for the seconds where it had ended by itself."""
    with open(name + ".out", "w", encoding="utf-8") as said:
        p = subprocess.Popen([program, *arguments], stdout=said, stderr=subprocess.STDOUT,
                             start_new_session=True)
    time.sleep(after)
    took = None
    if p.poll() is None:
        begin = time.monotonic()
        (os.killpg if group else os.kill)(p.pid, signal.SIGINT)
        try:
            p.wait(100)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            p.wait()
        took = time.monotonic() - begin
    return took, p.returncode, [k for k in kept if not os.path.exists(k)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--after", type=float, default=3)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    program, bad = os.path.realpath(given.program), 0
    only = given.only.split(",") if given.only else []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        inputs()
        print(f"{'command':18} {'signal to':10} {'seconds':>8} {'code':>5}  missing")
        for name, arguments, kept, after in commands(program):
            for group in (False, True):
                if only and name not in only:
                    continue
                took, code, missing = interrupt(program, name, arguments, kept, after or given.after, group)
                wrong = took is not None and (took > LIMIT or code not in ENDS or missing)
                bad += bool(wrong)
                print(f"{name:18} {'group' if group else 'process':10} "
                      f"{'ended' if took is None else format(took, '.2f'):>8} {code:5}  {' '.join(missing)}"
                      f"{'  <--' if wrong else ''}", flush=True)
        os.chdir("/")
    return bad > 0


sys.exit(main())
