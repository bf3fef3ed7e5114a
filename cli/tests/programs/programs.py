#!/usr/bin/env python3
"""Contenders that are programs: the examples in every language that is here are right, what misbehaves is reported with
its pair and the run goes on, a bad header is refused in one line, and no process is left over. usage: programs.py
GJKBENCH BAD-PROGRAM C-EXAMPLE EXAMPLES-FOLDER"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from common import check, failed, program, run, strict

bad, balls, examples = (os.path.realpath(path) for path in sys.argv[2:5])
PATIENCE = 100  # seconds that something is waited for; how long it takes is not asked
HEADER = {"gjkbench": 1, "form": "binary", "name": "mine", "version": "1", "licence": "MIT", "dims": [2],
          "kinds": ["point"],
          "queries": ["distance"], "precisions": ["f64"]}
# What it does at one pair in 20, what is found, whether other pairs keep their answers.
FAULTS = {"crash": "crashed (SIGSEGV)", "abort": "aborted", "exit": "exited (3)", "kill-parent": "crashed (SIGKILL)",
          "spin": "hung", "flood": "broke the protocol (another frame than is due)",
          "junk": "broke the protocol (another frame than is due)",
          "after": "broke the protocol (wrote what was not asked for)",
          "count": "broke the protocol (more answers than pairs, or none)",
          "none": "broke the protocol (more answers than pairs, or none)",
          "length": "broke the protocol (a frame of a wrong length)",
          "order": "broke the protocol (answers out of order)",
          "other": "broke the protocol (answers to another question)",
          "status": "broke the protocol (an unknown status)",
          "close": "broke the protocol (closed its output)", "nan": "returned NaN"}
# Of a contender that makes one mistake (mistakes.py): its name, and what is said of it.
MISTAKES = {"exchanged-points": "are right if they are exchanged", "opposite-normal": "with the opposite normal",
            "radius-left-out": "once the radii are subtracted", "radius-twice": "once the radii are added",
            "pose-left-out": "not moved", "pose-twice": "twice", "turned-back": "turn the other way"}
# Of the header, what is changed (None: left out), and words of the refusal.
REFUSALS = [
    ({"gjkbench": 2}, "gjkbench: 2: this program speaks version 1"), ({"gjkbench": None}, "gjkbench: none"),
    ({"form": "xml"}, "form: \"xml\": binary or json"), ({"form": None}, "form: missing"),
    ({"name": None}, "name: missing"), ({"name": "My Library"}, "name: 'My Library'"),
    ({"name": 3}, "name: 3: not a text"),
    ({"name": "batch"}, "another contender has this name"), ({"name": "x" * 32}, "longer than 31"),
    ({"version": None}, "version: missing"), ({"licence": None}, "licence: missing"),
    ({"note": 1}, "note: 1: not a text"),
    ({"note": "x" * 300}, "note: longer than"), ({"variant_of": []}, "variant_of: []"),
    ({"dims": None}, "dims: missing"), ({"dims": [4]}, "dims[0]: 4: 2 or 3"), ({"dims": []}, "dims: 0"),
    ({"dims": 2}, "dims: not a list"),
    ({"kinds": ["circle"]}, 'kinds[0]: "circle": name "point": a circle is a point with a radius'),
    ({"kinds": ["point", "capsule"]}, 'kinds[1]: "capsule": name "segment": a capsule is a segment with a radius'),
    ({"kinds": ["boxx"]}, "kinds[0]: \"boxx\": did you mean 'box'?"), ({"kinds": [3]}, "kinds[0]: 3"),
    ({"kinds": []}, "kinds: 0"),
    ({"queries": ["distanc"]}, "did you mean 'distance'?"), ({"queries": None}, "queries: missing"),
    ({"queries": "distance"}, "queries: not a list"), ({"precisions": ["f16"]}, "precisions[0]: \"f16\""),
    ({"max_vertices": 0}, "max_vertices: 0: a whole number"), ({"max_vertices": "many"}, "max_vertices: \"many\""),
    ({"does_more": ["volume"]}, "does_more[0]: \"volume\""), ({"no_normal": {}}, "no_normal: not a list"),
    ({"no_points": [None]}, "no_points[0]: null"), ({"within": ["toi"]}, "within[0]: \"toi\""),
    ({"partial": "yes"}, "partial: \"yes\": true or false"), ({"touching_only": 1}, "touching_only: 1"),
    ({"leaving": "hit"}, "leaving: \"hit\""), ({"tau": -1}, "tau: -1"), ({"tau": {"distence": 1}}, "tau: \"distence\""),
    ({"tau": {"distance": "small"}}, "tau.distance: \"small\""),
    ({"tau_relative": {"toi": -1}}, "tau_relative.toi: -1"), ({"skin": "thin"}, "skin: \"thin\""),
    ({"tau_time": []}, "tau_time: []"), ({"colour": 1}, "colour: unknown field"),
    ({"kind": ["box"]}, "did you mean 'kinds'?"),
]
COMMANDS = [  # that have no header, and words of the refusal
    ("no-such-program-anywhere", "No such file"), ("true", "exited (0) before its header"), ("", "wants a value"),
    ("echo hello world", "not a header, an object of JSON, but 'hello world'"), ("echo '[1]'", "not a header"),
    ("sh -c 'echo no library >&2; exit 4'", "exited (4) before its header was there; it says: no library"),
    ("sh -c 'printf \"  no hull\\n\\tat Mine.java:3\\n\\t... 2 more\\n   7: f\\n\" >&2; exit 4'", "it says: no hull"),
    ("python3 -c 'raise SystemExit(\"no module\")'", "it says: no module"), ("yes", "not a header"),
    ("head -c 100000 /dev/zero", "its first line is longer"),
    (f"echo '{json.dumps(HEADER)}\nmore'", "more than its header"),
    ("echo a | cat", "stands outside quotes"), ("echo 'a", "is not closed"), ("echo $(ls)", "runs no other command"),
    ("sh -c 'kill -9 $$'", "crashed (SIGKILL) before"),
    ("sh -c 'ulimit -S -d $(ulimit -H -d) && echo raised >&2; exit 1'", "it says: raised")]


def quoted(path):
    return "'" + path + "'"


def verify(folder, command, name, *more, family="mixed", code=0):
    r = run("verify", "--contender-program", command, "--contender", name, "--family", family, "--out", "failures",
            "--json", "-", *more, cwd=folder)
    check(r.returncode == code, f"{name}: verify exits with {r.returncode}", r.stderr)
    return strict(r.stdout) if r.returncode == code else {"rows": [], "mishaps": []}


def rust_example(folder):
    """Built here, if there is a compiler."""
    made = os.path.join(folder, "balls-rs")
    if not shutil.which("rustc"):
        return None
    r = subprocess.run(["rustc", "--edition", "2021", "-O", "-o", made, os.path.join(examples, "balls.rs")],
                       capture_output=True, text=True)
    check(r.returncode == 0, "the example in Rust compiles", r.stderr)
    return quoted(made)


def in_every_language(folder):
    node, tool = shutil.which("node"), lambda name: quoted(os.path.join(examples, name))
    found = {"c-balls": [quoted(balls)], "py-sat": ["python3 " + tool("sat.py"), f"python3 {tool('sat.py')} --json"],
             "js-balls": [f"node {tool('balls.mjs')}", f"node {tool('balls.mjs')} --json"] if node else None,
             "rust-balls": [rust_example(folder)] if shutil.which("rustc") else None}
    answers = {}
    for name, commands in found.items():
        if commands is None:
            print(f"# {name} was not tried: there is no {'node' if name[0] == 'j' else 'rustc'} here", flush=True)
            continue
        plane = name == "py-sat"
        for command in commands:
            result = verify(folder, command, name, "--workload", "polygon8" if plane else "circle,sphere", "--pairs",
                            "300",
                            "--query", "intersect,penetration" if plane else "distance,signed_distance")
            rows = result["rows"]
            check(len(rows) == (2 if plane else 4) and all(row["graded"] > 100 and row["wrong"] == 0 for row in rows),
                  f"{name} is right: {[(row['query'], row['graded'], row['wrong']) for row in rows]}")
            answers.setdefault(name, set()).add(tuple(row["fingerprint"] for row in rows))
    check(all(len(prints) == 1 for prints in answers.values()), "both forms have the same answers")


def guide(folder):
    """The program that docs/programs.md shows, as it stands."""
    text = pathlib.Path(examples, "../../docs/programs.md").read_text(encoding="utf-8")
    shutil.copy(os.path.join(examples, "gjkbench.py"), folder)
    pathlib.Path(folder, "mine.py").write_text(text.split("```python\n")[1].split("```")[0], encoding="utf-8")
    rows = verify(folder, "python3 mine.py", "mine", "--workload", "circle,sphere", "--pairs", "200")["rows"]
    check(len(rows) == 6 and all(row["graded"] > 50 and row["wrong"] == 0 for row in rows),
          "the guide's program is right")
    r = run("verify", "--contender-program", "python3 mine.py", "--contender", "mine", "--workload", "circle,box",
            "--family", "mixed", "--dim", "2", "--pairs", "20", cwd=folder)
    check("mine was asked none of: workloads box; queries signed_distance" in r.stdout,
          "what it does not claim is named", r.stdout)


def every_query(folder):
    """Of both dimensions and forms, with what each query can be asked on top."""
    everything = os.path.join(os.path.dirname(os.path.abspath(__file__)), "everything.py")
    command = f"python3 {quoted(everything)} {quoted(examples)}"
    asked = [("", "mixed", "2", "f32", "intersect,distance,signed_distance,manifold",
              ["--within", "0.3", "--margin", "0.5"]),
             (" --json", "mixed", "3", "f64", "distance,penetration,manifold", []),
             ("", "approach,box-sweep", "2", "f64", "toi,sweep", []),
             (" --json", "approach,box-sweep", "3", "f32", "toi,sweep", ["--leaving", "ignore"])]
    for form, family, dim, precision, query, more in asked:
        rows = verify(folder, command + form, "everything", "--workload", "circle,sphere,box", "--dim", dim,
                      "--precision", precision,
                      "--query", query, "--pairs", "60", *more, family=family)["rows"]
        graded = {name: sum(row["graded"] for row in rows if row["query"] == name) for name in query.split(",")}
        check(min(graded.values()) >= 5 and not sum(row["wrong"] for row in rows),
              f"{dim}D {family}: every answer is right: {graded}",
              [(row["query"], row["graded"], row["wrong"]) for row in rows])


def misbehaves(folder, fault, text):
    command, name = f"{quoted(bad)} {fault}=20", "bad-" + fault
    result = verify(folder, command, name, "--workload", "circle", "--query", "distance", "--pairs", "16")
    found = result["mishaps"]
    check(len(found) >= 1 and {m["text"] for m in found} == {text}, f"{fault}: {[m['text'] for m in found]}")
    said = None if fault in ("nan", "kill-parent") else "about to ?[1m" + fault
    check({m.get("said") for m in found} == {said}, f"{fault}: its last words are {[m.get('said') for m in found]}")
    straight = sum(not m["exchanged"] for m in found)
    check([(row["graded"], row["wrong"]) for row in result["rows"]] == [(16, straight)],
          f"{fault}: every other answer is right")
    check(all(m["file"] and os.path.isfile(os.path.join(folder, m["file"])) for m in found),
          f"{fault}: each pair is in a file")
    if fault in ("crash", "order") and found:
        r = run("replay", found[0]["file"], "--contender-program", command, "--contender", f"{name},reference",
                "--json", "-", cwd=folder)
        cases = {case["contender"]: case for case in strict(r.stdout)["cases"]}
        check(cases[name]["mishap"] == found[0]["what"] and cases["reference"]["verdict"] == "right",
              f"{fault}: the pair does it again")


def mistaken(folder):
    """What looks like the adapter's mistake is named, and no other is."""
    made = pathlib.Path(__file__).with_name("mistakes.py")
    for mistake, words in MISTAKES.items():
        r = run("verify", "--contender-program", f"python3 {quoted(str(made))} {quoted(examples)} {mistake}",
                "--contender", "mistaken", "--precision", "f64", "--family", "mixed", "--workload", "circle,polygon8",
                "--dim", "2", "--pairs", "200", "--json", "out.json", cwd=folder)
        with open(os.path.join(folder, "out.json"), encoding="utf-8") as file:
            rows = strict(file.read())["rows"]
        hints = {name: sum(row.get("hints", {}).get(name, 0) for row in rows) for name in MISTAKES}
        check(hints[mistake] > 10 and sum(hints.values()) == hints[mistake], f"{mistake}: the hints are {hints}")
        said = [line for line in r.stdout.splitlines() if line.startswith("hint:")]
        check(len(said) == 1 and words in said[0], f"{mistake} is what the hint says", r.stdout + r.stderr)


