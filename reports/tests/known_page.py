#!/usr/bin/env python3
"""docs/known-failures.md is what 'replay --table markdown' prints, in the cases and in the columns of ours; those of
libraries depend on their versions. usage: known_page.py GJKBENCH SOURCE-FOLDER"""
import pathlib
import subprocess
import sys

program, root = sys.argv[1], pathlib.Path(sys.argv[2])
OURS = ("batch", "reference")


def tables(text):
    """Rows of the tables of cases: {(heading, case): {contender: cell}}."""
    rows, heading, names = {}, "", []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("## "):
            heading, names = line, []
        elif line.startswith("| case |"):
            names = cells
        elif not line.startswith("|"):
            names = []
        elif names and not line.startswith("|---"):
            assert len(cells) == len(names), line
            rows[heading, cells[0]] = {name: cell for name, cell in zip(names, cells) if name in OURS}
    return rows


answered = subprocess.run(
    [program, "replay", root / "data/known-failures", root / "data/wrong-answers", "--contender", ",".join(OURS), "--table",
     "markdown"], check=True, capture_output=True, text=True).stdout
printed, page = tables(answered), tables((root / "docs/known-failures.md").read_text(encoding="utf-8"))
failures = [f"{at}: {printed.get(at)} is printed, {page.get(at)} stands in docs/known-failures.md"
            for at in sorted(printed.keys() | page.keys()) if printed.get(at) != page.get(at)]
failures += [f"{at}: ours is wrong" for at, row in printed.items() if any("✗" in cell for cell in row.values())]
files = len(list((root / "data/wrong-answers").glob("*.json")))
if len(printed) < 90 + files:
    failures.append(f"{len(printed)} rows, of 90 known failures and {files} wrong answers")
if failures:
    sys.exit("\n".join(failures) + "\nscripts/known-failures.sh writes the page again")
