#!/usr/bin/env python3
"""Whether the checks of this project notice what is broken: `gjkbench selftest` runs this.

Copies the sources, puts faults behind switches into the copy, builds it once, and counts for each fault which layer of
checks notices it, and after how many seconds of search. See docs/selftest.md.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import layers as table  # noqa: E402
from bench import Bench, running, same_bits, stopping  # noqa: E402
from common import FAILED, INTERRUPTED, OK, Refused, SKIPPED, USAGE, read, say  # noqa: E402
from copied import prepare  # noqa: E402
from faults import hand_made, identity  # noqa: E402
from told import caught_by, print_line, print_summary, summary  # noqa: E402


def parse(arguments):
    parser = argparse.ArgumentParser(prog="gjkbench selftest", add_help=False)
    add = parser.add_argument
    add("--source", required=True)
    add("--program")
    add("--faults")
    add("--only")
    add("--mutants", type=int, default=0)
    add("--seed", type=int, default=1)
    add("--time", type=float, default=10)
    add("--jobs", type=int, default=1)
    add("--work")
    add("--json")
    add("--resume", action="store_true")
    add("--all-layers", dest="all_layers", action="store_true")
    add("--list", action="store_true")
    add("--check", action="store_true")
    return parser.parse_args(arguments)


def is_tool_missing():
    compiler = shlex.split(os.environ.get("CC", "cc"))[0]
    for tool, why in (("meson", "configures the copy"), ("ninja", "builds it"), (compiler, "compiles it")):
        if not shutil.which(tool):
            return f"{tool} is missing, which {why}: 'apt-get install {'gcc' if tool == compiler else 'ninja-build' if tool == 'ninja' else tool}'"
    return None


def layers_of(fault):
    chain = table.ROOMS[fault["room"]]
    grades = fault["room"] in ("grading", "verify", "fuzz")
    return [layer for layer in chain if fault["contenders"] or layer is not table.COUNTS or grades]


OTHERS_OF_CHECKER = "textbook-gjk2,textbook-epa2,textbook-dist2,textbook-gjk3,textbook-epa3,textbook-ca2"


def examine(bench, fault, line, layers, all_layers):
    """Asks those of `layers` that have not been asked; the line of results is added to."""
    contenders = fault["contenders"] or OTHERS_OF_CHECKER
    for layer in layers:
        if layer.name in line["layers"]:
            continue
        caught = caught_by(line)
        # Fingerprints tell that something is not as it was, and not that it is wrong: of what is made by hand search is
        # asked, too.
        if not all_layers and (set(caught) - {"bits"} or (caught and (line["made"] == "by rule" or not layer.search))):
            break
        answer = bench.ask(layer, fault["number"], contenders, fault["file"])
        if answer is not None:
            line["layers"][layer.name] = answer


def begun(fault, sources):
    line = {key: fault[key] for key in ("name", "made", "room", "file", "line", "function", "rule", "old", "new")}
    return {**line, "identity": identity(fault), "sources": sources, "layers": {}}


def fingerprint(source):
    """Of the sources and their tests: what was noticed of others says nothing of these."""
    sha = hashlib.sha1()
    for room in ("include", "core", "simd", "reference", "fuzz", "contenders"):
        for folder, _, files in sorted(os.walk(os.path.join(source, room))):
            for file in sorted(files):
                if file.endswith((".c", ".h", ".cpp", ".hpp")):
                    sha.update(read(os.path.join(folder, file)).encode())
    return sha.hexdigest()[:12]


def kept(journal, sources):
    """{identity: line} of what an earlier run of the same sources has asked."""
    if not os.path.exists(journal):
        return {}
    lines = [json.loads(text) for text in read(journal).split("\n") if text.strip()]
    mine = {line["identity"]: line for line in lines if line.get("sources") == sources}
    if len(lines) and not mine:
        say(f"{journal} is of other sources: nothing of it is taken on")
    return mine


def main(arguments):
    options = parse(arguments)
    options.source = os.path.abspath(options.source)
    if not os.path.exists(os.path.join(options.source, "simd", "meson.build")):
        raise Refused(f"--source: {options.source}: no sources of gjkbench there")
    options.program = options.program and os.path.abspath(options.program)
    faults_file = options.faults if options.faults is not None else os.path.join(options.source, "data", "faults", "hand.json")
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    options.work = os.path.abspath(options.work or os.path.join(cache, "gjkbench", "selftest"))
    rows = hand_made(faults_file, options.source)
    only = [name for name in (options.only or "").split(",") if name]
    if options.only is not None and not only:
        raise Refused(f"--only: '{options.only}': names no fault; '--list' shows every name")
    known = {row["name"] for row, _ in rows}
    for name in only:
        if name not in known and not re.fullmatch(r"m\d+", name):
            raise Refused(f"--only: no fault {name}; '--list' shows every name")
    if options.list or options.check:
        if options.check:
            print(f"{len(rows)} faults, each where its old text stands")
        else:
            for row, change in rows:
                print(f"{row['name']:28} {change.file}:{change.line}  {row['stands_for']}")
        return OK
    missing = is_tool_missing()
    if missing:
        raise Refused(missing, SKIPPED)
    if not options.mutants and any(re.fullmatch(r"m\d+", name) for name in only):
        raise Refused("--only: names of changes by rule depend on --mutants and --seed: give both")
    if only and not options.mutants:
        rows = [(row, change) for row, change in rows if row["name"] in only]
    copy, faults = prepare(options, rows, options.mutants)
    if only:
        faults = [fault for fault in faults if fault["name"] in only]
    journal = os.path.join(options.work, "results.jsonl")
    sources = fingerprint(options.source)
    done = kept(journal, sources) if options.resume else {}
    if not options.resume and os.path.exists(journal):
        os.remove(journal)
    say(f"building it with {len(faults)} faults in it: minutes")
    copy.make(["cli/gjkbench"], max(options.jobs, 1))
    bench = Bench(copy, 1000, options.time)
    if options.program:
        same_bits(bench, options.program)
    lines = {fault["name"]: done.get(identity(fault)) or begun(fault, sources) for fault in faults}
    lock, phases = threading.Lock(), max(len(layers_of(fault)) for fault in faults)

    def one(fault, phase):
        """First what is cheapest, of all faults; the rest of those alone that nothing has noticed."""
        line, layers = lines[fault["name"]], layers_of(fault)
        asked = len(line["layers"])
        if stopping.is_set() or line.get("done"):
            return
        examine(bench, fault, line, layers[:phase + 1], options.all_layers)
        caught = set(caught_by(line)) - {"bits"} or (caught_by(line) and (line["made"] == "by rule" or "search" in line["layers"]))
        line["done"] = phase + 1 >= len(layers) or (bool(caught) and not options.all_layers)
        if len(line["layers"]) == asked and not line["done"]:
            return
        with lock:
            with open(journal, "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print_line(line)

    def stop(*_):
        stopping.set()
        for pid in list(running):
            try:
                os.killpg(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    code = OK
    try:
        with concurrent.futures.ThreadPoolExecutor(max(options.jobs, 1)) as pool:
            for phase in range(phases):
                for job in [pool.submit(one, fault, phase) for fault in faults]:
                    job.result()
    except KeyboardInterrupt:
        stopping.set()
        say("gjkbench selftest: interrupted: this is what was known by then")
        code = INTERRUPTED
    lines = [line for line in lines.values() if line.get("done")]
    rows = summary(lines)
    print_summary(rows)
    if options.json:
        text = json.dumps({"kind": "selftest", "seed": options.seed, "backend": copy.backend, "time": options.time,
                           "summary": rows, "faults": lines}, indent=1)
        if options.json == "-":
            print(text)
        else:
            with open(options.json, "w", encoding="utf-8") as file:
                file.write(text + "\n")
    return code or (FAILED if any(row["survivors"] for row in rows) else OK)


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
        sys.exit(code)
    except BrokenPipeError:  # of `| head`, which has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(OK)
    except OSError as failed:
        say(f"gjkbench selftest: {failed}")
        os._exit(USAGE)  # not by way of a standard output that fails again
    except Refused as refused:
        say(f"gjkbench selftest: {refused}")
        sys.exit(refused.code)
    except KeyboardInterrupt:
        say("gjkbench selftest: interrupted before a fault was tried")
        sys.exit(INTERRUPTED)
