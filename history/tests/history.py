#!/usr/bin/env python3
"""The history from outside: what it keeps, refuses and finds. Asserts no time: made-up runs have made-up ones."""
import copy
import csv
import datetime

import json
import os
import random
import signal
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import xml.etree.ElementTree

sys.path.insert(1, os.path.join(sys.path[0], "../../cli/tests"))
from common import check, failed, program, run  # noqa: E402


def history(*arguments, **more):
    return run("history", *arguments, **more)


def refused(words, *arguments, **more):
    r = history(*arguments, **more)
    check(r.returncode == 2 and words in r.stderr and len(r.stderr.splitlines()) == 1 and not r.stdout,
          f"refused with {words!r}: exit {r.returncode}, {r.stderr!r} {r.stdout[:200]!r}")


def put(path, value):
    with open(path, "w") as file:
        json.dump(value, file)
    return path


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def day(i, hour=0):
    at = datetime.datetime(2026, 1, 1, hour, tzinfo=datetime.timezone.utc) + datetime.timedelta(days=i)
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def made(base, i, ratio, random, hour=1, **context):
    """Run i of a made-up history: commit number i, of day i, with 1% of noise."""
    one = copy.deepcopy(base)
    one["context"].update({"commit": f"{0xabc000 + i:07x}", "commit_date": day(i), "date": day(i, hour), **context})
    for row in one["benchmarks"]:
        level = 100 * ratio * random.gauss(1, 0.01)
        row["samples"] = [level * random.gauss(1, 0.002) for _ in range(9)]
        row["ns_per_pair"], row["ns_low"], row["ns_high"] = (sorted(row["samples"])[k] for k in (4, 1, 7))
    return one


def add_made(db, base, ratios, draw=1, order=None, **context):
    rng, files = random.Random(draw), []
    for i, ratio in enumerate(ratios):
        files.append(put(f"{db}-{draw}-{i:03}.json", made(base, i, ratio, rng, **context)))
    if order:
        order.shuffle(files)
    r = history("add", *files, "--db", db)
    check(r.returncode == 0 and f"{len(files)} added, 0 already there" in r.stdout, f"{db}: {len(files)} made-up runs")


def changes(db, *arguments):
    r = history("changes", "--json", "-", "--db", db, *arguments)
    return r.returncode, json.loads(r.stdout), r.stderr


def kept(base):
    first, db = put("first.json", base), "kept.db"
    rows = len(base["benchmarks"])
    r = history("add", first, "--db", db)
    check(r.returncode == 0 and "1 added, 0 already there" in r.stdout and not r.stderr, f"a run is added: {r.stderr!r}")
    with open("other.json", "w") as file: # spelled otherwise, and said to be the same
        json.dump(base, file, indent=2, sort_keys=True)
    r = history("add", first, "other.json", "--db", db)
    check(r.returncode == 0 and r.stdout.count("already there, not added again") == 2 and "0 added, 2 already there" in r.stdout,
          f"and known again: {r.stdout!r}")
    os.makedirs("page/data")
    put("page/data/bench.json", base)
    check("0 added, 1 already there" in history("add", "page", GJKBENCH_HISTORY=db).stdout, "a folder of 'run', and GJKBENCH_HISTORY")
    check("0 added, 1 already there" in history("add", "-", "--db", db, input=json.dumps(base)).stdout, "standard input")

    con = sqlite3.connect(db)
    context, = con.execute("SELECT context FROM run").fetchone()
    check(json.loads(context) == base["context"], "all of the context is kept")
    check([json.loads(row) for row, in con.execute("SELECT row FROM measurement ORDER BY position")] == base["benchmarks"],
          "all of every row is kept, raw samples too")
    check(con.execute("PRAGMA user_version").fetchone() == (1,) and not con.execute("PRAGMA foreign_key_check").fetchall() and
          len(con.execute("PRAGMA foreign_key_list(measurement)").fetchall()) == 2, "a schema with version and foreign keys")
    con.close()
    machine = json.loads(history("changes", "--json", "-", "--db", db).stdout)["series"][0]["machine"]
    listed = history("list", "--db", db).stdout
    check(machine in listed and base["context"]["commit"] in listed and base["context"]["compiler"] in listed, f"listed: {listed}")
    taken = base["context"]["date"][:16].replace("T", " ")
    check(f"  run {taken}  commit " in listed, f"a run is listed by when it was taken: {taken} in {listed}")
    check(f"{rows} benchmarks, from {first}\n" in listed, f"and with the file that it came from: {listed}")
    shutil.copy(db, "older.db")
    con = sqlite3.connect("older.db")
    con.execute("DROP TABLE source")
    con.commit()
    con.close()
    check(f"{rows} benchmarks\n" in history("list", "--db", "older.db").stdout,
          "a history of before files were kept is listed")
    check(history("list", "--benchmarks", "--db", db).stdout.count("1 times") == rows, "benchmarks are listed")
    shown = history("show", base["context"]["commit"], "--db", db)
    check(all(row["name"] in shown.stdout and row["label"] in shown.stdout for row in base["benchmarks"]), "a run is shown")
    few = history("changes", "--db", db)
    check(few.returncode == 0 and "too few" in few.stdout, f"one run is too few: {few.stdout!r}")


