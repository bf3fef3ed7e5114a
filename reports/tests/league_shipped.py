#!/usr/bin/env python3
"""Is everybody in the league table that ships? An entry with times for each contender, query and dimension that this
build has; contenders that it lacks are skipped. Where it fails, make the table again: data/README.md says how."""
import json
import subprocess
import sys

program, path = sys.argv[1:3]
known = json.loads(subprocess.run([program, "list", "--json"], capture_output=True, text=True, check=True).stdout)
with open(path) as file:
    entries = json.load(file)["entries"]
classes = ("far", "deep", "mixed")
moving = ("sweep", "toi")  # whose pairs have families instead, of which some take few
checks = failures = 0


def check(truth, what):
    global checks, failures
    checks += 1
    print(("ok - " if truth else "not ok - ") + what, flush=True)
    failures += not truth


def timed(entry):
    """At hulls or, who takes none, at boxes."""
    kept = [entry.get(key, {}) for key in ("classes", "box_classes")]
    return any(kept) if entry["query"] in moving else any(all(name in k for name in classes) for k in kept)


for contender in known["contenders"]:
    lacking = []
    for dim in contender["dims"]:
        for query in contender["queries"]:
            if query == "manifold":  # which a run asks for by name alone
                continue
            own = [e for e in entries if (e["contender"], e["query"], e["dim"]) == (contender["name"], query, dim)]
            if not own:
                lacking.append(f"{dim}D {query}: no entry")
            elif not any(e["graded"] > 0 for e in own):
                lacking.append(f"{dim}D {query}: nothing graded")
            elif not any(timed(e) for e in own):
                lacking.append(f"{dim}D {query}: no times of {'how it moves' if query in moving else ', '.join(classes)}")
    check(not lacking, contender["name"] + (": " + "; ".join(lacking) if lacking else ""))

listed = {c["name"] for c in known["contenders"]}
for name in sorted({e["contender"] for e in entries} - listed):
    if known["missing"]:
        checks += 1
        print(f"ok - {name} # SKIP not in this build", flush=True)
    else:
        check(False, f"{name}: in the table, and no contender of this build, which lacks none")
print(f"1..{checks}")
sys.exit(failures > 0)
