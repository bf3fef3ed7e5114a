#!/usr/bin/env python3
"""Suites from outside: their definitions are as they were, hashes depend neither on threads nor on contenders, cards say
what is wrong and what is not supported, and what was stopped early is no suite. usage: suite.py GJKBENCH SOURCE BAD-PLUGIN"""
import hashlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

sys.path.insert(1, os.path.join(sys.path[0], "../../cli/tests"))
from common import check, failed, load, program, run

source, plugin = pathlib.Path(sys.argv[2]).resolve(), os.path.realpath(sys.argv[3])
os.chdir(tempfile.mkdtemp())

# What a suite of a name holds never changes. To correct one, make another with a new name.
FROZEN = {"2026.1": "7e0486e9e59adec03fa0fa0510c4c7df9d359cbb1ed6721b2498062a0de0cbda"}
for path in sorted((source / "data/suites").glob("*.json")):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    check(FROZEN.get(path.stem) == digest, f"{path.name} is as it was", digest)
listed = run("suite")
check(listed.returncode == 0 and all(f"{name} " in listed.stdout for name in FROZEN), "all suites are listed",
      listed.stdout)

SHORT = ["suite", "2026.1", "--short", "--no-times"]
recorded = load(source / "data/suites/2026.1.json")["lengths"]["short"]


def parts(card):
    """All of a file that has to be the same again."""
    return {key: value for key, value in card.items() if key not in ("context", "seconds")}


def hashes(card):
    return card.get("inputs"), card.get("truths")


# Ours: nothing wrong, on one thread and on two; hashes are those recorded, with a contender and without.
cards = []
for threads in "1", "2":
    done = run(*SHORT, "--contender", "batch", "--threads", threads, "--json", "card.json", "--markdown", "card.md",
               "--badge", "card.svg")
    check(done.returncode == 0, f"batch on {threads} threads", done.stderr + done.stdout)
    cards.append(load("card.json"))
check(parts(cards[0]) == parts(cards[1]), "threads do not show")
card = cards[0]["cards"][0]
check(cards[0]["complete"] and hashes(cards[0]) == (recorded["inputs"], recorded["truths"]), "hashes are as recorded",
      hashes(cards[0]))
check(card["wrong"] == 0 and card["answers"] > 5000 and card["verdict"] in done.stdout, "ours has none wrong",
      card["verdict"])
check(sum(row.get("answers", 0) for row in card["rows"]) == card["answers"], "rows add up")
alone = run(*SHORT, "--hashes", "--json", "alone.json")
check(alone.returncode == 0 and hashes(load("alone.json")) == hashes(cards[0]) and not load("alone.json")["cards"],
      "hashes alone", alone.stderr + alone.stdout)

page, badge = (pathlib.Path(name).read_text(encoding="utf-8") for name in ("card.md", "card.svg"))
check(card["verdict"] in page and recorded["inputs"] in page and "| distance | 3D polytopes |" in page,
      "the card as Markdown", page)
texts = [t.text for t in xml.fromstring(badge).iter("{http://www.w3.org/2000/svg}text")]
check(texts == ["gjkbench 2026.1 short", card["verdict"]] and "#2e7d32" in badge, "the badge", badge)

# Those that return NaN or crash at one pair in ten, of 2D points alone: what they lack is not supported, and not passed.
for word, count in ("crash", "crashed"), ("nan", "no_answer"):
    done = run(*SHORT, "--plugin", f"{plugin}:{word}=10", "--contender", "bad-" + word, "--json", "bad.json",
               "--badge", "bad.svg")
    bad = load("bad.json")["cards"][0]
    check(done.returncode == 0 and bad[count] > 0 and bad["wrong"] >= bad[count], f"{word} is wrong", done.stdout)
check("#b3261e" in pathlib.Path("bad.svg").read_text(encoding="utf-8") and hashes(load("bad.json")) == hashes(cards[0]),
      "a red badge, and the same hashes")
lacks = [row for row in bad["rows"] if not row["supported"]]
check(lacks and all("wrong" not in row for row in lacks) and "not supported" in done.stdout and "queries" in bad["verdict"],
      "what is not supported", done.stdout)


def refused(what, says, *words):
    done = run("suite", *words)
    check(done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1, f"refused: {what}",
          done.stderr)


refused("an unknown suite", "unknown suite '2026.2': did you mean '2026.1'?", "2026.2")
refused("a suite like no other", "lists all suites", "physics")
refused("two lengths", "--short and --long exclude each other", "2026.1", "--short", "--long")
refused("hashes of a contender", "--hashes asks no contender", "2026.1", "--hashes", "--contender", "batch")
refused("a query", "does not select by it", "2026.1", "--query", "distance")
refused("an unknown contender", "unknown contender 'batsh'; did you mean 'batch'", "2026.1", "--contender", "batsh")
refused("a badge of two", "--badge b.svg: it is of one contender", "2026.1", "--contender", "batch,reference",
        "--badge", "b.svg")
refused("no folder", "nosuch/card.json: cannot write", "2026.1", "--contender", "batch", "--json", "nosuch/card.json")
refused("too many threads", "--threads: at most 1024", "2026.1", "--threads", "5000")

# Ctrl-C keeps what was done, and claims no more.
process = subprocess.Popen([program, "suite", "2026.1", "--contender", "batch", "--json", "cut.json", "--badge",
                            "cut.svg"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
time.sleep(1)
process.send_signal(signal.SIGINT)
out, err = process.communicate()
cut = load("cut.json")
check(process.returncode == 130 and "PARTIAL" in out, "interrupted", out + err)
check(not cut["complete"] and hashes(cut) == (None, None) and not os.path.exists("cut.svg"),
      "a partial card has no hashes and no badge")
check(cut["cards"][0]["answers"] > 0, "and has what was done")

sys.exit(bool(failed))
