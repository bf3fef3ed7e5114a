#!/usr/bin/env python3
"""Verifies the packages of npm, and writes what came out into docs/peers.md.

usage: peers.py                        write the table from results.json
       peers.py --check                exit 1 if the page is not what results.json gives
       peers.py GJKBENCH [NAME...]     verify all, or these, with this program (an hour), keep it in results.json, and write the
                                       table; what is not installed is kept as not tried

Counts do not depend on the machine. Times are not looked at.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KEPT, PAGE = HERE / "results.json", ROOT / "docs/peers.md"
BEGIN, END = "<!-- peers -->", "<!-- end -->"
STILL = ["intersect", "distance", "penetration", "signed_distance"]
FAMILIES = {
    "still": "mixed,near,touching,shallow,deep,contained,needle,parallel,identical,tiny,huge,far-origin,size-ratio",
    "toi": "approach,fast,graze-motion,resting,start-overlap,slow,cast",
    "manifold": "mixed,touching,shallow,deep,parallel",
}
# Of kinds that the package answers for, and of several where it has more than the two of these.
WORKLOADS = {
    "box2d3-wasm": "mixed-kinds,polygon8", "cannon-es": "sphere,box,hull8,mixed-kinds",
    "crashcat": "mixed-kinds,box,hull16,cylinder",
    "detect-collisions": "mixed-kinds,box,polygon8", "jolt-physics": "mixed-kinds,box,hull16,cylinder",
    "matter-js": "mixed-kinds,box,polygon8",
    "p2-es": "mixed-kinds,box,polygon8", "physx-js-webidl": "mixed-kinds,hull16", "planck": "mixed-kinds,polygon8",
    "rapier2d": "mixed-kinds,polygon8", "rapier3d": "mixed-kinds,hull16,cylinder", "sat": "mixed-kinds,box,polygon8",
}
PAIRS = {2: 6000, 3: 2500}  # of a workload, by dimension; a sixth of them of manifold
COUNTS = ["pairs", "unsupported", "graded", "wrong", "beyond_1e3", "nan", "hung", "crashed", "unasked", "capped"]


def header(path):
    """The line that the adapter begins with; None if its package is not installed."""
    run = subprocess.run(["node", path], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=ROOT)
    return json.loads(run.stdout.split("\n")[0]) if run.returncode == 0 else None


def groups(about):
    """Queries that one command asks, with the families that belong to them."""
    still = [query for query in STILL if query in about["queries"]]
    return [("still", still)] + [(query, [query]) for query in ("toi", "manifold") if query in about["queries"]]


def command(name, about, group, queries, workload):
    return ["verify", "--contender-program", f"node adapters/npm/{name}.mjs", "--contender", about["name"],
            "--dim", str(about["dims"][0]), "--query", ",".join(queries), "--workload", workload,
            "--family", FAMILIES[group], "--pairs", str(PAIRS[about["dims"][0]] // (6 if group == "manifold" else 1)),
            "--audit", "0"]


def verify(program, name, about):
    found = {}
    for group, queries, workload in [(*group, workload) for group in groups(about) for workload in WORKLOADS[name].split(",")]:
        words = command(name, about, group, queries, workload)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            run = subprocess.run([program, *words, "--json", file], capture_output=True, text=True, cwd=ROOT)
            if not file.exists():
                sys.exit(f"{name}: {run.stderr[-400:]}")
            result = json.loads(file.read_text())
        for query in queries:
            rows = [row for row in result["rows"] if row["query"] == query]
            before = found.get(query, {field: 0 for field in COUNTS})
            found[query] = {field: before[field] + sum(row[field] for row in rows) for field in COUNTS}
            print(name, workload, query, found[query], flush=True)
    return {"version": about["version"], "licence": about["licence"], "precision": about["precisions"][0],
            "dim": about["dims"][0],
            "date": result["context"]["date"][:10], "tau": about.get("tau", 0), "queries": found}


def renew(program, names):
    all_names = [name for name in sorted(path.stem for path in HERE.glob("*.mjs")) if name not in ("common", "rapier")]
    for name in names or all_names:
        if name not in all_names:
            sys.exit(f"peers.py: no adapter '{name}' ({', '.join(all_names)})")
        about = header(HERE / (name + ".mjs"))
        found = verify(pathlib.Path(program).resolve(), name, about) if about else None
        kept = {**(json.loads(KEPT.read_text()) if KEPT.exists() else {}), name: found} # as it is now: others may run
        KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")


def share(part, whole):
    return "–" if whole == 0 else "0" if part == 0 else f"{100 * part / whole:.2g}%"


def table(kept):
    rows = [["package", "query", "answered", "graded", "wrong", "off by > 0.001 S", "no answer", "granted"],
            ["---"] * 2 + ["---:"] * 6]
    for name, one in sorted(kept.items()):
        if one is None:
            rows.append([name, "not tried"] + [""] * 6)
            continue
        for query, found in one["queries"].items():
            tau = one["tau"] if isinstance(one["tau"], (int, float)) else one["tau"].get(query, 0)
            missing = found["nan"] + found["hung"] + found["crashed"] + found["unasked"] + found["capped"]
            rows.append([f"{name} {one['version']} ({one['licence']}, {one['precision']})", query,
                         f"{found['pairs'] - found['unsupported']:,}",
                         f"{found['graded']:,}", f"{found['wrong']:,} ({share(found['wrong'], found['graded'])})",
                         f"{found['beyond_1e3']:,}", f"{missing:,}", f"{tau:g}"])
    dates = sorted({one["date"] for one in kept.values() if one})
    when = f"Verified {dates[0]}." if len(dates) == 1 else f"Verified from {dates[0]} to {dates[-1]}." if dates else "None was tried."
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n\n" + when


def rewritten(text, kept):
    before, rest = text.split(BEGIN)
    return before + BEGIN + "\n" + table(kept) + "\n" + END + rest.split(END, 1)[1]


def main(words):
    if words and words[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    if words and words != ["--check"]:
        renew(words[0], words[1:])
    before = PAGE.read_text()
    after = rewritten(before, json.loads(KEPT.read_text()))
    if words == ["--check"] and before != after:
        print(f"{PAGE.relative_to(ROOT)} is not what {KEPT.relative_to(ROOT)} gives: run adapters/npm/peers.py")
        return 1
    PAGE.write_text(after)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
