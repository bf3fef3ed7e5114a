"""Runs layers of checks on the copy with a fault switched on, and knows what each says when none is."""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading

import layers as table
from common import HARNESS, Refused, say

HUNG = 6 # times what a step takes when nothing is broken, and at least 10 s: longer is noticed


class Result:
    def __init__(self, code, seconds, out, reason):
        self.code, self.seconds, self.out, self.reason = code, seconds, out, reason


stopping = threading.Event()
running = set()


def run(words, fault, limit, folder, places=None):
    """Runs a command with a fault on; CPU seconds of it and its children."""
    def prepare():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    env = dict(os.environ, GJKBENCH_FAULT=str(fault), NO_COLOR="1", **(places or {}))
    with tempfile.TemporaryFile("w+", dir=folder) as out:
        child = subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=env,
                                 preexec_fn=prepare, start_new_session=True, cwd=folder)
        running.add(child.pid)
        stop = [None]

        def end(reason):
            stop[0] = reason
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        timer = threading.Timer(60 + 15 * limit, end, ["hung"]) # sleeps rather than computes
        timer.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
        finally:
            timer.cancel()
            running.discard(child.pid)
        child.returncode = os.waitstatus_to_exitcode(status)
        try:
            os.killpg(child.pid, signal.SIGKILL) # what it left behind
        except (ProcessLookupError, PermissionError):
            pass
        out.seek(0)
        text = out.read()
    seconds = usage.ru_utime + usage.ru_stime
    reason = stop[0]
    if not reason and child.returncode < 0:
        number = -child.returncode
        reason = "hung" if number in (signal.SIGXCPU, signal.SIGKILL) and seconds >= limit * 0.9 else \
            f"died of {signal.Signals(number).name}"
    return Result(child.returncode, seconds, text, reason)


KEY = ("contender", "backend", "precision", "dim", "query", "workload", "family", "pairs")
FINGERPRINT = re.compile(rb'"fingerprint": *("[^"]*"|[0-9]+)')
COUNTED = ("graded", "wrong", "nan", "hung", "capped", "crashed", "asymmetric")


