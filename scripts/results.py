#!/usr/bin/env python3
"""Writes the tables of results in README.md and docs/results.md from the files in data/results.

usage: results.py                      write the tables from the kept files
       results.py --check              exit 1 if a page is not what the kept files give
       results.py --renew GJKBENCH [NAME...]   measure all, or these, again with this program (minutes), keep it, write
                                       the tables
       results.py --keep NAME FILE     keep FILE, which the command NAME wrote by --json, and write the tables

A table goes between `<!-- results: all NAME -->` (or `brief 2d`) and `<!-- end -->`. A kept file is what `gjkbench bench --json`
wrote, less the fields that no table needs; `gjkbench report` and `gjkbench convert` read it.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / "data/results"
PAGES = [ROOT / "README.md", ROOT / "docs/results.md"]
OURS = "batch"
RIGHT = 1e-3  # of a library's graded answers, the share that may be wrong

REST = "--query intersect,distance,penetration"
LIE = "--family far,near,touching,shallow,deep,mixed,parallel"
USUAL = "--backend avx512,avx2 --threads 1 --min-time 40ms"
HULLS = "batch,libccd-gjk,libccd-mpr,bullet-gjkepa,fcl-libccd"
COMMANDS = {
    "rest-2d": f"--dim 2 {REST} {LIE} --workload polygon8,box --shapes 4096 --precision f32,f64 "
               f"--contender batch,box2d,chipmunk {USUAL}",
    "rest-3d": f"--dim 3 {REST} {LIE} --workload box,hull16 --shapes 4096 --precision f32,f64 "
               f"--contender batch,libccd-gjk,libccd-mpr,ode-boxbox,bullet-gjkepa,bullet-mpr,bullet-pair,fcl-libccd {USUAL}",
    "call-2d": f"--dim 2 {REST} --family mixed --workload polygon8,mixed-kinds --shapes 4096 --batch 1,16,64,256,4096 "
               f"--precision f32,f64 --contender batch,box2d,chipmunk {USUAL}",
    "call-3d": f"--dim 3 {REST} --family mixed --workload hull16,mixed-kinds --shapes 4096 --batch 1,16,64,256,4096 "
               f"--precision f32,f64 --contender {HULLS} {USUAL}",
    "large-3d": f"--dim 3 {REST} --family mixed,deep,touching --workload hull32,hull128,hull512 --shapes 1024 "
                f"--precision f32,f64 --contender {HULLS} {USUAL}",
    "curved-3d": f"--dim 3 {REST} --family mixed --workload ellipsoid,cylinder,cone --shapes 4096 --precision f32,f64 "
                 f"--contender batch,bullet-gjkepa,fcl-libccd,fcl-indep,libccd-gjk,libccd-mpr {USUAL}",
    "motion": "--query toi --workload box,polygon8,polygon64,hull16 --family approach,approach-turn,slow,resting "
              "--shapes 4096 --precision f32,f64 --contender "
              f"batch,box2d,box2d-cast,bullet-ccd,bullet-simplexcast,fcl-libccd,fcl-indep {USUAL}",
    "recorded": f"{REST},toi --workload box2d-pile,box2d-pyramid,box2d-tumbler,box2d-ragdolls,box2d-level,"
                "bullet-heap,bullet-stack,bullet-rollers,bullet-pieces,bullet-rest "
                "--precision f32,f64 --contender "
                f"batch,box2d,chipmunk,bullet-gjkepa,libccd-gjk,libccd-mpr,ode-boxbox,fcl-libccd,bullet-ccd {USUAL}",
    "shapes": f"--dim 2 {REST} --family mixed --workload polygon8 --shapes 4096,65536,1M --precision f32 "
              f"--contender batch,box2d {USUAL}",
    "sweep": "--query sweep --family box-sweep --workload box --shapes 4096,1M --precision f32 "
             f"--contender batch,box2d-ray,bullet-ray {USUAL}",
    "warm": f"{REST},toi --workload bullet-heap,bullet-rest,box2d-pile,box2d-pyramid,box2d-tumbler --coherence cold,warm "
            "--contender batch --backend avx512 --precision f32 --threads 1 --min-time 40ms",
}
CONTEXT = ["date", "executable", "version", "library_build_type", "mhz_per_cpu", "caches", "cpu", "num_cpus", "compiler",
           "flags", "commit", "commit_date", "load_avg", "seed"]
ROW = ["name", "iterations", "real_time", "cpu_time", "time_unit", "contender", "backend", "precision", "dim", "query",
       "workload", "family", "shapes", "pairs_per_call", "coherence", "ns_per_pair", "ns_low", "ns_high", "graded", "wrong_rate", "wrong_rate_1e3"]
CURVED = ("ellipsoid", "cylinder", "cone")
BRIEF = {  # rows of README: kinds of shapes, query, usual pairs
    2: [("", "intersect", "polygon8 mixed"), ("", "distance", "polygon8 mixed"), ("", "penetration", "polygon8 mixed"),
        ("", "toi", "polygon8 approach-turn")],
    3: [("", "intersect", "hull16 mixed"), ("", "distance", "hull16 mixed"), ("", "penetration", "hull16 mixed"),
        ("", "toi", "hull16 approach-turn"), ("curved", "intersect", "ellipsoid mixed"),
        ("curved", "distance", "ellipsoid mixed"), ("curved", "penetration", "ellipsoid mixed")],
}


def shortened(value):
    """Five digits of a time: its interval is wider."""
    return float(f"{value:.5g}") if isinstance(value, float) else value


def keep(name, measured):
    context = {key: measured["context"][key] for key in CONTEXT if key in measured["context"]}
    context["command"] = f"gjkbench bench {COMMANDS[name]} --json {name}.json"
    rows = [json.dumps({key: shortened(row[key]) for key in ROW if key in row}) for row in measured["benchmarks"]]
    KEPT.mkdir(parents=True, exist_ok=True)
    (KEPT / f"{name}.json").write_text(f'{{"context": {json.dumps(context)},\n"benchmarks": [\n' + ",\n".join(rows) + "\n]}\n",
                                       encoding="utf-8")


def renew(program, names):
    for name in names or COMMANDS:
        command = COMMANDS[name]
        print(f"results: {name}", file=sys.stderr)
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            done = subprocess.run([program, "bench", *command.split(), "--json", out.name], stdout=subprocess.DEVNULL)
            if done.returncode:
                sys.exit(f"results: {name}: gjkbench exits with {done.returncode}")
            keep(name, json.loads(pathlib.Path(out.name).read_text(encoding="utf-8")))


def load(name):
    return json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))


def wrong(row):
    """The share of answers that are off by more than 1e-3 S; of times of impact, which stop at a documented distance,
    by more than the library grants itself. None if no answer was graded."""
    return row.get("wrong_rate" if row["query"] == "toi" else "wrong_rate_1e3")


class Case:
    """One case: the time of ours, of the fastest other library that is right, and of the fastest of all others."""
    def __init__(self, rows):
        first = rows[0]
        self.dim, self.query, self.workload, self.family = (first[key] for key in ("dim", "query", "workload", "family"))
        self.shapes, self.call = first["shapes"], first["pairs_per_call"]
        others = sorted((r for r in rows if r["contender"] != OURS), key=lambda r: r["ns_per_pair"])
        self.ours = min((r for r in rows if r["contender"] == OURS), key=lambda r: r["ns_per_pair"], default=None)
        self.right = next((r for r in others if (wrong(r) or 0) <= RIGHT), None)
        self.fastest = others[0] if others else None
        if self.ours and self.ours.get("wrong_rate"):
            sys.exit(f"results: {self.ours['name']}: an answer of ours is wrong")

    def ratio(self, other):
        return other["ns_per_pair"] / self.ours["ns_per_pair"]


def cases(*names):
    found = {}
    for name in names:
        for row in load(name)["benchmarks"]:
            key = tuple(row[k] for k in ("dim", "query", "workload", "family", "shapes", "pairs_per_call"))
            found.setdefault(key, []).append(row)
    return [case for case in map(Case, found.values()) if case.ours]


def digits(value):
    """Two digits, as the noise allows no more."""
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.995 else f"{value:.2f}"


def ns(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def percent(share):
    return f"{100 * share:.0f}%" if share >= 0.0995 else f"{100 * share:.1f}%"


def table(heads, rows, right=()):
    rule = ["---:" if head in right else "---" for head in heads]
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, rule, *rows])


def times(case, other):
    return f"{digits(case.ratio(other))}×"


def on(case):
    return case.workload if case.family == "recorded" else f"{case.workload} {case.family}"


def origin(name):
    c = load(name)["context"]
    load_avg = f", load {c['load_avg'][0]:.1f}" if "load_avg" in c else ""
    return (f"Measured on {c['date'][:10]} at commit {c['commit']}: {c['cpu']}, {c['num_cpus']} shared processors{load_avg}, "
            f"{c['compiler']}.")


def wrapped(text, width=98, more=" \\", indent="    "):
    lines = [""]
    for word in re.findall(r"--\S+ [^-\s]\S*|\S+", text):  # an option stays with its value
        if lines[-1].strip() and len(lines[-1]) + len(word) + 1 > width:
            lines[-1] += more
            lines.append(indent + word)
        else:
            lines[-1] += (" " if lines[-1] else "") + word
    return "\n".join(lines)


def whole(name):
    """Every case of a file, a line each, and where it comes from."""
    rows = []
    for case in cases(name):
        other, same = case.right, case.right is case.fastest
        many = name in ("shapes", "sweep", "call-2d", "call-3d")
        rows.append([f"{case.query} {case.dim}D", on(case)] + ([f"{case.shapes:,}", f"{case.call:,}"] if many else []) +
                    [ns(case.ours["ns_per_pair"]), other["contender"] if other else "none",
                     times(case, other) if other else "",
                     "" if same else f"{case.fastest['contender']}, {percent(wrong(case.fastest))} wrong",
                     "" if same else times(case, case.fastest)])
    heads = ["query", "pairs"] + (["shapes", "pairs a call"] if many else []) + \
            ["ours, ns", "fastest right", "ratio", "faster, but wrong", "its ratio"]
    return f"{wrapped(origin(name), more='', indent='')}\n\n```\n{wrapped(load(name)['context']['command'])}\n```\n\n" + \
        table(heads, rows, ("ours, ns", "ratio", "its ratio", "shapes", "pairs a call"))


def warm():
    found = {}
    for row in load("warm")["benchmarks"]:
        start = row.get("coherence") or ("warm" if "/warm" in row["name"] else "cold")
        found.setdefault((row["query"], row["workload"], row["dim"]), {})[start] = row["ns_per_pair"]
    rows = [[f"{query} {dim}D", workload, ns(both["cold"]), ns(both["warm"]), f"{digits(both['cold'] / both['warm'])}×"]
            for (query, workload, dim), both in found.items()]
    return f"{wrapped(origin('warm'), more='', indent='')}\n\n```\n{wrapped(load('warm')['context']['command'])}\n```\n\n" + \
        table(["query", "recorded scene", "cold, ns", "warm, ns", "gain"], rows, ("cold, ns", "warm, ns", "gain"))


def named(case):
    """`4.9× (1.1×) hull16 mixed`: the ratio to the fastest right library, in brackets to a faster one that is wrong."""
    faster = "" if case.fastest is case.right else f" ({times(case, case.fastest)})"
    return f"{times(case, case.right)}{faster} {on(case)}"


def fits(case, kinds, query):
    return case.query == query and case.right and (case.workload in CURVED) == (kinds == "curved")


def brief(dim):
    """Of each query: usual pairs, then the best and the worst of all kept cases, and one pair a call."""
    names = [f"rest-{dim}d", *(["large-3d", "curved-3d"] if dim == 3 else []), "recorded", "motion"]
    every = [c for c in cases(*names) if c.dim == dim]
    single = [c for c in cases(f"call-{dim}d") if c.call == 1]
    rows = []
    for kinds, query, usual in BRIEF[dim]:
        of, ones = ([c for c in group if fits(c, kinds, query)] for group in (every, single))
        if not of:
            continue
        against_right = lambda c: c.ratio(c.right)
        against_all = lambda c: c.ratio(c.fastest)
        middle = next(c for c in of if on(c) == usual)
        row = [f"{query}{', curved' if kinds else ''}"]
        row += [named(c) for c in (middle, max(of, key=against_right), min(of, key=against_right))]
        if dim == 3:
            low = min(of, key=against_all)
            row.append(f"{times(low, low.fastest)} {on(low)}")
        one = min(ones, key=against_right, default=None)
        rows.append(row + [named(one).removesuffix(" mixed") if one else "–"])
    heads = ["query", "usual pairs", "best case", "worst case"] + (["worst, all libraries"] if dim == 3 else [])
    commits = sorted({load(name)["context"]["commit"] for name in [*names, f"call-{dim}d"]})
    c = load(names[0])["context"]
    return table(heads + ["worst, one pair a call"], rows) + "\n\n" + wrapped(
        f"Measured on {c['date'][:10]} at commit {' and '.join(commits)}: {c['cpu']}, one core, {c['compiler']}. "
        f"The commands are in [results.md](docs/results.md) under {', '.join([*names, f'call-{dim}d'])}.",
        width=100, more="", indent="")


def made(form, name):
    if form == "brief":
        return brief(int(name[0]))
    return warm() if name == "warm" else whole(name)


def rewritten(text):
    return re.sub(r"(<!-- results: (all|brief) ([a-z0-9-]+) -->\n).*?(<!-- end -->)",
                  lambda match: f"{match[1]}{made(match[2], match[3])}\n{match[4]}", text, flags=re.S)


def main(words):
    if len(words) >= 2 and words[0] == "--renew" and all(name in COMMANDS for name in words[2:]):
        renew(words[1], words[2:])
    elif len(words) == 3 and words[0] == "--keep" and words[1] in COMMANDS:
        keep(words[1], json.loads(pathlib.Path(words[2]).read_text(encoding="utf-8")))
    elif words not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    stale = []
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = rewritten(before)
        if "<!-- results: " not in before:
            stale.append(f"{page.name} has no table of results")
        elif before != after and words == ["--check"]:
            stale.append(f"{page.name} is not what data/results gives; run scripts/results.py")
        elif before != after:
            page.write_text(after, encoding="utf-8")
    print("\n".join(stale) or "README.md and docs/results.md have the tables that data/results gives")
    return 1 if stale else 0


sys.exit(main(sys.argv[1:]))
