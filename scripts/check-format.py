#!/usr/bin/env python3
"""Holds sources to .clang-format in all but white space: braces, and the order of includes. Lines are broken by hand,
since tables read better so. Also no tabs and no blanks at a line's end.
usage: check-format.py SOURCE-FOLDER [--fix]"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

from tracked import tracked

KINDS = {".c", ".h", ".cpp", ".hpp"}
SKIPPED = ("fuzz/corpus/", "data/")
AT_ONCE = 40  # files of a process, which takes longer to start than to read a file


def replacements(root, names):
    """What clang-format would replace in each file, as (offset, length, text) of bytes; but white space."""
    out = subprocess.run(["clang-format", "-output-replacements-xml", *names], cwd=root, capture_output=True, text=True,
                         check=True).stdout
    for name, document in zip(names, out.split("<?xml version='1.0'?>")[1:], strict=True):
        source = (root / name).read_bytes()
        wanted = [(int(r.get("offset")), int(r.get("length")), (r.text or "").encode())
                  for r in xml.etree.ElementTree.fromstring(document).iter("replacement")]
        yield name, source, [(at, size, text) for at, size, text in wanted
                             if re.sub(rb"[\s\\]", b"", source[at:at + size]) != re.sub(rb"[\s\\]", b"", text)]


def look(root, names, fix):
    found = []
    for name, source, wanted in replacements(root, names):
        if fix and wanted:
            for at, size, text in reversed(wanted):
                source = source[:at] + text + source[at + size:]
            (root / name).write_bytes(source)
            wanted = []
        found += [f"{name}:{source.count(10, 0, at) + 1}: clang-format has {text.decode().strip() or 'nothing'!r} "
                  f"instead of {source[at:at + size].decode().strip()!r}" for at, size, text in wanted]
        found += [f"{name}:{n}: a tab, or blanks at the end" for n, line in enumerate(source.split(b"\n"), 1)
                  if b"\t" in line or line != line.rstrip()]
    return found


def main():
    root, fix = pathlib.Path(sys.argv[1]).resolve(), "--fix" in sys.argv[2:]
    files = tracked(root, KINDS, SKIPPED)
    if files is None or not shutil.which("clang-format"):
        print("no repository here, whose files could be listed, or no clang-format")
        return 77
    parts = [files[i:i + AT_ONCE] for i in range(0, len(files), AT_ONCE)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [fault for faults in pool.map(lambda names: look(root, names, fix), parts) for fault in faults]
    print(*found, f"{len(files)} files, {len(found)} faults of form", sep="\n")
    return bool(found)


sys.exit(main())
