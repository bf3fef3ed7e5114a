#!/usr/bin/env python3
"""Faults by hand still find their places; faults by rule are what they say; a switch does what the edit does that it
stands for; and what is missing or wrong is named. usage: selftest.py GJKBENCH SOURCE COMPILER..."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from common import check, failed, program

source, compiler = sys.argv[2], sys.argv[3:]
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(source, "scripts", "selftest"))
import mutate  # noqa: E402
import switch  # noqa: E402


def run(*words, env=None):
    return subprocess.run([program, "selftest", *words], capture_output=True, text=True, env=env)


# ---- the table ----

done = run("--check", "--source", source)
check(done.returncode == 0, "each fault made by hand finds its old text once", done.stderr)
rows = json.load(open(os.path.join(source, "data", "faults", "hand.json"), encoding="utf-8"))["faults"]
check(len(rows) >= 48, "there are 48 faults made by hand")
rooms = {row["file"].split("/")[0] for row in rows}
check(rooms >= {"simd", "reference", "grading", "contenders"}, "they are of every room that answers or grades", rooms)
check(all(row["old"] != row["new"] for row in rows), "each changes something")

head = subprocess.run(f"'{program}' selftest --list --source '{source}' | head -n 1", shell=True,
                      capture_output=True, text=True)
check(head.stdout.count("\n") == 1 and not head.stderr, "a pipe that reads one line leaves no traceback", head.stderr)

# ---- faults by rule ----

TEXT = r"""
/* a < b in a comment */
#define HALF (1 / 2)
static const char *words = "x + y";
static int first(int a, int b, int *out)
{
    const int sum = a + b, other = out[1];
    if (a < b && !other) // c >= d
        out[0] = sum;
    else
        out[0] -= 2;
    for (int i = 0; i < a; i++)
        out[i] = HALF;
    if (a > b || a >= 9 || a <= 7 || a == 8)
        return a != b;
    return v_sub(a, b) ? 1 : 2;
}
"""
functions = mutate.changes_of(TEXT, "text.c")
check([name for name, _ in functions] == ["first"], "functions are found", functions)
changes = functions[0][1]
found = {(change.old, change.new) for change in changes}
for old, new in [("a + b", "a - b"), ("a < b && !other", "a <= b && !other"), ("a < b && !other", "a < b || !other"),
                 ("a < b && !other", "!(a < b && !other)"), ("a < b && !other", "a < b && other"),
                 ("a > b || a >= 9 || a <= 7 || a == 8", "a >= b || a >= 9 || a <= 7 || a == 8"),
                 ("a > b || a >= 9 || a <= 7 || a == 8", "a > b || a > 9 || a <= 7 || a == 8"),
                 ("a > b || a >= 9 || a <= 7 || a == 8", "a > b || a >= 9 || a < 7 || a == 8"),
                 ("a > b || a >= 9 || a <= 7 || a == 8", "a > b || a >= 9 || a <= 7 || a != 8"), ("a != b", "a == b"),
                 ("out[0] = sum;", ";"), ("out[0] -= 2;", "out[0] += 2;"), ("i < a", "i <= a"), ("2", "3"),
                 ("v_sub(a, b)", "v_add(a, b)"), ("v_sub(a, b)", "v_sub(b, a)"),
                 ("v_sub(a, b) ? 1 : 2", "v_sub(a, b) ? 2 : 1")]:
    check((old, new) in found, f"'{old}' becomes '{new}'", sorted(found))
lines = {change.line for change in changes}
check(not lines & {2, 3, 4}, "comments, macros and strings are left alone", lines)
check(all(TEXT[change.start:change.end] == change.old for change in changes), "a change knows its place")
by_file = {"text.c": functions}
check([c.new for c in mutate.choose(by_file, 5, 7)] == [c.new for c in mutate.choose(by_file, 5, 7)], "a seed chooses again")

# ---- switches ----

PROGRAM = r"""
#include <stdio.h>
static int limit(int x)
{
    int kept = x;
    if (x > 3)
        kept = 3;
    else if (x < 0)
        kept = -(x + 1);
    for (int i = 0; i < 2; i++)
        kept += i * x;
    return kept;
}
int main(void)
{
    for (int x = -2; x < 6; x++)
        printf("%d ", limit(x));
    return 0;
}
"""
all_changes = dict(mutate.changes_of(PROGRAM, "p.c"))["limit"]
numbered = {change: k + 1 for k, change in enumerate(all_changes)}
text, spans, refused = switch.switched(PROGRAM, numbered)
check(not refused, "changes of one function nest", refused)
check(text.count("\n") == PROGRAM.count("\n"), "lines keep their numbers")
with tempfile.TemporaryDirectory() as folder:
    def said(body, number, name):
        with open(f"{folder}/{name}.c", "w", encoding="utf-8") as file:
            file.write(body)
        if not os.path.exists(f"{folder}/{name}"):
            subprocess.run([*compiler, "-w", f"-include{folder}/switch.h", "-o", f"{folder}/{name}", f"{folder}/{name}.c"], check=True)
        try:
            return subprocess.run([f"{folder}/{name}"], capture_output=True, timeout=10,
                                  env={**os.environ, "GJKBENCH_FAULT": str(number)}).stdout
        except subprocess.TimeoutExpired:
            return b"hangs"

    with open(f"{folder}/switch.h", "w", encoding="utf-8") as file:
        file.write(switch.HEADER)
    check(said(text, 0, "switched") == said(PROGRAM, 0, "plain"), "with no fault on nothing is changed")
    differing = 0
    for change in all_changes[::3]:
        number = numbered[change]
        edited = PROGRAM[:change.start] + change.new + PROGRAM[change.end:]
        one = said(edited, 0, f"edited{number}")
        differing += one != said(PROGRAM, 0, "plain")
        check(said(text, number, "switched") == one, f"the switch of '{change.old}' to '{change.new}' is that edit")
    check(differing > len(all_changes) / 6, "most of these change what is printed", differing)

    # ---- what is refused ----

    def table(*more):
        with open(f"{folder}/faults.json", "w", encoding="utf-8") as file:
            json.dump({"faults": [rows[0], *more]}, file)
        return run("--check", "--source", source, "--faults", f"{folder}/faults.json")

    check(table().returncode == 0, "a table of one row")
    moved = table({**rows[1], "old": "no such text"})
    check(moved.returncode == 2 and rows[1]["name"] in moved.stderr, "an old text that is gone is named", moved.stderr)
    twice = table(rows[0])
    check(twice.returncode == 2 and rows[0]["name"] in twice.stderr, "a name that is there twice", twice.stderr)
    short = table({key: value for key, value in rows[1].items() if key != "new"})
    check(short.returncode == 2 and "new" in short.stderr, "a row without its new text", short.stderr)
    for text, says in (("[]", "c.json: []"), ("{}", "c.json: faults: missing"), ('{"faults": 3}', "faults: 3"),
                       ('{"faults": []}', "there are none"), ('{"faults": [7]}', "row 1: 7"), ("[" * 5000, "c.json: "),
                       (json.dumps({"faults": [{**rows[0], "name": 5}]}), "row 1: name: 5"),
                       (json.dumps({"faults": [{**rows[0], "new": rows[0]["old"]}]}), f"{rows[0]['name']}: new: "),
                       (json.dumps({"faults": [{**rows[0], "file": ["a"]}]}), f"{rows[0]['name']}: file: [\"a\"]"),
                       (json.dumps({"faults": [{**rows[0], "file": "simd"}]}), f"{rows[0]['name']}: file: \"simd\"")):
        with open(f"{folder}/c.json", "w", encoding="utf-8") as file:
            file.write(text)
        wrong = run("--check", "--source", source, "--faults", f"{folder}/c.json")
        check(wrong.returncode == 2 and says in wrong.stderr and wrong.stderr.count("\n") == 1, f"refused: {text[:40]}", wrong.stderr)
    for words in (["--only", ""], ["--only", ","], ["--faults", ""]):
        wrong = run("--check", "--source", source, *words)
        check(wrong.returncode == 2 and wrong.stderr.count("\n") == 1, f"refused: {words}", wrong.stderr)
    away = run("--source", folder)
    check(away.returncode == 2 and "no sources" in away.stderr, "no sources", away.stderr)
    unknown = run("--source", source, "--only", "nobody")
    check(unknown.returncode == 2 and "nobody" in unknown.stderr, "an unknown fault", unknown.stderr)
    bare = f"{folder}/bin"
    os.mkdir(bare)
    os.symlink(os.path.realpath(sys.executable), f"{bare}/python3")
    missing = run("--source", source, "--work", f"{folder}/work", env={**os.environ, "PATH": bare})
    check(missing.returncode == 77 and "missing" in missing.stderr, "a missing tool is named, and 77", missing.stderr)
    os.unlink(f"{bare}/python3")
    missing = run("--source", source, env={**os.environ, "PATH": bare})
    check(missing.returncode == 77 and "python3" in missing.stderr, "so is a missing python3", missing.stderr)

# ---- the copy ----

# In a process of its own: `common` is another module there.
CONFIGURES = """
import sys
source, folder = sys.argv[1:]
sys.path.insert(0, source + "/scripts/selftest")
from copied import Copy, baseline_edits
copy = Copy(source, folder, "scalar")
copy.fill(baseline_edits(source))
copy.setup()
print(*(room for room in ("simd", "reference", "grading", "contenders") if any(copy.commands(room))))
"""
if shutil.which("meson") and shutil.which("ninja"):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, "-c", CONFIGURES, source, folder], capture_output=True, text=True)
        check(done.stdout == "simd reference grading contenders\n",
              "the copy is configured, and each room with faults has commands in it", done.stdout + done.stderr)

sys.exit(bool(failed))
