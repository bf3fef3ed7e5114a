"""The copy of the sources, and the faults in it: those that compile, each behind its switch."""
import concurrent.futures
import hashlib
import json
import os
import shlex
import shutil
import subprocess

import mutate
import switch
from common import HARNESS, Refused, read, say, write_changed
from faults import room_of

WIDEST = (("avx512", "avx512bw"), ("avx2", "avx2"), ("sse4", "sse4_1"), ("neon", "asimd"))
FIRST_OF_MUTANTS = 1001


def rooms(source):
    """All folders but hidden ones and those that meson builds in."""
    folders = sorted(f for f in os.listdir(source) if not f.startswith("."))
    return [f for f in folders if os.path.isdir(os.path.join(source, f))
            and not os.path.exists(os.path.join(source, f, "meson-private"))]


class Copy:
    def __init__(self, source, work, backend):
        self.source, self.work, self.backend = source, work, backend
        self.top, self.build = os.path.join(work, "source"), os.path.join(work, "build")

    def fill(self, edited):
        """`edited`: {file: text} apart from what the sources say."""
        for room in rooms(self.source):
            for folder, folders, files in os.walk(os.path.join(self.source, room)):
                folders[:] = [f for f in folders if not f.startswith(".") and f != "__pycache__"]
                target = os.path.join(self.top, os.path.relpath(folder, self.source))
                os.makedirs(target, exist_ok=True)
                for file in files:
                    old, new = os.path.join(folder, file), os.path.join(target, file)
                    if os.path.relpath(old, self.source) in edited:
                        continue
                    if not os.path.exists(new) or open(old, "rb").read() != open(new, "rb").read():
                        shutil.copyfile(old, new)
                        shutil.copymode(old, new)
        for file in ("meson.build", "meson_options.txt", "README.md"):
            if os.path.exists(os.path.join(self.source, file)):
                write_changed(os.path.join(self.top, file), read(os.path.join(self.source, file)))
        for file, text in edited.items():
            write_changed(os.path.join(self.top, file), text)

    def setup(self):
        header = os.path.join(self.work, "switch.h")
        write_changed(header, switch.HEADER)
        if os.path.exists(os.path.join(self.build, "build.ninja")):
            return
        include = f"-include{header}"
        run = subprocess.run(
            ["meson", "setup", self.build, self.top, "--buildtype=plain", "-Doptimization=1", f"-Dbackends={self.backend}",
             f"-Dc_args={include}", f"-Dcpp_args={include}", "-Dhistory=disabled",
             "-Dassimp=disabled", "-Dmodels=disabled", "-Darchive=disabled"],
            capture_output=True, text=True)
        if run.returncode:
            shutil.rmtree(self.build, ignore_errors=True)
            raise Refused("meson setup failed:\n" + run.stdout[-2000:], HARNESS)

    def commands(self, room):
        run = subprocess.run(["ninja", "-C", self.build, "-t", "compdb"], capture_output=True, text=True, check=True)
        for entry in json.loads(run.stdout[run.stdout.index("["):]):
            path = os.path.relpath(os.path.join(entry["directory"], entry["file"]), self.top)
            if path.startswith(room + "/") and path.endswith((".c", ".cpp")) and " -c " in entry["command"]:
                yield path, entry["output"], shlex.split(entry["command"]), entry["directory"]

    def targets(self):
        run = subprocess.run(["ninja", "-C", self.build, "-t", "targets", "all"], capture_output=True, text=True, check=True)
        return {line.split(":")[0] for line in run.stdout.split("\n")}

    def make(self, targets, jobs):
        run = subprocess.run(["ninja", "-C", self.build, f"-j{jobs}", *sorted(targets)], capture_output=True, text=True)
        if run.returncode:
            raise Refused("the copy does not build:\n" + run.stdout[-4000:], HARNESS)


def baseline_edits(source):
    """What the build of the copy has otherwise: kernels at -O1, which compile in a third of the time, to the same bits."""
    path = "simd/meson.build"
    text = read(os.path.join(source, path))
    if text.count("kernel_options = ['optimization=3']") != 1:
        raise Refused(f"{path}: no line \"kernel_options = ['optimization=3']\"", HARNESS)
    return {path: text.replace("kernel_options = ['optimization=3']", "kernel_options = ['optimization=1']")}


