#!/usr/bin/env python3
"""Checks what is committed here, without the packages: that the lock file pins all of them by hash and names no address, that
their licences are open, that each package asked for has an adapter, and that all that is JavaScript has no fault of syntax.

usage: check.py lock|syntax|wrong      exit: 0 fine, 1 not, 77 not tried: no Node.js, or of `wrong`, no packages
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
OPEN = {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Zlib"}
SHARED = {"common.mjs", "rapier.mjs"}
FILES = {"@dimforge/rapier2d-compat": "rapier2d.mjs", "@dimforge/rapier3d-compat": "rapier3d.mjs"}
wrong = []


def expect(truth, what):
    if not truth:
        wrong.append(what)
        print("not ok - " + what)


def lock():
    wanted = json.loads((HERE / "package.json").read_text())["dependencies"]
    text = (HERE / "package-lock.json").read_text()
    packages = json.loads(text)["packages"]
    own = packages.pop("")
    expect("://" not in text and "resolved" not in text, "package-lock.json names an address")
    expect(own["dependencies"] == wanted, "package-lock.json is not that of package.json")
    expect(set(wanted) <= {name.removeprefix("node_modules/") for name in packages}, "a package is not locked")
    for name, package in packages.items():
        expect(re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", package.get("integrity", "")), name + " has no hash")
        expect(package.get("license") in OPEN, f"{name}: {package.get('license')} is not among the open licences here")
        expect(not package.get("hasInstallScript"), name + " has a script that wants to run when it is installed")
        expect(re.fullmatch(r"\d+(\.\d+)*", package.get("version", "")),
               f"{name} {package.get('version')} is no release")
    for name, version in wanted.items():
        expect(packages.get("node_modules/" + name, {}).get("version") == version,
               f"{name} {version} is not the version locked")
        expect((HERE / FILES.get(name, name + ".mjs")).exists(), name + " has no adapter")
    adapters = {path.name for path in HERE.glob("*.mjs")} - SHARED
    expect(adapters == {FILES.get(name, name + ".mjs") for name in wanted},
           "adapters are of other packages than package.json's")
    settings = (HERE / ".npmrc").read_text().split()
    for setting in ("ignore-scripts=true", "omit-lockfile-registry-resolved=true"):
        expect(setting in settings, ".npmrc lacks " + setting)


def syntax():
    for path in sorted([*HERE.glob("*.mjs"), *HERE.glob("wrong/*.mjs")]):
        run = subprocess.run(["node", "--check", path], capture_output=True, text=True)
        expect(run.returncode == 0, f"{path.name}: {run.stderr[:400]}")


def reproductions():
    """Each file under wrong exits 0 if its package still answers wrongly, as published, 1 if it no longer does, and in
    Python 77 if its library is not here."""
    for path in sorted([*HERE.glob("wrong/*.mjs"), *HERE.glob("wrong/*.py")]):
        python = path.suffix == ".py"
        run = subprocess.run([sys.executable if python else "node", path], capture_output=True, text=True, timeout=60)
        if python and run.returncode == 77:
            print(f"{path.name}: {run.stdout.strip()}")
        else:
            expect(run.returncode == 0, f"{path.name}: {run.stdout[-400:]}{run.stderr[-400:]}")


def main(words):
    tests = {"lock": lock, "syntax": syntax, "wrong": reproductions}
    if len(words) != 1 or words[0] not in tests:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    if words[0] != "lock" and not shutil.which("node"):
        print("not tried: no Node.js here")
        return 77
    if words[0] == "wrong" and not (HERE / "node_modules").is_dir():
        print("not tried: the packages are not installed (./bootstrap npm)")
        return 77
    tests[words[0]]()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
