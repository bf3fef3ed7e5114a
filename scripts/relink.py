#!/usr/bin/env python3
"""Links a program of a build once more, from the same objects in another order.

usage: relink.py BUILD PROGRAM OUT [SEED]

BUILD is a meson build folder, PROGRAM a name in it (cli/gjkbench), OUT the file to write. What is compared with
the original differs in nothing but where its functions lie: for 'gjkbench calibrate --relinked OUT'.
"""
import os
import random
import shlex
import subprocess
import sys


def members(build, archive):
    listed = subprocess.run(["ar", "t", archive], cwd=build, check=True, capture_output=True, text=True).stdout.split()
    return [os.path.normpath(m if os.path.exists(os.path.join(build, m)) else os.path.join(os.path.dirname(archive), m))
            for m in listed]


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    build, program, out = sys.argv[1:4]
    seed = sys.argv[4] if len(sys.argv) == 5 else "1"
    try:
        commands = subprocess.run(["ninja", "-C", build, "-t", "commands", program], check=True, capture_output=True,
                                  text=True).stdout.strip().splitlines()
        link = shlex.split([c for c in commands if f" -o {program} " in c][-1])
        inside = [w for w in link if not os.path.isabs(w) and os.path.isfile(os.path.join(build, w))]
        objects = dict.fromkeys(w for w in inside if w.endswith(".o"))
        for archive in (w for w in inside if w.endswith(".a")):
            objects.update(dict.fromkeys(members(build, archive)))
    except (OSError, subprocess.CalledProcessError, IndexError) as error:
        sys.exit(f"relink.py: {build}: {program} cannot be linked again: {error}")
    order = sorted(objects)
    random.Random(seed).shuffle(order)
    rest = [w for w in link if w not in inside]
    rest[rest.index("-o") + 1] = os.path.abspath(out)
    at = rest.index("-o") + 2
    command = rest[:at] + order + rest[at:]
    sys.exit(subprocess.run(command, cwd=build).returncode)


if __name__ == "__main__":
    main()
