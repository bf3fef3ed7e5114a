#!/usr/bin/env python3
"""Verifies the packages of npm, and MuJoCo as packaged, and writes what came out into docs/peers.md.

usage: peers.py                        write the table from results.json
       peers.py --check                exit 1 if the page is not what results.json gives, or if a row has too few pairs
       peers.py GJKBENCH [NAME...]     verify all, or these, with this program (an hour), keep it in results.json, and
                                       write the table; what is not installed is kept as not tried
       peers.py --more GJKBENCH [NAME...]    the same, but go on from what results.json has, if a row has too few pairs

Each query is asked in rounds, of the seeds 1, 2, ..., until LEAST of its pairs were graded. Counts do not depend on the
machine. Times are not looked at.
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
    "p2-es": "mixed-kinds,box,polygon8", "physx-js-webidl": "mixed-kinds,box,hull16", "planck": "mixed-kinds,polygon8",
    "rapier2d": "mixed-kinds,polygon8", "rapier3d": "mixed-kinds,hull16,cylinder", "sat": "mixed-kinds,box,polygon8",
    "mujoco": "mixed-kinds,box,hull16,cylinder",
}
# Contenders of gjkbench's own that have no league of 10,000 pairs a query, with what they grant (contenders/libraries).
BUILT_IN = {"mujoco": {"dims": [3], "queries": ["intersect", "penetration", "manifold"], "tau": 1e-6}}
# Of a workload and round, by package or dimension: more where a round of fewer would not do, since rounds cost starts.
PAIRS = {2: 6000, 3: 2500, "crashcat": 5000, "jolt-physics": 5000, "physx-js-webidl": 6500}
# Which files under wrong repeat wrong answers of a row, without the adapter. Those of signed_distance are distances and
# depths.
REPEATED = {
    "cannon-es": {"intersect": "cannon-inside"},
    "crashcat": {"distance": "crashcat-distance", "intersect": "crashcat-cylinders", "penetration": "crashcat-depth",
                 "toi": "crashcat-cast"},
    "detect-collisions": {"penetration": "detect-collisions-concentric"},
    "jolt-physics": {"intersect": "jolt-same", "distance": "jolt-distance", "penetration": "jolt-cylinders",
                     "signed_distance": "jolt-distance,jolt-cylinders", "toi": "jolt-cast"},
    "matter-js": {"penetration": "matter-axes,matter-normal"},
    "mujoco": {"intersect": "mujoco", "penetration": "mujoco", "manifold": "mujoco"},
    "p2-es": {"intersect": "p2-circle"},
    "physx-js-webidl": {"intersect": "physx-small", "distance": "physx-needles",
                        "penetration": "physx-depth,physx-concentric", "signed_distance": "physx-needles,physx-depth",
                        "toi": "physx-sweep"},
    "planck": {"toi": "planck-toi", "manifold": "planck-edge"},
    "rapier2d": {"intersect": "rapier2d-intersect", "distance": "rapier2d-distance", "penetration": "rapier2d-depth",
                 "signed_distance": "rapier2d-distance,rapier2d-depth", "toi": "rapier2d-toi"},
    "rapier3d": {"intersect": "rapier3d-intersect", "distance": "rapier3d-distance", "penetration": "rapier3d-depth",
                 "signed_distance": "rapier3d-distance,rapier3d-depth", "toi": "rapier3d-toi"},
    "sat": {"penetration": "sat-concentric"},
}
LEAST, ROUNDS = 10000, 20   # pairs graded in each row, and the rounds after which it is given up
COUNTS = ["pairs", "unsupported", "graded", "wrong", "beyond_1e3", "nan", "hung", "crashed", "unasked", "capped"]


def header(program, name):
    """What the adapter, or the line of `gjkbench list`, says of a package; None if it is not installed."""
    if name in BUILT_IN:
        listed = subprocess.run([program, "list"], capture_output=True, text=True, cwd=ROOT).stdout.split("\n")
        for words in (line.split() for line in listed if line.startswith(f"  {name} ")):
            return {"name": name, "version": words[1], "licence": words[2], "precisions": [words[4]], **BUILT_IN[name]}
        return None
    run = subprocess.run(["node", HERE / (name + ".mjs")], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return json.loads(run.stdout.split("\n")[0]) if run.returncode == 0 else None


def groups(about):
    """Queries that one command asks, with the families that belong to them."""
    still = [query for query in STILL if query in about["queries"]]
    return [("still", still)] + [(query, [query]) for query in ("toi", "manifold") if query in about["queries"]]


def command(about, name, group, queries, workload, seed):
    pairs = PAIRS.get(name, PAIRS[about["dims"][0]])
    asked_by = [] if name in BUILT_IN else ["--contender-program", f"node adapters/npm/{name}.mjs"]
    return ["verify", *asked_by, "--contender", about["name"], "--dim", str(about["dims"][0]),
            "--query", ",".join(queries), "--workload", workload, "--family", FAMILIES[group],
            "--pairs", str(pairs), "--seed", str(seed), "--audit", "0"]


def asked(program, words):
    """The result of one command."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "result.json"
        run = subprocess.run([program, *words, "--json", file], capture_output=True, text=True, cwd=ROOT)
        if not file.exists():
            sys.exit(f"{' '.join(words)}: {run.stderr[-400:]}")
        return json.loads(file.read_text())


