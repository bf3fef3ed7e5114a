#!/usr/bin/env python3
"""Holds sources to .clang-format in all but white space: braces, order of includes, parentheses of macros. Lines are
broken by hand, since tables read better so. Also no tabs and no blanks at a line's end.
usage: check-format.py SOURCE-FOLDER [--fix]      (--fix sorts includes; the rest is for the reader)"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

KINDS = {".c", ".h", ".cpp", ".hpp"}
SKIPPED = ("fuzz/corpus/", "data/")
INCLUDES = re.compile(r"(?:^#include [^\n]*\n)+", re.MULTILINE)


def listed(root):
    try:
        names = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):
        return None
    return [name for name in names if pathlib.PurePath(name).suffix in KINDS and not name.startswith(SKIPPED)
            and (root / name).is_file()]


def formatted(path):
    return subprocess.run(["clang-format", path], capture_output=True, text=True, check=True).stdout


def tokens(text):
    """Characters that are no white space, each with its line."""
    line, found = 1, []
    for c in text.replace("\\\n", " \n"):
        if c == "\n":
            line += 1
        elif not c.isspace():
            found.append((c, line))
    return found


def faults(name, text, wanted):
    for number, line in enumerate(text.split("\n"), 1):
        if "\t" in line or line != line.rstrip():
            yield f"{name}:{number}: a tab, or blanks at the end"
    old, new = tokens(text), tokens(wanted)
    for (a, line), (b, _) in zip(old, new):
        if a != b:
            yield f"{name}:{line}: clang-format has other braces, parentheses or order of includes here"
            return
    if len(old) != len(new):
        yield f"{name}: clang-format has another end"


def sorted_includes(text, wanted):
    """The text with its blocks of includes as in `wanted`."""
    blocks = iter(INCLUDES.findall(wanted))
    return INCLUDES.sub(lambda match: next(blocks, match.group()), text)


def look(root, name, fix):
    path = root / name
    text, wanted = path.read_text(encoding="utf-8"), formatted(path)
    if fix and len(INCLUDES.findall(text)) == len(INCLUDES.findall(wanted)):
        better = sorted_includes(text, wanted)
        if better != text:
            path.write_text(better, encoding="utf-8")
            text = better
    return list(faults(name, text, wanted))


def main():
    root, fix = pathlib.Path(sys.argv[1]).resolve(), "--fix" in sys.argv[2:]
    files = listed(root)
    if files is None or not shutil.which("clang-format"):
        print("no repository here, whose files could be listed, or no clang-format")
        return 77
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [fault for faults_of in pool.map(lambda name: look(root, name, fix), files) for fault in faults_of]
    print(*found, f"{len(files)} files, {len(found)} faults of form", sep="\n")
    return bool(found)


sys.exit(main())