def first_of_kinds(commands):
    """Of the objects of one source, floats of the widest backend and doubles of the scalar one: all lines are in these."""
    seen = {}
    for path, output, command, folder in commands:
        kind = {w for w in command if w.startswith("-DGJB_")}
        if "/tests/" in path or ("-DGJB_BITS=64" in kind and any(w.startswith("-DGJB_BACKEND=") and not w.endswith("scalar") for w in kind)) or \
                {"-DGJB_BITS=32", "-DGJB_BACKEND=scalar"} <= kind:
            continue
        seen.setdefault((path, tuple(sorted(kind))), (path, command, folder))
    return list(seen.values())


def take_compilable(copy, texts, chosen, numbers, note, pinned, jobs):
    """Drops what does not compile from `chosen`, and leaves the copy with switches. `pinned` may not be dropped."""
    commands = []
    files = {change.file for change in chosen}
    rooms = {room_of(file) for file in files if file.endswith(".h")}
    for room in sorted({room_of(file) for file in files}):
        commands += [c for c in first_of_kinds(copy.commands(room)) if room in rooms or c[0] in files]
    plain = dict(texts)
    while True:
        spans, edited = {}, {}
        for file in {change.file for change in chosen}:
            numbered = {change: numbers[change] for change in chosen if change.file == file}
            edited[file], spans[file], refused = switch.switched(texts[file], numbered)
            for change in refused:
                if change in pinned:
                    raise Refused(f"{change.name}: overlaps another change of {change.file}")
            chosen = [change for change in chosen if change not in refused]
        for file, text in edited.items():
            write_changed(os.path.join(copy.top, file), text)
        for file, text in plain.items():
            if file not in edited:
                write_changed(os.path.join(copy.top, file), text)
        bad, failing = set(), []
        with concurrent.futures.ThreadPoolExecutor(max(jobs, 1)) as pool:
            said = pool.map(lambda c: switch.errors_of(c[1], c[2], copy.top) or [], commands)
        for (path, command, folder), errors in zip(commands, said):
            for file, line, column, message in errors:
                hit = at_place(edited.get(file), spans.get(file), line, column)
                if not hit:
                    raise Refused(f"{file}:{line}:{column}: {message} (no switch stands there)", HARNESS)
                bad |= hit
                if not failing or failing[-1][1] is not command:
                    failing.append((path, command, folder))
        if not bad:
            return chosen
        broken = [change.name for change in chosen if numbers[change] in bad and change in pinned]
        if broken:
            raise Refused(f"of the faults made by hand these do not compile: {', '.join(broken)}")
        note(len(bad))
        commands = failing # what compiled still does with fewer changes
        chosen = [change for change in chosen if numbers[change] not in bad]


def written(copy, texts, chosen, numbers):
    """The sources with switches, into the copy."""
    edited = {}
    for file in {change.file for change in chosen}:
        edited[file], _, _ = switch.switched(texts[file], {c: numbers[c] for c in chosen if c.file == file})
        write_changed(os.path.join(copy.top, file), edited[file])
    return edited


def at_place(text, spans, line, column):
    """Numbers of the switches that wrote what stands at a place; those of its line when none did."""
    if text is None:
        return set()
    start = 0
    for _ in range(line - 1):
        start = text.index("\n", start) + 1
    end = text.find("\n", start)
    place = start + column - 1
    inside = [(b - a, number) for a, b, number in spans if a <= place <= b]
    if inside:
        return {min(inside)[1]}
    # A bad type shows at the whole expression: the nearest switch before it or behind it on the line.
    on_line = [(abs(a - place), number) for a, b, number in spans if b >= start and a <= end]
    return {min(on_line)[1]} if on_line else set()


def widest():
    try:
        flags = set(read("/proc/cpuinfo").split())
    except OSError:
        flags = set()
    return next((name for name, flag in WIDEST if flag in flags), "scalar")


def live_lines(copy):
    """{file: lines} that some kernel is made of; kept for as long as the sources are what they were."""
    kept_file, live = os.path.join(copy.work, "live.json"), {}
    folder = os.path.join(copy.source, "simd")
    key = hashlib.sha1("".join(read(os.path.join(folder, f)) for f in sorted(os.listdir(folder))
                               if f.endswith((".c", ".h", ".build"))).encode()).hexdigest()
    if os.path.exists(kept_file):
        kept = json.loads(read(kept_file))
        if kept["key"] == key:
            return {file: set(lines) for file, lines in kept["live"].items()}
    for path, command, inside in first_of_kinds(copy.commands("simd")):
        for file, lines in switch.live_lines(command, inside, copy.top).items():
            live.setdefault(file, set()).update(lines)
    write_changed(kept_file, json.dumps({"key": key, "live": {file: sorted(lines) for file, lines in live.items()}}))
    return live


