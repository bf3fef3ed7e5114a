#!/usr/bin/env python3
"""Writes the tables of results in README.md and docs/results.md from the kept JSON files of data/results.

usage: results.py                    write the tables anew from the kept files
       results.py --check            exit 1 if a table is not what the kept files give
       results.py --renew GJKBENCH   measure again with that program (minutes), keep the results, write the tables
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
kept = root / "data/results"
pages = [root / "README.md", root / "docs/results.md"]
ours = "batch"
still = "--query intersect,distance,penetration --family far,near,touching,shallow,deep,mixed,parallel"
solid = "batch,libccd-gjk,libccd-mpr,ode-boxbox,bullet-gjkepa,bullet-mpr,bullet-pair,fcl-libccd"
usual = "--backend avx512,avx2 --threads 1 --min-time 40ms"
commands = {
    "rest-2d": f"bench --dim 2 {still} --workload polygon8,box --shapes 4096 --precision f32 --contender batch,box2d,chipmunk {usual}",
    "rest-3d": f"bench --dim 3 {still} --workload box,hull16 --shapes 4096 --precision f32,f64 --contender {solid} {usual}",
    "large-3d": "bench --dim 3 --query intersect,distance,penetration --family mixed,deep,touching --workload hull32,hull128,hull512 "
                f"--shapes 1024 --precision f32,f64 --contender {solid} {usual}",
    "curved-3d": "bench --dim 3 --query distance --family far,near,mixed --workload ellipsoid,cylinder,cone --shapes 4096 "
                 f"--precision f32,f64 --contender batch,bullet-gjkepa,fcl-libccd,fcl-indep {usual}",
    "motion": "bench --query toi --workload box,polygon8,polygon64,hull16 --family approach,approach-turn,slow,resting --shapes 4096 "
              f"--precision f32,f64 --contender batch,box2d,box2d-cast,bullet-ccd,bullet-simplexcast,fcl-libccd,fcl-indep {usual}",
}
keys = ["name", "dim", "query", "workload", "family", "shapes", "pairs_per_call", "contender", "backend", "precision",
        "ns_per_pair", "ns_low", "ns_high", "graded", "wrong_rate", "wrong_rate_1e3", "label"]
facts = ["date", "cpu", "num_cpus", "compiler", "flags", "commit", "load_avg", "seed"]


def keep(name, measured):
    """What the tables and a reader need, a row on a line."""
    head = {key: measured["context"][key] for key in facts if key in measured["context"]}
    head["command"] = "gjkbench " + commands[name]
    rows = ",\n".join(json.dumps({key: row[key] for key in keys if key in row}) for row in measured["benchmarks"])
    (kept / f"{name}.json").write_text(f'{{"context": {json.dumps(head)},\n"benchmarks": [\n{rows}\n]}}\n', encoding="utf-8")


def renew(program):
    kept.mkdir(exist_ok=True)
    for name, command in commands.items():
        print(f"results: {name}", file=sys.stderr)
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            done = subprocess.run([program, *command.split(), "--json", out.name], stdout=subprocess.DEVNULL)
            if done.returncode:
                sys.exit(f"results: {name}: exit {done.returncode}")
            with open(out.name, encoding="utf-8") as file:
                keep(name, json.load(file))


def load(name):
    with open(kept / f"{name}.json", encoding="utf-8") as file:
        return json.load(file)


def cells(measured):
    """Of each case: ours, the fastest other that is right, and the fastest other."""
    found = {}
    for row in measured["benchmarks"]:
        found.setdefault((row["dim"], row["query"], row["workload"], row["family"]), []).append(row)
    for case, rows in found.items():
        mine = min((r for r in rows if r["contender"] == ours), key=lambda r: r["ns_per_pair"], default=None)
        others = sorted((r for r in rows if r["contender"] != ours), key=lambda r: r["ns_per_pair"])
        right = [r for r in others if r.get("wrong_rate_1e3", 0) <= 1e-3]
        if mine:
            yield case, mine, right[0] if right else None, others[0] if others else None


def ratio(mine, other):
    return f"{other['ns_per_pair'] / mine['ns_per_pair']:.2g}" if other else "–"


def share(row):
    wrong = row.get("wrong_rate_1e3")
    return "not graded" if wrong is None else f"{100 * wrong:.2g}%"


def from_where(measured):
    c = measured["context"]
    return (f"Measured {c['date'][:10]} at commit {c['commit'][:7]} on {c['cpu']} ({c['num_cpus']} shared processors), {c['compiler']}:\n\n"
            f"```\n{wrapped(c['command'])}\n```")


def wrapped(command, width=98):
    lines, line = [], ""
    for word in command.split():
        if line and len(line) + len(word) + 3 > width:
            lines.append(line + " \\")
            line = "   "
        line += (" " if line.strip() else line and " ") + word if line else word
    return "\n".join(lines + [line])


def every_case(name):
    """All cases of a file, a line each."""
    measured = load(name)
    lines = [from_where(measured), "", "| query | shapes | pairs | ours, ns | fastest right other | times | fastest other | times | wrong |",
             "| --- | --- | --- | ---: | --- | ---: | --- | ---: | ---: |"]
    for (dim, query, workload, family), mine, right, fastest in cells(measured):
        same = fastest is right
        lines.append(f"| {query} {dim}D | {workload} | {family} | {mine['ns_per_pair']:.3g} | {right['contender'] if right else 'none'} | "
                     f"{ratio(mine, right)} | {'the same' if same else fastest['contender'] if fastest else 'none'} | "
                     f"{'' if same else ratio(mine, fastest)} | {'' if same or not fastest else share(fastest)} |")
    return lines


def in_brief(name):
    """Of each query: mixed pairs of the first kind of shape, then the best and the worst of all cases."""
    measured = load(name)
    of = {}
    for case, mine, right, _ in cells(measured):
        if right:
            of.setdefault(case[1], []).append((right["ns_per_pair"] / mine["ns_per_pair"], case, right))
    def cell(entry):
        times, case, right = entry
        return f"{times:.2g} × {right['contender']} ({case[2]}, {case[3]})"
    lines = ["| query | usual pairs | best case | worst case |", "| --- | --- | --- | --- |"]
    for query, entries in of.items():
        usual_pairs = [e for e in entries if e[1][3] in ("mixed", "approach-turn")]
        lines.append(f"| {query} | {'; '.join(cell(e) for e in usual_pairs[:2])} | {cell(max(entries))} | {cell(min(entries))} |")
    return lines


def page_text(text):
    def table(match):
        form, name = match.group(2), match.group(3)
        lines = in_brief(name) if form == "brief" else every_case(name)
        return f"{match.group(1)}\n" + "\n".join(lines) + "\n<!-- end -->"
    return re.sub(r"(<!-- results: (brief|all) ([a-z0-9-]+) -->)\n.*?<!-- end -->", table, text, flags=re.S)


def main(arguments):
    if arguments[:1] == ["--renew"] and len(arguments) == 2:
        renew(arguments[1])
    elif arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    stale = []
    for page in pages:
        before = page.read_text(encoding="utf-8")
        after = page_text(before)
        if after != before and arguments == ["--check"]:
            stale.append(page.name)
        elif after != before:
            page.write_text(after, encoding="utf-8")
    if stale:
        sys.exit(f"results: not what data/results gives: {', '.join(stale)}; run scripts/results.py")


main(sys.argv[1:])
