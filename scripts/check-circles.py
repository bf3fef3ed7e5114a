#!/usr/bin/env python3
"""No two files of a room need each other, be it by way of others. usage: check-circles.py BUILD-FOLDER

Reads which functions and variables each object of the room's library defines and asks for. A circle of files can only
be read, tested and replaced as a whole."""
import pathlib
import subprocess
import sys


def symbols(archive):
    """Of each object in the archive: its name, what it defines, what it asks for."""
    out = subprocess.run(["nm", "-A", "-P", "-g", archive], capture_output=True, text=True, check=True).stdout
    defined, needed = {}, {}
    for line in out.splitlines():
        place, name, kind = line.split()[:3]
        file = place[place.rindex("[") + 1:place.rindex("]")]
        (needed if kind in "Uw" else defined).setdefault(file, set()).add(name)
    return defined, needed


def arrows(archive):
    defined, needed = symbols(archive)
    owner = {name: file for file, names in defined.items() for name in names}
    return {file: {owner[name] for name in names if name in owner} - {file} for file, names in needed.items()}


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
    found = {frozenset(other for other in reached[file] if file in reached.get(other, ())) | {file}
             for file in to if file in reached[file]}
    return sorted(map(sorted, found))


def main():
    archives = sorted(path for path in pathlib.Path(sys.argv[1]).glob("*/lib*.a") if path.parent.name != "simd" or path.name == "libsimd.a")
    bad = 0
    for archive in archives:
        for circle in circles(arrows(archive)):
            bad += 1
            print(f"{archive.parent.name}: these need each other: " + ", ".join(name.removesuffix(".o") for name in circle))
    if not archives:
        print(f"no library in {sys.argv[1]}")
    else:
        print(f"{len(archives)} libraries: {bad} circles of files")
    sys.exit(bad > 0 or not archives)


if __name__ == "__main__":
    main()