def mutants(copy, texts, pinned, count, seed):
    """Changes by rule of what the copy compiles of simd, none of them in tests; a third more than asked for, since some do
    not compile."""
    live = live_lines(copy)
    by_file = {}
    for file in sorted(live):
        if room_of(file) != "simd" or "/tests/" in file:
            continue
        texts.setdefault(file, read(os.path.join(copy.source, file)))
        kept = []
        for name, changes in mutate.changes_of(texts[file], file):
            kept.append((name, [c for c in changes if c.line in live[file]]))
        by_file[file] = kept
    chosen = mutate.choose(by_file, count + count // 3 + 10, seed)
    return [c for c in chosen if not any(p.file == c.file and p.start < c.end and c.start < p.end for p in pinned)]


def prepare(options, rows, mechanical):
    """The copy with its faults in it, built: (copy, [fault])."""
    backend = widest()
    copy = Copy(options.source, options.work, backend)
    texts = {}
    pinned = {change: row for row, change in rows}
    for change in pinned:
        texts.setdefault(change.file, read(os.path.join(options.source, change.file)))
    edits = baseline_edits(options.source)
    say(f"copying {options.source} to {copy.top}")
    os.makedirs(copy.top, exist_ok=True)
    # Switches of a run before stay until it is known what comes in their place, so that what is right is not built
    # again: they move no line.
    edited_file = os.path.join(copy.work, "edited.json")
    before = [f for f in (json.loads(read(edited_file)) if os.path.exists(edited_file) else [])
              if os.path.exists(os.path.join(options.source, f)) and os.path.exists(os.path.join(copy.top, f))]
    copy.fill({**edits, **{f: read(os.path.join(copy.top, f)) for f in before}})
    copy.setup()
    chosen, numbers = list(pinned), {}
    for number, change in enumerate(chosen):
        numbers[change] = number + 1
    found = []
    if mechanical:
        found = mutants(copy, texts, pinned, mechanical, options.seed)
        for number, change in enumerate(found):
            numbers[change] = FIRST_OF_MUTANTS + number
    dropped = [0]

    def note(count):
        dropped[0] += count
        say(f"{dropped[0]} do not compile")

    kept_file = os.path.join(copy.work, "compilable.json")
    key = hashlib.sha1(repr([(numbers[c], c.file, c.start, c.end, c.new) for c in chosen + found] +
                            [texts[f] for f in sorted(texts)]).encode()).hexdigest()
    cached = json.loads(read(kept_file)) if os.path.exists(kept_file) else {}
    if cached.get("key") == key:
        chosen = [c for c in chosen + found if numbers[c] in set(cached["numbers"])]
    else:
        chosen = take_compilable(copy, texts, chosen + found, numbers, note, pinned, options.jobs)
        write_changed(kept_file, json.dumps({"key": key, "numbers": [numbers[c] for c in chosen]}))
    kept, count = [], 0
    for change in chosen:
        if change not in pinned:
            count += 1
        if change in pinned or count <= mechanical:
            kept.append(change)
    edited = written(copy, texts, kept, numbers) # what is not asked for is not compiled
    if mechanical and count < mechanical:
        raise Refused(f"only {count} changes compile: fewer than --mutants {mechanical}", HARNESS)
    for file in set(before) - set(edited):
        write_changed(os.path.join(copy.top, file), read(os.path.join(options.source, file)))
    write_changed(edited_file, json.dumps(sorted(edited)))
    faults = []
    for change in sorted(kept, key=lambda c: numbers[c]):
        row = pinned.get(change)
        number = numbers[change]
        faults.append({"number": number, "name": change.name or f"m{number - FIRST_OF_MUTANTS + 1}", "made": "by hand" if row else "by rule",
                       "room": room_of(change.file), "file": change.file, "line": change.line,
                       "function": change.function, "rule": row["stands_for"] if row else change.rule,
                       "old": change.old, "new": change.new, "contenders": row.get("contenders", "") if row else ""})
    return copy, faults
