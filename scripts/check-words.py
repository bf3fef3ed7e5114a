#!/usr/bin/env python3
"""Refuses words that plain English needs nowhere: file and line of each, and what to write instead (CONTRIBUTING.md, English).
usage: check-words.py SOURCE-FOLDER"""
import pathlib
import re
import sys

from tracked import tracked

INSTEAD = {
    r"beside": "next to, also, apart from",
    r"besides": "also, apart from",
    r"anew": "again",
    r"mended": "fixed, repaired",
    r"whom|whomever": "which library, which body",
    r"nobody can tell|nobody knows": "inconclusive, undecided",
}
KINDS = {".c", ".h", ".cpp", ".py", ".sh", ".md", ".1", ".3", ".5", ".build"}
EXEMPT = ("scripts/check-words.py", "CONTRIBUTING.md")  # they name the words
FOLDERS = ("fuzz/corpus/",)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = tracked(root, KINDS, (*FOLDERS, *EXEMPT))
    if files is None:
        print("no repository here, whose files could be listed")
        return 77
    words = [(re.compile(rf"\b(?:{word})\b", re.IGNORECASE), instead) for word, instead in INSTEAD.items()]
    found = 0
    for name in files:
        text = (root / name).read_text(encoding="utf-8", errors="replace")
        for word, instead in words:
            for match in word.finditer(text):
                print(f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match.group()}: write {instead}")
                found += 1
    print(f"{len(files)} files, {found} words to replace")
    return found > 0


sys.exit(main())
