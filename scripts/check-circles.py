#!/usr/bin/env python3
"""No two files of a room need each other, be it by way of others. usage: check-circles.py BUILD-FOLDER

Reads which functions and variables each object of a room defines and asks for: of its libraries, of those in folders
below, and of the program, without tests. A source that is compiled several times, once per instruction set, counts as
one. A circle of files can only be read, tested and replaced as a whole."""
import collections
import pathlib
import subprocess
import sys


def rooms(build):
    """Of each room its objects."""
    found = collections.defaultdict(list)
    for target in ("lib*.a.p", "gjkbench.p"):
        for path in build.glob(f"**/{target}/*.o"):
            if not path.name.startswith("tests_") and "tests" not in path.parts:
                found[path.relative_to(build).parts[0]].append(path)
    return found


def arrows(objects):
    """Of each file which others it needs, and for which names."""
    out = subprocess.run(["nm", "-A", "-P", "-g", *objects], capture_output=True, text=True, check=True).stdout
    owner, needed = {}, collections.defaultdict(set)
    for line in out.splitlines():
        place, name, kind = line.rpartition(": ")[0], *line.rpartition(": ")[2].split()[:2]
        file = pathlib.Path(place).name.removesuffix(".o")
        if kind in "Uvw":
            needed[file].add(name)
        else:
            owner[name] = file
    to = collections.defaultdict(lambda: collections.defaultdict(list))
    for file, names in needed.items():
        for name in sorted(names):
            if owner.get(name, file) != file:
                to[file][owner[name]].append(name)
    return to, len(owner)


def reach(start, to):
    seen, left = set(), [start]
    while left:
        for file in to.get(left.pop(), ()):
            if file not in seen:
                seen.add(file)
                left.append(file)
    return seen


def circles(to):
    """Sets of files that reach each other."""
    reached = {file: reach(file, to) for file in to}
    found = {frozenset(other for other in reached[file] if file in reached.get(other, ()))
             for file in to if file in reached[file]}
    return sorted(map(sorted, found))


def main():
    bad, objects_in = 0, rooms(pathlib.Path(sys.argv[1]))
    for room, objects in sorted(objects_in.items()):
        to, names = arrows(sorted(objects))
        if not names:
            bad += 1
            print(f"{room}: its objects define nothing")
        for circle in circles(to):
            bad += 1
            print(f"{room}: these need each other:")
            for file in circle:
                for other in sorted(set(circle) & set(to[file])):
                    print(f"    {file} asks {other} for {', '.join(to[file][other])}")
    if not objects_in:
        sys.exit(f"no objects in {sys.argv[1]}")
    if bad:
        sys.exit(f"circles to open: {bad}")
    print(f"{len(objects_in)} rooms: no circle of files")


if __name__ == "__main__":
    main()
