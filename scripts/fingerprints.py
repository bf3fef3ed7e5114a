"""Prints one line per distinct case of `verify --json` tables of the batched
kernels, with its fingerprint; fails when backends disagree on one."""
import json
import sys

rows = []
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as table:
        rows += [r for r in json.load(table)["rows"] if r["contender"] == "batch"]

cases = {}
for row in rows:
    case = " ".join(str(row.get(key, "-")) for key in ("dim", "query", "precision", "workload", "family", "pairs"))
    cases.setdefault(case, {}).setdefault(str(row["fingerprint"]), []).append(row["backend"])

differing = 0
for case, prints in sorted(cases.items()):
    if len(prints) > 1:
        differing += 1
        print(f"{case}: backends differ: {prints}", file=sys.stderr)
    print(case, *sorted(prints))

if not cases:
    print("no fingerprints in the table", file=sys.stderr)
    sys.exit(99)
backends = sorted({row["backend"] for row in rows})
print(f"{len(cases)} cases on {', '.join(backends)}", file=sys.stderr)
if differing:
    sys.exit(f"{differing} of {len(cases)} cases differ between backends")