def verify(program, name, about, kept):
    """Asks on from what is kept until all queries have enough pairs; yields what there is after each round."""
    found, date = kept.get("queries", {}), kept.get("date")
    for group, queries in groups(about):
        for seed in range(1, ROUNDS + 1):
            due = [query for query in queries if found.get(query, {}).get("rounds", 0) < seed
                   and found.get(query, {}).get("graded", 0) < LEAST]
            for workload in WORKLOADS[name].split(",") if due else []:
                result = asked(program, command(about, name, group, due, workload, seed))
                date = result["context"]["date"][:10]
                for query in due:
                    rows = [row for row in result["rows"] if row["query"] == query]
                    before = found.get(query, {})
                    found[query] = {field: before.get(field, 0) + sum(row[field] for row in rows) for field in COUNTS}
                    found[query]["rounds"] = seed
                    print(name, seed, workload, query, found[query], flush=True)
            if due:
                yield {"version": about["version"], "licence": about["licence"], "precision": about["precisions"][0],
                       "dim": about["dims"][0], "date": date, "tau": about.get("tau", 0),
                       "tau_relative": about.get("tau_relative", 0), "queries": found}


def renew(program, names, more):
    program = pathlib.Path(program).resolve()
    all_names = sorted({path.stem for path in HERE.glob("*.mjs")} - {"common", "rapier"} | set(BUILT_IN))
    for name in names or all_names:
        if name not in all_names:
            sys.exit(f"peers.py: no adapter '{name}' ({', '.join(all_names)})")
        about, before = header(program, name), read().get(name) if more else None
        for found in verify(program, name, about, before or {}) if about else [None]:
            kept = {**read(), name: found}  # as it is now: others may run
            KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")


def read():
    return json.loads(KEPT.read_text()) if KEPT.exists() else {}


def granted(tau, query):
    return tau if isinstance(tau, (int, float)) else tau.get(query, 0)


def promise(one, query):
    """What is granted: a length, a part of the pair's size, or both."""
    length, part = granted(one["tau"], query), granted(one.get("tau_relative", 0), query)
    return f"{length:g}" if not part else f"{part:g} S" if not length else f"{length:g} + {part:g} S"


def repeated(name, query):
    return [file for file in REPEATED.get(name, {}).get(query, "").split(",") if file]


def path_of(file):
    return HERE / "wrong" / (file + (".py" if file in BUILT_IN else ".mjs"))


def links(name, query):
    return ", ".join(f"[{file.split('-')[-1]}](../{path_of(file).relative_to(ROOT)})" for file in repeated(name, query))


def rows_of(kept):
    return [(name, query, found) for name, one in sorted(kept.items()) if one
            for query, found in (one["queries"] or {"any query": {"graded": 0, "wrong": 0}}).items()]


def faults_of(kept):
    """Rows of too few pairs, or with wrong answers of which none is repeated, and files that repeat those of no row."""
    rows, files = rows_of(kept), {path.stem for path in HERE.glob("wrong/*.*")}
    few = [f"{name}: {query} has {found['graded']} graded pairs, not {LEAST}" for name, query, found in rows
           if found["graded"] < LEAST]
    alone = [f"{name}: no file in adapters/npm/wrong repeats a wrong answer of {query}" for name, query, found in rows
             if found["wrong"] and not set(repeated(name, query)) & files]
    used = {file for queries in REPEATED.values() for names in queries.values() for file in names.split(",")}
    return few + alone + [f"{path_of(file).relative_to(ROOT)} repeats the answer of no row, or is not there"
                          for file in sorted(files ^ used)]


def share(part, whole):
    return "–" if whole == 0 else "0" if part == 0 else f"{100 * part / whole:.2g}%"


def table(kept):
    rows = [["package", "query", "answered", "graded", "wrong", "off by > 0.001 S", "no answer", "granted", "repeated"],
            ["---"] * 2 + ["---:"] * 6 + ["---"]]
    for name, one in sorted(kept.items()):
        if one is None:
            rows.append([name, "not tried"] + [""] * 7)
            continue
        for query, found in one["queries"].items():
            missing = found["nan"] + found["hung"] + found["crashed"] + found["unasked"] + found["capped"]
            rows.append([f"{name} {one['version']} ({one['licence']}, {one['precision']})", query,
                         f"{found['pairs'] - found['unsupported']:,}",
                         f"{found['graded']:,}", f"{found['wrong']:,} ({share(found['wrong'], found['graded'])})",
                         f"{found['beyond_1e3']:,}", f"{missing:,}", promise(one, query),
                         links(name, query) if found["wrong"] else ""])
    dates = sorted({one["date"] for one in kept.values() if one})
    when = f"Verified from {dates[0]} to {dates[-1]}." if len(dates) > 1 else f"Verified {(dates or ['never'])[0]}."
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n\n" + when


def rewritten(text, kept):
    before, rest = text.split(BEGIN)
    return before + BEGIN + "\n" + table(kept) + "\n" + END + rest.split(END, 1)[1]


def main(words):
    if words and words[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    more = words[:1] == ["--more"]
    if words[more:] and words != ["--check"]:
        renew(words[more], words[more + 1:], more)
    before = PAGE.read_text()
    after = rewritten(before, read())
    if words == ["--check"]:
        faults = faults_of(read())
        if before != after:
            faults.append("docs/peers.md is not what adapters/npm/results.json gives: run adapters/npm/peers.py")
        print("\n".join(faults))
        return 1 if faults else 0
    PAGE.write_text(after)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