def counted(folder, command):
    """A program that notes each start of that one in the file `starts`."""
    path = os.path.join(folder, "counted.sh")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\necho >>'{folder}/starts'\nexec {command}\n")
    os.chmod(path, 0o700)
    pathlib.Path(folder, "starts").unlink(missing_ok=True)
    return quoted(path)


def starts(folder):
    return pathlib.Path(folder, "starts").read_text(encoding="utf-8").count("\n")


def deaths(folder):
    """One that only dies is given up after eight in a row, for all families of the workload; one that answers, not."""
    few = ["--workload", "circle", "--query", "distance", "--precision", "f64", "--pairs", "96", "--threads", "1"]
    families = "mixed,touching,near"
    result = verify(folder, counted(folder, f"{quoted(bad)} crash=1"), "bad-crash", *few, family=families)
    rows = result["rows"]
    check(len(rows) == 3 and sum(row["crashed"] for row in rows) == 8 and
          all(row["crashed"] + row["unasked"] == 2 * row["pairs"] for row in rows) and
          sum(row["graded"] for row in rows) == 8 == sum(row["wrong"] for row in rows),
          "eight deaths, and no pair that was not asked passes", rows)
    check(starts(folder) == 1 + 1 + 8 + 7,
          f"{starts(folder)} starts: header, first, one to confirm each death, seven to go on")
    r = run("verify", "--contender-program", f"{quoted(bad)} crash=1", "--contender", "bad-crash", *few, "--family",
            families, cwd=folder)
    check("      it says: about to ?[1mcrash\n" in r.stdout and "answers were not asked for" in r.stdout,
          "the table says so, too", r.stdout)
    rows = verify(folder, f"{quoted(bad)} crash=4", "bad-crash", *few, family="mixed")["rows"]
    check(sum(row["unasked"] for row in rows) == 0 and sum(row["crashed"] for row in rows) > 8,
          "answers between deaths: it is asked on", rows)
    found = verify(folder, f"{quoted(bad)} prepare-exit", "bad-prepare-exit", *few, family=families, code=2)
    check(len(found["mishaps"]) == 2 and all(row["unasked"] == 2 * row["pairs"] for row in found["rows"]),
          "two families that it does not prepare are enough", found["mishaps"])


