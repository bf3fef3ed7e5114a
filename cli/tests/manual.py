#!/usr/bin/env python3
"""The manual and --help name the same commands and options, both ways, and troff has nothing to
complain about the pages. usage: manual.py GJKBENCH DOCS-FOLDER"""
import pathlib
import re
import shutil
import subprocess
import sys

program, docs = sys.argv[1], pathlib.Path(sys.argv[2])
failures = []


def said(*words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def options_of(text):
    return set(re.findall(r"^  --([a-z][a-z-]*)", text, re.M))


def plain(line):
    return re.sub(r"\\f[BIRP]|\\s[-+]?\d|\"", "", line).replace(r"\-", "-")


# Sections of the page: of a command, under its name; of options that several commands share, under their title.
sections, title = {}, ""
lines = [plain(line) for line in (docs / "gjkbench.1").read_text().splitlines()]
for before, line in zip(["", *lines], lines):
    heading = re.match(r"\.S[SH] (\S+)(.*)", line)
    if heading:
        title = "Every command" if line == ".SS Every command" else heading[1]
        sections.setdefault(title, set())
    option = re.match(r"\.BI? --([a-z][a-z-]*)", line) if before == ".TP" or before.startswith(".TP ") else None
    if option:
        sections[title].add(option[1])

commands = re.findall(r"^  ([a-z]+) ", said("--help").split("\n'")[0], re.M)
shared = sections["Every command"] | sections["PLUG-INS"]
select, helped = set(), 0
for command in commands:
    if command not in sections:
        failures.append(f"gjkbench.1: no section for the command '{command}'")
        continue
    # Commands of a command are of one section.
    text, options, chosen = said(command, "--help"), set(), set()
    inner = re.findall(r"^  ([a-z]+) ", text.partition("\ncommands:")[2].split("\n\n")[0], re.M)
    for help_text in [said(command, name, "--help") for name in inner] or [text]:
        own, _, selecting = help_text.partition("\nSELECT")
        options |= options_of(own.partition("\noptions:")[2])
        chosen |= options_of(selecting)
    helped += len(options) + len(chosen)
    select |= chosen
    here = sections[command]
    failures += [f"gjkbench.1: {command} lacks --{name}" for name in sorted(options - here - shared)]
    failures += [f"gjkbench.1: {command} has --{name}, which --help has not" for name in sorted(here - options - chosen)]
    failures += [f"gjkbench.1: --{name} is not for {command}" for name in sorted(shared - options)]
failures += [f"gjkbench.1: SELECT lacks --{name}" for name in sorted(select - sections["SELECT"])]
failures += [f"gjkbench.1: SELECT has --{name}, which no --help has" for name in sorted(sections["SELECT"] - select)]
listed = {heading for heading in sections if re.fullmatch("[a-z]+", heading)}
failures += [f"gjkbench.1: '{name}' is no command" for name in sorted(listed - set(commands))]
if not commands or not helped:
    failures.append("no commands and options were found in --help")

# Every function that the library exports, and no other, is in its page.
exported = set(re.findall(r"^ +(gjb_\w+);$", (docs.parent / "simd/gjkbench.map").read_text(), re.M))
told = set(re.findall(r"\bgjb_kernels_\w+(?=\()", "\n".join(plain(l) for l in (docs / "gjkbench.3").read_text().splitlines())))
failures += [f"gjkbench.3: lacks {name}" for name in sorted(exported - told)]
failures += [f"gjkbench.3: has {name}, which the library has not" for name in sorted(told - exported)]

pages = sorted(docs.glob("*.[1-8]"))
checkers = [["mandoc", "-Tlint", "-W", "warning"], ["groff", "-man", "-ww", "-Tutf8", "-z"]]
for checker in checkers:
    if not shutil.which(checker[0]):
        print(f"# SKIPPED: {checker[0]} is not here")
        continue
    for page in pages:
        done = subprocess.run([*checker, page], capture_output=True, text=True)
        if done.returncode or done.stdout.strip() or done.stderr.strip():
            failures.append(f"{checker[0]}: {(done.stdout + done.stderr).strip()}")
print("\n".join(failures) or f"{len(commands)} commands and {helped} options are as --help has them; {len(pages)} pages")
sys.exit(bool(failures))
