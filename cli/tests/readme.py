#!/usr/bin/env python3
"""Commands of README.md and docs/*.md are commands: each parses, with its options and the names that it gives them, and
those that are quick run. Links lead to files and headings that exist. README has at most 200 lines, and prose is wrapped
at 100 columns. usage: readme.py GJKBENCH SOURCE-FOLDER"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

program, source = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
pages = [source / "README.md", *sorted((source / "docs").glob("*.md"))]
failures, parsed, ran = [], 0, 0
# Pages that a command prints are as wide as it prints them.
PRINTED = ["known-failures.md"]

# README's commands as they are run here: the words that stand for files, and options that make them quick.
WORDS = {"my-scene.json": "scene.json", "SCENE": "scene.json", "PAIR": "tutorial", "MESH": "mesh.off", "OLD": "old.json",
         "NEW": "new.json", "FILE": "data/known-failures/toi.json", "NAME": "batch"}
SMALL = "--dim 2 --workload box --family near --query distance --contender batch,reference --precision f64"
QUICKLY = {
    "choose": "--min-time 1ms --pairs 64 --contender batch,reference", "verify": SMALL + " --pairs 50",
    "bench": SMALL + " --shapes 64 --min-time 1ms --json old.json", "compare": "", "replay": "--contender batch",
    "fuzz": SMALL.replace("batch,reference", "batch") + " --pairs 50", "explain": "--no-pictures", "import": "",
    "history": "--db history.db", "list": ""}
# Commands of the docs that take no more than a second or two, as they stand.
DOCS = ["explain tutorial", "explain tutorial-printed", "selftest --list", "properties --list",
        "step data/motion/boxes.json --response reflect --out film", "replay data/known-failures/toi.json",
        "report data/league.json",
        "import data/compounds/bracket.obj --as-body --gap 0.25 --out bracket.json",
        "replay data/compounds/anchor.json --query distance,toi --contender batch,reference",
        "certify data/wrong-answers/bullet-hulls.json --contender bullet-gjkepa --out claims"]
# Exit codes that are an answer: choose finds no choice in so few pairs; compare and history may find a slow-down.
FINE = {"choose": (0, 1), "compare": (0, 3, 99), "history": (0, 3)}


def prose(text):
    """The text with the lines of code blocks left empty."""
    code, lines = False, []
    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        lines.append("" if code or fence else line)
        code ^= fence
    return "\n".join(lines)


def blocks(text):
    """Lines of code blocks that are no program text, one command a line."""
    for language, code in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S):
        if language in ("", "sh"):
            yield code.replace("\\\n", " ")


def variables(code):
    values = {}
    for name, quoted, bare in re.findall(r'^(?:export )?([A-Z]\w*)=(?:"([^"]*)"|(\S*))', code, re.M):
        values[name] = expanded(quoted or bare, values)
    return values


def expanded(text, values):
    return re.sub(r"\$\{?([A-Z]\w*)\}?", lambda m: values.get(m[1], m[0]), text).replace("\n", " ")


def commands(text):
    """Every `gjkbench ...` of code blocks and of code in the text, as words. A comment ends at its line."""
    whole = "\n".join(blocks(text))
    values = variables(whole)
    for code in blocks(text):
        for line in code.split("\n"):
            yield from of_line(expanded(line, values))
    for span in re.findall(r"`((?:build/cli/)?gjkbench [^`]+)`", prose(text).replace("\n", " ")):
        yield from of_line(expanded(span, values))


def of_line(line):
    line = re.sub(r"(^|\s)#.*", "", line)
    line = re.sub(r"\s\s+[A-Za-z].*", "", line) if re.match(r"gjkbench selftest", line) else line  # explained without '#'
    for part in re.split(r"&&|;|\||\(|\)", re.sub(r"\[|\]", " ", line)):
        found = re.match(r"(?:\S*/)?gjkbench\s+(.*)", re.sub(r"^(\w+=\S*\s+|(nice|exec|timeout) \S+ )*", "", part.strip()))
        if found:
            try:
                words = shlex.split(re.sub(r"\s\d?>.*", "", found[1]), posix=True)
            except ValueError as error:
                failures.append(f"{line}: {error}")
                continue
            yield [re.sub(r"\.\.\.$", "", word) for word in words if word != "..."]


def asked(words):
    """The words that are checked: without plug-ins, programs and their contenders (`mine`), which only their users have."""
    theirs = ("--plugin", "--contender", "--contender-program")
    if any(re.search(r"\.so\b", word) for word in words) or "mine" in words or "--contender-program" in words:
        kept, skip = [], False
        for word in words:
            if not skip and word not in theirs:
                kept.append(word)
            skip = word in theirs
        words = kept
    return [re.sub(r"^K/\w+$", "1/8", word) for word in words]


def run(words, folder):
    return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, timeout=100, stdin=subprocess.DEVNULL)


# Libraries and backends that this build or CPU may lack; their names are right all the same.
packaged = [line.split()[0] for line in (source / "contenders/libraries/packaged.txt").read_text(encoding="utf-8").splitlines()
            if line.strip() and not line.startswith("#")]
backends = ["scalar", "sse4", "avx", "avx2", "avx512vl", "avx512", "neon"]
known = set(re.findall(r"^  ([a-z]+) ", run(["--help"], ".").stdout, re.M))


listed_names = run(["list"], ".").stdout


def parses(words, page):
    global parsed
    if not words or words[0].startswith("-") or words[0] in ("COMMAND",):
        return
    if words[0] not in known:
        failures.append(f"{page}: gjkbench {' '.join(words)}: no such command")
        return
    if words[0] == "recipe" and words[1:] and not re.search(rf"^  {re.escape(words[1])}$", listed_names, re.M):
        failures.append(f"{page}: gjkbench {' '.join(words)}: no such experiment")
    words = asked(words)
    if "NAME" in words and words[words.index("NAME") - 1].startswith("--"):
        del words[words.index("NAME") - 1:words.index("NAME") + 1]
    words = [{"N": "1", "T": "1s", "S": "1", "D": "2", "FORM": "text"}.get(word, word) for word in words]
    for option in ("--backend", "--contender"):
        if option in words:
            at = words.index(option)
            named = words[at + 1].split(",")
            if option == "--backend":
                failures.extend(f"{page}: no such backend: {name}" for name in named if name not in backends)
                named = []
            named = [name for name in named if not name.startswith(tuple(packaged))] or ["batch"]
            words[at:at + 2] = ["--contender", ",".join(named)] if option == "--contender" else []
    done = run([*words, "--help"], ".")
    parsed += 1
    if done.returncode or not done.stdout.startswith("usage:"):
        failures.append(f"{page}: gjkbench {' '.join(words)}: {done.stderr.strip() or done.stdout[:80]}")


def prepare(folder):
    (folder / "data").symlink_to(source / "data")
    (folder / "scene.json").write_text(json.dumps({
        "gjkbench": 1, "shapes": [{"kind": "box", "half_extents": [1, 1]}],
        "bodies": [{"shape": 0, "pose": {"x": 0, "y": 0}}, {"shape": 0, "pose": {"x": 2.5, "y": 1}}], "pairs": [[0, 1]]}))
    (folder / "mesh.off").write_text("OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n")


def runs(words, folder):
    global ran
    name = words[0]
    quick = shlex.split(QUICKLY.get(name, ""))
    words = [WORDS.get(word, word) for word in words]
    if name == "import":
        words = ["out.json" if word == "scene.json" else word for word in words]
    given = {word for word in words if word.startswith("--")}
    skip = False
    for i, word in enumerate(quick):
        skip = word in given if word.startswith("--") else skip
        if not skip:
            words.append(word)
    done = run(words, folder)
    ran += 1
    if name == "import" and "assimp" in done.stderr or name == "history" and "SQLite" in done.stderr:
        return
    if done.returncode not in FINE.get(name, (0,)):
        failures.append(f"gjkbench {' '.join(words)}: exits with {done.returncode}: {done.stderr.strip()[-300:]}")
    if name == "bench" and (folder / "old.json").exists():
        (folder / "new.json").write_bytes((folder / "old.json").read_bytes())
        run(["history", "add", "old.json", "--db", "history.db"], folder)


def anchors(text):
    heads = re.findall(r"^#+ (.*)$", prose(text), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


for page in pages:
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(source)
    for words in commands(text):
        parses(words, name)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(text)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            failures.append(f"{name}: link to {target}: no such file")
        elif anchor and anchor not in anchors(file.read_text(encoding="utf-8")):
            failures.append(f"{name}: link to {target}: no such heading")
    failures += [f"{name}:{number}: prose of {len(line)} columns, more than 100"
                 for number, line in enumerate(prose(text).split("\n"), 1)
                 if len(line) > 100 and not line.lstrip().startswith(("|", "![")) and page.name not in PRINTED]

readme = pages[0].read_text(encoding="utf-8")
if readme.count("\n") > 200:
    failures.append(f"README.md has {readme.count(chr(10))} lines, more than 200")

with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    prepare(folder)
    # `bench` first: what it writes is compared, and goes into the history.
    listed = {" ".join(words): words for words in commands(readme) if words and words[0] in QUICKLY}
    for words in sorted(listed.values(), key=lambda w: w[0] != "bench"):
        if not any(".so" in word for word in words):
            runs(words, folder)
    everything = {" ".join(words) for page in pages for words in commands(page.read_text(encoding="utf-8"))}
    for command in DOCS:
        if command not in everything:
            failures.append(f"no page has: gjkbench {command}")
        runs(command.split(), folder)

if parsed < 50 or ran < 10:
    failures.append(f"only {parsed} commands were found, and {ran} run")
print("\n".join(failures) or f"{parsed} commands of {len(pages)} pages parse, {ran} run; their links lead somewhere")
sys.exit(bool(failures))
