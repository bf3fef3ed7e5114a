#!/usr/bin/env python3
"""The command `properties`: its list is the page's table, exit codes, saved pairs, Ctrl-C.
usage: properties.py GJKBENCH DOCS-FOLDER"""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

program, docs = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*words):
    return subprocess.run([program, "properties", *words], capture_output=True, text=True)


def expect(condition, *what):
    if not condition:
        sys.exit("\n".join(str(w) for w in what))


# The page ends with the table as the program has it.
table = run("--list", "--markdown")
expect(table.returncode == 0 and table.stdout.count("\n") > 30, table)
expect((docs / "properties.md").read_text().endswith(table.stdout), "docs/properties.md: its table is not that of 'properties --markdown'")
listed = json.loads(run("--list", "--json", "-").stdout)["properties"]
names = [row["name"] for row in listed]
expect(len(names) == len(set(names)) == table.stdout.count("\n") - 2, names)
expect(all(row[key] for row in listed for key in ("statement", "where", "tolerance", "why", "queries", "dims")), listed)

wrong = run("--property", "sawp")
expect(wrong.returncode == 2 and "did you mean 'swap'" in wrong.stderr and wrong.stderr.count("\n") == 1, wrong)
expect(run("--pairs", "0").returncode == 2)
nothing = run("--contender", "textbook-gjk2", "--query", "penetration", "--pairs", "8")
expect(nothing.returncode == 2 and "nothing to check" in nothing.stderr, nothing)

ours = run("--contender", "batch", "--property", "swap,closed-form", "--pairs", "48", "--precision", "f32", "--json", "-")
rows = json.loads(ours.stdout)["properties"]
expect(ours.returncode == 0 and {row["property"] for row in rows} == {"swap", "closed-form"}, ours)
expect(all(row["checked"] and not row["violated"] and row["precision"] == "f32" for row in rows), rows)

# Others may violate what they like; their pairs are scenes that can be run again.
with tempfile.TemporaryDirectory() as folder:
    other = run("--contender", "textbook-epa2", "--family", "deep,mixed", "--pairs", "96", "--out", folder, "--json", f"{folder}/all.json")
    expect(other.returncode == 0, other)
    rows = json.loads(pathlib.Path(folder, "all.json").read_text())["properties"]
    violated = {row["property"] for row in rows if row["violated"]}
    expect(violated, "textbook-epa2 violates nothing: its tolerance of 0.05 must show")
    pathlib.Path(folder, "all.json").unlink()
    saved = sorted(pathlib.Path(folder).iterdir())
    expect(saved, "nothing was saved")
    scene = json.loads(saved[0].read_text())
    expect(scene["x-property"]["name"] in violated and len(scene["x-answers"]) >= 2, scene)
    again = subprocess.run([program, "replay", str(saved[0]), "--contender", "batch"], capture_output=True, text=True)
    expect(again.returncode == 0, again)

# Ctrl-C prints what is done.
with subprocess.Popen([program, "properties", "--contender", "batch", "--pairs", "100k"], stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, text=True) as child:
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=120)
expect(child.returncode == 130 and "interrupted" in out and not err, child.returncode, out, err)
