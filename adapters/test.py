#!/usr/bin/env python3
"""Builds each adapter whose library is installed, and asks it a few pairs. Names the others as not compiled here; if that
is all of them, the test counts as skipped.
usage: test.py GJKBENCH"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
program = pathlib.Path(sys.argv[1]).resolve()
environment = dict(os.environ)
SAID = ("Frames:", "Normals", "verlap", "argin")  # what a head has to say something about
failures = []


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, env=environment, timeout=240,
                          stdin=subprocess.DEVNULL)


def check(right, text):
    if not right:
        failures.append(text)
    return right


def check_head(folder):
    for source in [path for path in folder.iterdir() if path.suffix in (".c", ".cpp") and path.stem != "wrong"]:
        head = source.read_text(encoding="utf-8").split("*/")[0]
        for word in SAID:
            check(word in head, f"{source.name}: its head does not say '{word}'")


def point_to_headers(folder):
    """pkg-config finds the headers of this tree, as it does those of an installed gjkbench."""
    (pathlib.Path(folder) / "gjkbench.pc").write_text(
        f"Name: gjkbench\nDescription: headers\nVersion: 0\nCflags: -I{here.parent / 'include'}\n", encoding="utf-8")
    environment["PKG_CONFIG_PATH"] = f"{folder}:{os.environ.get('PKG_CONFIG_PATH', '')}"


def names(*options):
    return {row["name"] for row in json.loads(run(program, "list", "--json", *options).stdout)["contenders"]}


def ask(so, work):
    """Its own contender answers: none crashes, hangs or leaves a record unwritten, and some are graded."""
    refused = run(program, "list", "--plugin", f"{so}:no-such-option")
    check(refused.returncode != 0 and "no-such-option" in refused.stderr, f"{so.name}: takes an unknown option")
    for name in names("--plugin", so) - names():
        asked = run(program, "verify", "--plugin", so, "--contender", name, "--workload", "box,capsule", "--family",
                    "mixed", "--pairs", "100", "--json", work / "verify.json", "--out", work / "failures")
        if check(asked.returncode == 0, f"{name}: verify: {asked.stderr}"):
            rows = json.loads((work / "verify.json").read_text(encoding="utf-8"))["rows"]
            bad = sum(row["crashed"] + row["hung"] + row["unwritten"] for row in rows)
            graded, wrong = (sum(row[key] for row in rows) for key in ("graded", "wrong"))
            check(graded > 0 and bad == 0 and 10 * wrong < graded,
                  f"{name}: of {graded} graded answers {wrong} are wrong, {bad} did not come")


def build_and_ask(folder, work):
    """Why it is not compiled, or None."""
    configured = run("cmake", "-S", folder, "-B", work)
    if configured.returncode != 0:
        missing = re.search(r"\S.* is not installed", configured.stderr)
        check(missing, f"{folder.name}: cmake: {configured.stderr}")
        return missing.group(0) if missing else "cmake failed"
    built = run("cmake", "--build", work)
    text = built.stdout + built.stderr
    if check(built.returncode == 0 and "warning:" not in text, f"{folder.name}: {text}"):
        for so in work.glob("*.so"):
            ask(so, work)
        repeated = run(work / "wrong")
        check(repeated.returncode == 0 and repeated.stdout, f"{folder.name}: wrong: {repeated.stderr}")
    return None


compiled, missing = [], []
headers = tempfile.TemporaryDirectory()
point_to_headers(headers.name)
for folder in sorted(path.parent for path in here.glob("*/CMakeLists.txt")):
    check_head(folder)
    with tempfile.TemporaryDirectory() as work:
        why = build_and_ask(folder, pathlib.Path(work)) if shutil.which("cmake") else "cmake is not installed"
    (missing.append(f"{folder.name} ({why})") if why else compiled.append(folder.name))
print(f"compiled and asked: {', '.join(compiled) or 'none'}; not compiled here: {', '.join(missing) or 'none'}")
for failure in failures:
    print(failure, file=sys.stderr)
sys.exit(1 if failures else 0 if compiled else 77)
