#!/usr/bin/env python3
"""What scripts/coverage.sh runs, and what it tells.

select BUILD MODE [NAME...]   the tests of a mode, as lines of "suite TAB name TAB target"
report ROOT BUILD [--check]   text from BUILD/coverage.json; --check exits with 1 when a room is below its least
"""
import fnmatch
import json
import subprocess
import sys
from pathlib import Path

# A mode: suites that it runs whole, and tests of other suites.
MODES = {
    "tests": (("core", "simd", "stepping", "reference", "contenders", "grading", "verify", "properties",
               "fuzz"), ("regressions", "large-hulls")),
    "own": (("simd", "reference"), ()),
    "replay": ((), ("replay-*", "regressions", "wrong-answers", "known-failures")),
    "corpora": ((), ("replay-*",)),
}

# A room, and the least share of its lines in percent.
ROOMS = {"simd": 95.0, "reference": 95.0, "core": None, "scenes": None}

# What reads files and words of others, whatever room it is in; fuzz/targets/meson.build has the targets.
PARSERS = """
    core/json_file.c scenes/mesh/mesh.c scenes/mesh/mesh_assimp.c scenes/mesh/mesh_formats.c scenes/mesh/mesh_obj.c
    scenes/mesh/mesh_ply.c scenes/mesh/mesh_take.c scenes/mesh/mesh_text.c scenes/model/mjcf.c scenes/model/mjcf_class.c
    scenes/model/mjcf_geom.c scenes/model/model_read.c scenes/model/urdf.c scenes/model/xml.c scenes/scene_binary.c
    scenes/scene_check.c scenes/scene_json.c scenes/scene_json_parts.c scenes/scene_load.c reference/certificate/certificate_read.c
    verify/known_failures.c verify/known_motion.c verify/known_shapes.c verify/known_json.c verify/verify_file.c verify/verify_merge.c verify/verify_plan_file.c
    bench/compare/comparison_files.c bench/formats.c bench/rows.c
    reports/figures/json_fields.c reports/league/league.c reports/league/league_cells.c reports/league/league_merge.c reports/metrics.c
    reports/figures/recipe_rows.c
    reports/results.c
    history/import.c history/record.c
    cli/archive/archive_file.c cli/archive/archive_tar.c choose/choose_results.c cli/options/options.c cli/archive/run_archive.c
    cli/options/select.c
""".split()


def select(build, mode, only):
    """Tests that are programs of this build: scripts look at files, and run no line of ours."""
    suites, others = MODES[mode]
    known = json.loads(subprocess.run(["meson", "introspect", build, "--tests"], check=True, capture_output=True).stdout)
    for test in known:
        suite = test["suite"][0].split(":")[-1]
        program = Path(test["cmd"][0])
        named = any(fnmatch.fnmatch(test["name"], other) for other in others)
        if not program.is_relative_to(build) or not (suite in suites or named):
            continue
        if not only or test["name"] in only or suite in only:
            print(suite, test["name"], program.relative_to(build), sep="\t")


def ranges(numbers):
    """Neighbouring numbers as (first, last)."""
    found = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def sources_held(build):
    """Every file that an object of the build was made from, headers included."""
    told = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True, text=True).stdout
    return {(build / line.strip()).resolve() for line in told.splitlines() if line.startswith("    ")}


def percent(run, total):
    return 100.0 * run / total if total else 100.0


def tell_parsers(counts):
    """Where the build has counters of them all."""
    rows = []
    for name in PARSERS:
        lines = counts.get(name, {})
        if lines:
            ran = sum(1 for count in lines.values() if count)
            rows.append((percent(ran, len(lines)), name, ran, len(lines)))
    if all(name.startswith(("core/", "scenes/")) for _, name, _, _ in rows):
        return
    total, run = sum(row[3] for row in rows), sum(row[2] for row in rows)
    print(f"parsers: {run} of {total} lines, {percent(run, total):.2f}%")
    for part, name, ran, size in sorted(rows):
        print(f"  {part:6.2f}%  {ran:5d} of {size:5d}  {name}")


def report(root, build, check):
    counts = {}
    for file in json.loads((build / "coverage.json").read_text())["files"]:
        lines = counts.setdefault(file["file"], {})
        for line in file["lines"]:
            if not line.get("gcovr/noncode"):
                lines[line["line_number"]] = lines.get(line["line_number"], 0) + line["count"]
    counts = {name: lines for name, lines in counts.items() if lines}
    tell_parsers(counts)
    counts = {name: lines for name, lines in counts.items() if name.split("/")[0] in ROOMS}
    held = sources_held(build)
    below = []
    for room, least in ROOMS.items():
        files = {name: lines for name, lines in counts.items() if name.startswith(room + "/")}
        total = sum(len(lines) for lines in files.values())
        run = sum(1 for lines in files.values() for count in lines.values() if count)
        share = percent(run, total)
        if least is not None and (not total or share < least):
            below.append(f"{room}: {share:.2f}% of lines, less than {least:.0f}%" if total else f"{room}: no line was counted")
        print(f"{room}: {run} of {total} lines, {share:.2f}%")
        rows = []
        for name, lines in files.items():
            ran = sum(1 for count in lines.values() if count)
            rows.append((percent(ran, len(lines)), name, ran, len(lines)))
        for part, name, ran, size in sorted(rows):
            print(f"  {part:6.2f}%  {ran:5d} of {size:5d}  {name}")
        absent = [path.name for path in sorted((root / room).rglob("*.[ch]")) if path.resolve() not in held]
        if absent:
            print(f"  in no object of this build: {' '.join(absent)}")
    print()
    for name in sorted(counts, key=lambda name: (list(ROOMS).index(name.split("/")[0]), name)):
        left = sorted(number for number, count in counts[name].items() if not count)
        if not left:
            continue
        text = (root / name).read_text().splitlines()
        print(f"{name}: {len(left)} lines never ran")
        for first, last in ranges(left):
            for number in range(first, last + 1):
                print(f"  {number:5d}: {text[number - 1]}")
    for line in below:
        print(line)
    return 1 if check and below else 0


def main(arguments):
    match arguments:
        case ["select", build, mode, *only]:
            select(Path(build), mode, only)
        case ["report", root, build]:
            return report(Path(root), Path(build), False)
        case ["report", root, build, "--check"]:
            return report(Path(root), Path(build), True)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