class Bench:
    """Runs layers of the copy, and knows what each says when nothing is broken."""

    def __init__(self, copy, rounds, budget):
        self.copy, self.rounds, self.budget = copy, rounds, budget
        self.sound, self.lock = {}, threading.Lock()
        self.there, self.built, self.building = copy.targets(), {}, threading.Lock()
        self.scratch = os.path.join(copy.work, "scratch")
        os.makedirs(self.scratch, exist_ok=True)

    def words(self, step, seed, contenders, folder, table_file):
        places = {"gjkbench": os.path.join(self.copy.build, "cli/gjkbench"), "build": self.copy.build,
                  "source": self.copy.top, "widest": self.copy.backend, "seed": str(seed), "contenders": contenders,
                  "failures": os.path.join(folder, "failures")}
        words = [word.format(**places) for word in [step.program, *step.words]]
        return words + (["--json", table_file] if step.compare else [])

    def is_built(self, program):
        """Tests are built when the first fault comes that far; None where the build has none."""
        name = os.path.relpath(program, self.copy.build)
        with self.building:
            if name not in self.built:
                self.built[name] = name in self.there
                if self.built[name]:
                    self.copy.make([name], 1)
        return self.built[name]

    def rows(self, step, table_file):
        """What may not change: {case: numbers}."""
        if step.compare == "fingerprints": # ten thousand rows: read as text, they come in one order
            try:
                with open(table_file, "rb") as file:
                    return {("row", str(i)): (text,) for i, text in enumerate(FINGERPRINT.findall(file.read()))}
            except OSError:
                return None
        try:
            with open(table_file, encoding="utf-8") as file:
                rows = json.load(file)["rows"]
        except (OSError, ValueError, KeyError):
            return None
        return {tuple(str(row.get(k)) for k in KEY): tuple(row.get(f, 0) for f in COUNTED) for row in rows}

    def step(self, step, fault, seed, contenders, limit):
        folder = tempfile.mkdtemp(dir=self.scratch)
        try:
            table_file = os.path.join(folder, "table.json")
            words = self.words(step, seed, contenders, folder, table_file)
            if not self.is_built(words[0]):
                return None, None
            result = run(words, fault, limit, folder, {"GJKBENCH_DATA": os.path.join(self.copy.top, "data"),
                                                       "GJB_PLUGINS": os.path.join(self.copy.build, "contenders")})
            return result, self.rows(step, table_file) if step.compare else None
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def when_sound(self, step, seed, contenders):
        """(result, rows) of a step with no fault, kept; it must be silent."""
        key = (tuple(step.words), step.program, seed, contenders if "{contenders}" in " ".join(step.words) else "")
        with self.lock:
            known = self.sound.setdefault(key, {"lock": threading.Lock()})
        with known["lock"]:
            if "result" not in known:
                result, rows = self.step(step, 0, seed, contenders, 600)
                if result is not None and result.code == 2 and "nothing to grade" in result.out:
                    result = None # not of that contender
                if result is not None and (result.code != 0 or result.reason or (step.compare and not rows)):
                    raise Refused("with no fault this is not silent, and proves nothing: " +
                                  " ".join(self.words(step, seed, contenders, "FOLDER", "FILE")) +
                                  f"\n{result.reason or result.code}\n{result.out[-1500:]}", HARNESS)
                known["rows"], known["result"] = rows, result
        return known["result"], known["rows"]

    def ask(self, layer, fault, contenders, file):
        """{"caught", "seconds", "how"} of a layer; None when it is not there in this build."""
        spent, asked = 0.0, False
        for round_ in range(self.rounds if layer.search else 1):
            for step in layer.steps:
                if stopping.is_set():
                    raise KeyboardInterrupt
                if (round_ and step.once) or not re.search(step.of, os.path.basename(file)):
                    continue
                seed = round_ + 1
                good, rows = self.when_sound(step, seed, contenders)
                if good is None:
                    continue
                asked = True
                result, mine = self.step(step, fault, seed, contenders, max(10, HUNG * good.seconds))
                if stopping.is_set():
                    raise KeyboardInterrupt
                spent += result.seconds
                how = self.noticed(step, result, rows, mine)
                if how:
                    if how == "hung": # noticed when the limit is passed, not before
                        spent = max(spent, result.seconds)
                    return {"caught": True, "seconds": round(spent, 2), "how": how}
                if layer.search and spent >= self.budget:
                    return {"caught": False, "seconds": round(spent, 2)}
        return {"caught": False, "seconds": round(spent, 2)} if asked else None

    @staticmethod
    def noticed(step, result, rows, mine):
        words = " ".join(step.words[:1]) if step.program == "{gjkbench}" else os.path.basename(step.program)
        if result.reason:
            return f"{words}: {result.reason}" if result.reason != "hung" else "hung"
        if result.code == 1 and step.compare == "fingerprints":
            return "backends differ"
        if result.code:
            return f"{words}: exit {result.code}{last_words(result.out)}"
        if step.compare and mine != rows:
            changed = [case for case in rows if mine is None or mine.get(case) != rows[case]]
            case = changed[0] if changed else ("rows",)
            return f"{step.compare} changed: {len(changed)} of {len(rows)}, first {' '.join(case[i] for i in (0, 2, 3, 4, 5, 6)) if len(case) > 6 else case[0]}"
        return None


def last_words(out):
    lines = [line.strip() for line in out.strip().split("\n") if re.search(r"wrong|not ok|fail|capped|nan|differ|error|asym", line, re.I)]
    lines = [line for line in lines if not re.search(r"\b0 wrong|none of our", line)]
    return ": " + lines[0][:100] if lines else ""


def same_bits(bench, program):
    """The copy with no fault on answers as the program does that asks: switches and -O1 change no bit."""
    layer = table.BITS.steps[-1]
    _, mine = bench.when_sound(layer, 1, "")
    folder = tempfile.mkdtemp(dir=bench.scratch)
    try:
        file = os.path.join(folder, "table.json")
        words = bench.words(layer, 1, "", folder, file)
        run([program, *words[1:], "--backend", f"scalar,{bench.copy.backend}"], 0, 600, folder)
        theirs = bench.rows(layer, file)
        if theirs is None or not mine:
            raise Refused(f"{program}: no fingerprints", HARNESS)
        differing = [case for case in mine if theirs.get(case) != mine[case]]
        differing += [case for case in theirs if case not in mine]
        if differing:
            raise Refused(f"the copy has other bits than {program}, {len(differing)} of {len(mine)} cases: was it built from "
                          "these sources?", HARNESS)
        say(f"with no fault on, the copy has the bits of {program}: {len(mine)} cases")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