def counted(base):
    """Counts: exact, of one series on every machine, and never among times."""
    for i, (much, cpu) in enumerate(((500.5, "A"), (500.5, "B"), (500.7, "A"), (501.2, "A"), (504, "B"))):
        one = made(base, i, 1, random.Random(1), cpu=cpu, counted_by="callgrind-3.19.0")
        for row in one["benchmarks"]:
            for key in ("samples", "ns_per_pair", "ns_low", "ns_high"):
                del row[key]
            row["instructions_per_pair"] = much
        check(history("add", put("count.json", one), "--db", "counts.db").returncode == 0, f"counts of run {i}")
    add_made("counts.db", base, [1, 1])
    code, found, _ = changes("counts.db")
    rows = [s for s in found["series"] if s["unit"] == "instructions"]
    check(len(rows) == len(base["benchmarks"]) and len(found["series"]) == 2 * len(rows) and
          all(s["times"] == [500.5, 500.5, 500.7, 501.2, 504] for s in rows), "counts of two machines are one series")
    check(code == 3 and all([t["at"] for t in s["changes"]] == [3, 4] and s["slower"] for s in rows),
          f"what changes by a thousandth is found, and what changes by 0.5% alarms: exit {code}")
    said = history("changes", "--db", "counts.db").stdout
    check("by callgrind-3.19.0" in said and "1.0056 times the instructions, between commits 0abc003 and 0abc004" in said,
          f"in words: {said!r}")
    listed = history("list", "--db", "counts.db").stdout
    check("callgrind-3.19.0; 5 runs" in listed, f"what counted is listed as a machine: {listed!r}")
    shown = history("show", "0abc004", "--db", "counts.db").stdout
    check("504       504       504  instr." in shown and " ns " not in shown, f"and a run of them is shown: {shown!r}")
    for form in "json", "csv":
        history("export", f"--{form}", f"counts.{form}", "--db", "counts.db")
        r = history("import", f"counts.{form}", "--db", f"counts-{form}.db")
        check("7 added" in r.stdout and changes(f"counts-{form}.db")[:2] == (code, found),
              f"by way of {form} the same changes are found: {r.stderr!r}")
    check(history("plot", "--db", "counts.db", "--out", "counted").returncode == 0, "and drawn")
    with open("counted/index.html") as file:
        page = file.read()
    check("500.5 instructions a pair at first" in page and "+0.56%" in page, "with its unit")
    one["benchmarks"][0]["instructions_per_pair"] = 0
    refused("expected a number above 0", "add", put("none.json", one), "--db", "counts.db")
    del one["benchmarks"][0]["instructions_per_pair"]
    refused("instructions_per_pair", "add", put("bad.json", one), "--db", "counts.db")