def refused(folder, command, words):
    r = run("list", "--contender-program", command, cwd=folder, stdin=subprocess.DEVNULL)
    said = r.stderr.splitlines()
    check(r.returncode == 2 and len(said) == 1 and "--contender-program" in said[0] and words in said[0],
          f"refused: {words}", r.stderr)


def refusals(folder):
    for command, words in COMMANDS:
        refused(folder, command, words)
    for change, words in REFUSALS:
        header = {key: value for key, value in {**HEADER, **change}.items() if value is not None}
        refused(folder, f"echo {quoted(json.dumps(header).replace(chr(39), ''))}", words)
    r = run("list", "--contender-program", f"echo {quoted(json.dumps(HEADER))}", "--json", cwd=folder)
    row = [row for row in strict(r.stdout)["contenders"] if row["name"] == "mine"]
    check(len(row) == 1 and row[0]["self_timed"] and row[0]["queries"] == ["distance"],
          f"a good header is listed: {row}")


def preparing(folder):
    few = ["--workload", "circle", "--query", "distance", "--pairs", "64"]
    found = verify(folder, f"{quoted(bad)} prepare-exit", "bad-prepare-exit", *few, code=2)
    check([m["text"] for m in found["mishaps"]] == ["exited (4) while preparing"],
          f"an end of preparing: {found['mishaps']}")
    changing = os.path.join(folder, "changing.sh")
    with open(changing, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nif [ -e was ]; then exec {quoted(bad)} crash; fi\ntouch was\nexec {quoted(bad)} good\n")
    os.chmod(changing, 0o700)
    found = verify(folder, "./changing.sh", "bad-good", *few, code=2)
    words = "broke the protocol (another header than at first) while preparing"
    check([m["text"] for m in found["mishaps"]] == [words],
          f"another header: {found['mishaps']}")


def left_over(word):
    """Processes, but for those that wait to be reaped by init, with this word among their arguments."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in entry.read_bytes().split(b"\0"):
                found.append(entry.parent.name)
        except OSError:
            pass
    return found


def until(truth):
    """Waits for it, for as long as a busy machine may take."""
    began = time.monotonic()
    while not truth() and time.monotonic() < began + PATIENCE:
        time.sleep(0.02)
    return truth()


def ends_all(folder):
    verify(folder, f"{quoted(bad)} linger mark-{os.getpid()}", "bad-linger", "--workload", "circle", "--query",
           "distance", "--pairs", "64")
    check(until(lambda: not left_over(f"mark-{os.getpid()}")), "no process is left over")
    command = [program, "verify", "--contender-program", f"{quoted(bad)} sleep=1 sleeper-{os.getpid()}",
               "--contender", "bad-sleep",
               "--workload", "circle", "--query", "distance", "--pairs", "64"]
    for number, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        running = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: left_over(f"sleeper-{os.getpid()}") or running.poll() is not None)
        time.sleep(0.3)  # into its work
        running.send_signal(number)
        until(lambda: running.poll() is not None)
        check(running.returncode == code, f"{number.name}: exits with {running.returncode}")
        check(until(lambda: not left_over(f"sleeper-{os.getpid()}")), f"{number.name}: no program lives on")


def times(folder):
    r = run("bench", "--contender-program", quoted(balls), "--contender", "c-balls,batch", "--backend", "scalar",
            "--workload", "circle",
            "--query", "distance", "--precision", "f64", "--shapes", "64", "--min-time", "1ms", "--json", "out.json",
            cwd=folder)
    with open(os.path.join(folder, "out.json"), encoding="utf-8") as file:
        rows = {row["contender"]: row for row in strict(file.read())["benchmarks"]}
    mine, ours = rows["c-balls"], rows["batch"]
    check(mine.get("self_timed") is True and mine["pipe_ns_per_pair"] > 0 and "self_timed" not in ours,
          "times of a program are marked")
    line = next(line for line in r.stdout.splitlines() if "batch/scalar" in line)
    check("self-timed: a program" in r.stdout and line.split("]")[1].split()[:3] == ["-", "-", "-"],
          "nothing is held against them", r.stdout)


with tempfile.TemporaryDirectory() as folder:
    in_every_language(folder)
    guide(folder)
    every_query(folder)
    for fault, text in FAULTS.items():
        misbehaves(folder, fault, text)
    deaths(folder)
    mistaken(folder)
    refusals(folder)
    preparing(folder)
    ends_all(folder)
    times(folder)
sys.exit(bool(failed))