def exchanged(base):
    add_made("from.db", base, [1] * 5)
    odd = made(base, 9, 1, random.Random(9), cpu='Odd "CPU", 3 GHz\twide', host_name="a\nb", flags="-O2, \u00fcber")
    del odd["context"]["commit_date"]
    odd["benchmarks"][0]["ns_per_pair"] = 33 # whole in JSON
    check(history("add", put("odd.json", odd), "--db", "from.db").returncode == 0, "a run with odd texts")
    for form in "json", "csv":
        check(history("export", f"--{form}", f"one.{form}", "--db", "from.db").returncode == 0, f"export {form}")
    for form in "json", "csv":
        db = f"via-{form}.db"
        check("6 added, 0 already there" in history("import", f"one.{form}", "--db", db).stdout, f"import {form}")
        check("0 added, 6 already there" in history("import", f"one.{form}", "--db", db).stdout, f"import {form} again")
        for again in "json", "csv":
            history("export", f"--{again}", f"two.{again}", "--db", db)
            check(bytes_of(f"one.{again}") == bytes_of(f"two.{again}"), f"by way of {form}, {again} is the same bytes")
    check("0 added, 1 already there" in history("add", "odd.json", "--db", "via-csv.db").stdout, "what came by CSV is known by its file")

    with open("one.csv", newline="") as file:
        lines = list(csv.DictReader(file))
    check(len(lines) == 6 * len(base["benchmarks"]) and json.loads(lines[0]["row"])["samples"] and
          {line["cpu"] for line in lines} == {base["context"]["cpu"], odd["context"]["cpu"]}, "any reader of CSV reads it")
    for column, value in ("ns_per_pair", "1"), ("commit", "fffffff"), ("run", "0123456789abcdef"), ("row", "{"), ("row", "{}"):
        edited = copy.deepcopy(lines)
        edited[1][column] = value
        with open("edited.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, edited[0].keys())
            writer.writeheader()
            writer.writerows(edited)
        refused("edited.csv:", "import", "edited.csv", "--db", "edited.db")
        check(not os.path.exists("edited.db"), f"and nothing of it is kept when {column} was edited")
    text = open("one.csv", newline="").read()
    refused("quotation that does not end", "import", "-", "--db", "edited.db", input=text[:text.rindex('"')])
    refused("columns", "import", "-", "--db", "edited.db", input="run,machine\r\n1,2\r\n")
    refused("gjkbench_history: missing", "import", "first.json", "--db", "edited.db")
    refused("history import", "add", "one.json", "--db", "edited.db")
    for text, words in ("", "-: empty"), ("[]",
                                          "gjkbench_history: missing"), ("null",
                                                                         ":1:4: '[' or '{'"), ("3",
                                                                                               ":1:1: '[' or '{'"):
        refused(words.replace("-:", "standard input:"), "import", "-", "--db", "edited.db", input=text)
    check(not os.path.exists("edited.db"), "what is refused makes no file")
    refused("--json FILE or --csv FILE", "export", "--db", "from.db")


def json_runs(db):
    """Runs in a file; one that nothing was ever put into has no tables either."""
    con = sqlite3.connect(db)
    tables = con.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    count = con.execute("SELECT count(*) FROM run").fetchone()[0] if tables else 0
    con.close()
    return count


def refusals(base):
    good, text = put("good.json", base), json.dumps(base)

    def bad(words, change, name="bad.json"):
        one = copy.deepcopy(base)
        change(one)
        put(name, one)
        refused(words, "add", name, "--db", "none.db")

    with open("cut.json", "w") as file:
        file.write(text[:len(text) // 2])
    refused("cut.json:", "add", "cut.json", "--db", "none.db")
    refused("results of verify", "add", put("verify.json", {"context": {}, "rows": []}), "--db", "none.db")
    refused("cannot open", "add", "nowhere.json", "--db", "none.db")
    bad("benchmarks[1].samples: missing", lambda d: d["benchmarks"][1].pop("samples"))
    bad("benchmarks[0].samples: expected an array of times in nanoseconds, not []", lambda d: d["benchmarks"][0].update(samples=[]))
    bad("samples[2]: expected a time in nanoseconds, not -1", lambda d: d["benchmarks"][0]["samples"].__setitem__(2, -1))
    bad("bad.json:1:", lambda d: d["benchmarks"][0].update(ns_per_pair=float("nan")))
    bad("ns_per_pair: expected a time in nanoseconds, not \"fast\"", lambda d: d["benchmarks"][0].update(ns_per_pair="fast"))
    bad("context.cpu: missing", lambda d: d["context"].pop("cpu"))
    bad("context.seed: expected a whole number, not 0.5", lambda d: d["context"].update(seed=0.5))
    bad("'yesterday' is no date", lambda d: d["context"].update(date="yesterday"))
    bad("context.commit_date: '2026-13-01T00:00:00Z'", lambda d: d["context"].update(commit_date="2026-13-01T00:00:00Z"))
    bad("comes twice", lambda d: d["benchmarks"].append(d["benchmarks"][0]))
    bad("benchmarks: none", lambda d: d["benchmarks"].clear())
    bad("context: missing", lambda d: d.pop("context"))
    r = history("add", good, "bad.json", "--db", "none.db")
    check(r.returncode == 2 and not os.path.exists("none.db"),
          "a bad file among good ones: none is added, nor a history made")

    refused("no history there", "list", "--db", "nowhere.db")
    check(not os.path.exists("nowhere.db"), "and looking for it makes none")
    refused("No such file", "add", good, "--db", "nowhere/x.db")
    refused("Is a directory", "add", good, "--db", ".")
    refused("Is a directory", "list", "--db", ".")
    refused("nowhere.json", "add", "nowhere.json", "--db", "failed.db")
    check(not os.path.exists("failed.db"), "a refused first run leaves no file")
    open("empty.db", "w").close()
    refused("is empty", "changes", "--db", "empty.db")
    check(history("add", good, "--db", "empty.db").returncode == 0, "an empty file becomes a history")
    with open("text.db", "w") as file:
        file.write("no database " * 100)
    for command in ["list"], ["add", good]:
        refused("text.db: is not an SQLite database", *command, "--db", "text.db")
    con = sqlite3.connect("other.db")
    con.execute("CREATE TABLE run(id)")
    con.close()
    refused("database of another program", "add", good, "--db", "other.db")
    con = sqlite3.connect("empty.db")
    con.execute("PRAGMA user_version = 2")
    con.close()
    refused("user_version: 2", "list", "--db", "empty.db")
    refused("no benchmark matches", "changes", "--benchmark", "5d/*", "--db", "kept.db")
    refused("no machine whose id begins with", "plot", "--machine", "zz", "--db", "kept.db")
    refused("--least: -1", "changes", "--least", "-1", "--db", "kept.db")
    refused("did you mean 'changes'", "change")
    refused("none is of that commit", "show", "zzz", "--db", "kept.db")
    con = sqlite3.connect("kept.db", isolation_level=None)
    con.execute("BEGIN EXCLUSIVE")
    refused("is locked by another process", "add", good, "--db", "kept.db")
    con.close()
    con = sqlite3.connect("kept.db")
    con.execute("UPDATE run SET context = replace(context, 'seed', 'sead')")
    con.commit()
    con.close()
    put("before.json", {})
    refused("kept.db: run ", "export", "--json", "before.json", "--db", "kept.db")
    check(bytes_of("before.json") == b"{}", "a damaged history replaces no file")


def found(base):
    step = [1] * 20 + [1.05] * 15
    # Measured all at once, later, and added in any order: commits are ordered by their own dates.
    add_made("step.db", base, step, order=random.Random(4), date="2026-06-01T00:00:00Z")
    code, json_of, _ = changes("step.db")
    check(code == 3 and len(json_of["series"]) == len(base["benchmarks"]), f"a slow-down: exit {code}")
    for series in json_of["series"]:
        one = series["changes"]
        check(len(one) == 1 and one[0]["after"]["commit"] == f"{0xabc000 + 19:07x}" and one[0]["by"]["commit"] == f"{0xabc000 + 20:07x}"
              and one[0]["interval"][0] < 1.05 < one[0]["interval"][1] and one[0]["interval"][0] > 1.03
              and one[0]["interval"][1] < 1.07 and one[0]["p"] < 0.001 and series["slower"] and series["parts"][0]["q"] < 0.001,
              f"it lies where it was made, in the order of commits: {one}")
    check(all(len(s["times"]) == 35 and [[v["first"], v["runs"]] for v in s["levels"]] == [[0, 20], [20, 15]] and
              1.03 < s["levels"][1]["ratio"] < 1.07 for s in json_of["series"]), "times and levels are there to draw")
    check(changes("step.db") == (code, json_of, _), "the same again")
    code, least, _ = changes("step.db", "--least", "7")
    check(code == 0 and not any(s["changes"] for s in least["series"]), "--least leaves it out")
    check(changes("step.db", "--since", f"{0xabc000 + 19:07x}")[0] == 3, "--since the commit before tells it")
    check(changes("step.db", "--since", f"{0xabc000 + 20:07x}")[0] == 0, "--since the commit that it came with does not")
    refused("--since: no run is of commit 'abc'", "changes", "--since", "abc", "--db", "step.db")
    words = history("changes", "--db", "step.db").stdout
    check(f"between commits {0xabc000 + 19:07x} and {0xabc000 + 20:07x}" in words and "slower" in words, f"in words: {words}")

    add_made("faster.db", base, [1.05] * 20 + [1] * 15)
    check(changes("faster.db")[0] == 0, "a speed-up: exit 0")
    add_made("back.db", base, [1] * 15 + [1.05] * 15 + [1] * 15)
    code, back, _ = changes("back.db")
    check(code == 0 and all(len(s["changes"]) == 2 for s in back["series"]), "a slow-down that was taken back: exit 0")
    add_made("astray.db", base, [1] * 29 + [3])
    code, astray, _ = changes("astray.db")
    check(code == 0 and not any(s["changes"] for s in astray["series"]), "one run astray, and be it the last, is no change")
    add_made("three.db", base, [1, 2, 2])
    code, three, _ = changes("three.db")
    check(code == 0 and three["search"]["too_few"] == len(base["benchmarks"]) and not three["search"]["tested"], "three runs are too few")
    add_made("six.db", base, [1, 1, 1, 2, 2, 2])
    check(changes("six.db")[1]["search"]["hopeless"] == len(base["benchmarks"]), "six are too few to be significant")
    add_made("same.db", base, [1] * 6)
    rng = random.Random(3)
    for k in range(14):
        history("add", put("again.json", made(base, 6, 1 if k < 5 else 1.1, rng, hour=2 + k)), "--db", "same.db")
    words = history("changes", "--db", "same.db").stdout
    check("so not by a commit" in words, f"a change among runs of one commit is told as that: {words}")


def apart(base):
    """The same benchmark on other machines, from other compilers, with other workloads: never one series."""
    names = len(base["benchmarks"])
    # No machine has such a cache; some, as virtual ones, report none at all.
    caches = [{"type": "Unified", "level": 9, "size": 1, "num_sharing": 1}]
    others = {"cpu": "Another CPU", "num_cpus": 4096, "caches": caches, "compiler": "clang 14", "flags": "-O0",
              "library_build_type": "debug", "seed": 7}
    for key, value in others.items():
        db = f"apart-{key}.db"
        add_made(db, base, [1] * 10)
        add_made(db, base, [2] * 10, draw=2, **{key: value})
        code, json_of, words = changes(db)
        check(code == 0 and len(json_of["series"]) == 2 * names and not any(s["changes"] for s in json_of["series"]) and
              "never mixed" in words, f"another {key} is another series, and that is said: {words!r}")
        machines = {s["machine"] for s in json_of["series"]}
        check(len(machines) == (2 if key in ("cpu", "num_cpus", "caches") else 1), f"{key}: {len(machines)} machine(s)")
    one = changes("apart-cpu.db", "--machine", sorted({s["machine"] for s in changes("apart-cpu.db")[1]["series"]})[0][:6])[1]
    check(len(one["series"]) == names, "--machine chooses one")
    add_made("hosts.db", base, [1] * 10, host_name="a")
    add_made("hosts.db", base, [1] * 10, draw=2, host_name="b")
    check(len(changes("hosts.db")[1]["series"]) == names, "another host's name is no other machine")

    rng = random.Random(1)
    for i in range(30):
        one = made(base, i, 1 if i < 15 else 2, rng, kernel="Linux 6.1" if i < 20 else "Linux 6.2")
        for row in one["benchmarks"]:
            row["workload_hash"] = "00000000000000aa" if i < 15 else "00000000000000bb"
            row["label"] = "0000000000000001" if i < 10 else "0000000000000002"
        history("add", put("event.json", one), "--db", "events.db")
    code, json_of, _ = changes("events.db")
    check(code == 0 and all([(e["at"], e["what"]) for e in s["events"]] == [(10, "answers"), (15, "workload"), (20, "kernel")]
                            for s in json_of["series"]), f"events are told: {[s['events'] for s in json_of['series']]}")
    check(all(not s["changes"] and [p["runs"] for p in s["parts"]] == [15, 15] for s in json_of["series"]),
          "times of another workload are not compared")


def at_once(base):
    rng = random.Random(2)
    files = [put(f"many-{i:03}.json", made(base, i, 1, rng)) for i in range(300)]
    adding = [subprocess.Popen([program, "history", "add", *files[k::2], "--db", "both.db"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE) for k in (0, 1)]
    codes = [(p.wait(), p.stderr.read()) for p in adding]
    for p in adding:
        p.stderr.close()
    check(codes == [(0, b""), (0, b"")] and json_runs("both.db") == 300, f"two that add at once take turns: {codes}")
    for number, code in (signal.SIGINT, 130), (signal.SIGKILL, -9):
        p = subprocess.Popen([program, "history", "add", *files, "--db", f"stop-{code}.db"], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, bufsize=0)
        p.stdout.read(1) # it is adding
        p.send_signal(number)
        out, err = p.communicate()
        whole = p.returncode == 0
        left = history("list", "--db", f"stop-{code}.db")
        runs = json_runs(f"stop-{code}.db")
        check((p.returncode == code or whole) and runs == (300 if whole else 0), f"{number.name}: exit {p.returncode}, {runs} runs, "
              f"{err!r}, {left.stderr!r}")


def cut_short(base):
    """As a kill leaves it while a transaction is being written: part of it in the file, the rest in a hot journal."""
    check(history("add", put("one.json", base), "--db", "whole.db").returncode == 0, "a run")
    con = sqlite3.connect("whole.db", isolation_level=None)
    con.execute("PRAGMA cache_size = 1")
    con.execute("BEGIN IMMEDIATE")
    con.execute("UPDATE measurement SET row = row || hex(zeroblob(100000))")
    con.execute("UPDATE run SET host = 'half'")
    journal = bytes_of("whole.db-journal")
    check(journal[:4] == b"\xd9\xd5\x05\xf9" and bytes_of("whole.db").count(b"0" * 1000), "a hot journal")
    for words in (["list"], ["show", base["context"]["commit"]], ["changes"], ["plot", "--out", "cut"],
                  ["export", "--csv", "-"],
                  ["add", "one.json"], ["import", "-"]):
        shutil.copy("whole.db", "cut.db")
        shutil.copy("whole.db-journal", "cut.db-journal")
        r = history(*words, "--db", "cut.db", input=history("export", "--json", "-", "--db", "step.db").stdout,
                    GJKBENCH_GNUPLOT="/nonexistent/gnuplot")
        check(r.returncode == 0 and not os.path.exists("cut.db-journal") and b"0" * 1000 not in bytes_of("cut.db"),
              f"{words[0]} takes back what was cut short: exit {r.returncode}, {r.stderr!r}")
    con.close()


def drawn(base):
    out = "drawn"
    r = history("plot", "--db", "step.db", "--out", out, GJKBENCH_GNUPLOT="/nonexistent/gnuplot")
    check(r.returncode == 0 and "gnuplot not found" in r.stderr and os.path.exists(f"{out}/index.html"), "a page without gnuplot")
    names = sorted(os.listdir(f"{out}/data"))
    check(len(names) == len(base["benchmarks"]) and all(n.endswith(".csv") for n in names), f"with numbers: {names}")
    with open(f"{out}/data/{names[0]}", newline="") as file:
        rows = list(csv.DictReader(file))
    check(len(rows) == 35 and [r["commit"] for r in rows if r["change"]] == [f"{0xabc000 + 20:07x}"] and
          abs(float(rows[-1]["level_ratio"]) - 1.05) < 0.02 and float(rows[0]["level_ratio"]) == 1, f"that say what is drawn: {rows[20]}")
    if subprocess.run(["sh", "-c", "command -v gnuplot"], capture_output=True).returncode:
        print("# no gnuplot here: nothing drawn")
        return
    r = history("plot", "--db", "events.db", "--out", out)
    page = open(f"{out}/index.html").read()
    check(r.returncode == 0 and not r.stderr and page.count("<figure>") == page.count('role="img"') == len(base["benchmarks"]),
          f"drawings: {r.stderr!r}")
    check("nan" not in page.lower().replace("nanosecond", "") and "http" not in page.replace("http://www.w3.org", ""), "no NaN, and nothing loaded")
    for name in os.listdir(f"{out}/data"):
        if name.endswith(".svg"):
            tree = xml.etree.ElementTree.parse(f"{out}/data/{name}")
            words = "".join(tree.getroot().itertext())
            check("workload" in words and "runs in order of commits" in words, f"{name} is SVG, and says what it shows")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ.pop("GJKBENCH_HISTORY", None)
        r = run("bench", "--dim", "2", "--workload", "polygon4", "--query", "intersect", "--contender", "batch,reference", "--backend",
                "scalar", "--shapes", "16", "--min-time", "0.1ms", "--json", "base.json")
        with open("base.json") as file:
            base = json.load(file)
        check(r.returncode == 0 and len(base["benchmarks"]) == 2 and base["context"]["kernel"], f"a run of bench: {r.stderr!r}")
        for part in kept, counted, exchanged, found, apart, refusals, at_once, cut_short, drawn:
            print(f"# {part.__name__}", flush=True)
            part(base)
        os.chdir("/")
    return bool(failed)


sys.exit(main())
