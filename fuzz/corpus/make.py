#!/usr/bin/env python3
"""Makes the seeds of the parsers' fuzz targets again, by the program whose files they read, without what names a machine.

usage: make.py GJKBENCH    writes into the folder that this file is in; what was found by fuzzing (found-*) stays
"""
import gzip
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent.parent / "data"
CONTEXT = {"host_name": "host", "cpu": "A CPU @ 2.00GHz", "num_cpus": 2, "kernel": "Linux 6.1", "commit": "0123abc",
           "commit_date": "2026-01-01T00:00:00Z", "date": "2026-01-02T00:00:00Z", "compiler": "gcc 12", "flags": "-O3",
           "version": "0.1.0", "caches": [], "load_avg": [0.5], "mhz_per_cpu": 2000, "executable": "gjkbench"}
ONE = ["--contender", "batch,reference", "--backend", "scalar", "--precision", "f64"]
FAR = ["--query", "distance", "--dim", "2", "--family", "far"]
TIMED = ONE + FAR + ["--workload", "polygon4", "--shapes", "16", "--batch", "16", "--min-time", "1ms"]


def scrub(value):
    """The same without the machine, and with few samples."""
    if isinstance(value, dict):
        return {k: CONTEXT[k] if k in CONTEXT else scrub(v) for k, v in value.items() if k not in ("commands", "facts")}
    if isinstance(value, list):
        return [scrub(v) for v in value[:10]]
    return value


def dump(value):
    return json.dumps(value, indent=1) + "\n"


def clean(path):
    return scrub(json.loads(path.read_text()))


def tar(members, zipped):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, text in members:
            one = tarfile.TarInfo(name)
            one.size = len(text)
            archive.addfile(one, io.BytesIO(text))
    return gzip.compress(out.getvalue(), mtime=0) if zipped else out.getvalue().rstrip(b"\0") + bytes(1024)


def make(program, work):
    def run(*words, allowed=(0,)):
        done = subprocess.run([program, *words], cwd=work, capture_output=True, text=True,
                              env={**os.environ, "XDG_DATA_HOME": str(work)})
        if done.returncode not in allowed:
            sys.exit(f"{' '.join(words)}: {done.stderr}")

    def put(folder, name, what):
        path = HERE / folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(what if isinstance(what, bytes) else what.encode())

    # verify: one run, and two shards of another
    run("verify", "--dim", "2", "--query", "intersect,distance", "--workload", "box", "--family", "far,near", "--pairs", "64",
        *ONE, "--json", "v.json")
    shards = []
    for k in "12":
        run("verify", "--dim", "3", "--query", "distance", "--workload", "box", "--family", "far", "--contender", "batch",
            "--backend", "scalar", "--precision", "f64", "--pairs", "300", "--shard", k + "/2", "--json", "s.json")
        shards.append((work / "s.json").read_text())
    for name, text in [("run.json", (work / "v.json").read_text()), ("shard.json", shards[0])]:
        put("verify", name, dump({**json.loads(text), "context": scrub(json.loads(text)["context"])}))
    put("verify", "two-shards", "\0".join(dump({**json.loads(s), "context": scrub(json.loads(s)["context"])}) for s in shards))

    # the same of searches, with few failures: the target mends the digest
    searches = []
    for k in "12":
        run("fuzz", "--dim", "2", "--query", "penetration", "--workload", "box", "--family", "near,deep", "--contender",
            "textbook-epa2", "--precision", "f64", "--pairs", "4400", "--as-found", "--threads", "1", "--shard", k + "/2", "--json", "s.json")
        one = json.loads((work / "s.json").read_text())
        searches.append(dump({**one, "context": scrub(one["context"]), "failures": one["failures"][:3]}))
    put("verify", "two-searches", "\0".join(searches))
    run("fuzz", "--dim", "2", "--query", "distance", "--workload", "box", "--family", "far", "--contender", "batch", "--backend",
        "scalar", "--precision", "f64", "--pairs", "64", "--threads", "1", "--json", "s.json")
    one = json.loads((work / "s.json").read_text())
    put("verify", "search.json", dump({**one, "context": scrub(one["context"])}))

    # bench, compare, replay, league, recipe
    for name in ("old", "new"):
        run("bench", *TIMED, "--json", name + ".json")
        (work / (name + ".json")).write_text(dump(clean(work / (name + ".json"))))
    old, new = ((work / (n + ".json")).read_text() for n in ("old", "new"))
    put("bench", "one.json", old)
    put("bench", "two-sides", old + "\0" + new)
    run("compare", "old.json", "new.json", "--json", "cmp.json", allowed=(0, 1, 3))
    put("results", "compared.json", dump(clean(work / "cmp.json")))
    shutil.copy(DATA / "regressions/corner-lost-to-underflow.json", work / "corner.json")
    run("replay", "corner.json", *ONE, "--json", "known.json")
    put("results", "replayed.json", dump(clean(work / "known.json")))
    league = json.loads((DATA / "league.json").read_text())
    one = [e for e in league["entries"] if e["contender"] == "batch"][:1] + league["entries"][-1:]
    names = {e["contender"] for e in one}
    put("league", "two-entries.json", dump(scrub({**league, "entries": one,
                                                   "contenders": [c for c in league["contenders"] if c["name"] in names]})))
    run("recipe", "polygons-2011.09117", "--quick", "--pairs", "32", "--min-time", "1ms", "--contender", "batch", "--backend",
        "scalar", "--query", "distance", "--out", "recipe")
    recipe = clean(work / "recipe/data/bench.json")
    recipe["benchmarks"] = recipe["benchmarks"][:3]
    put("recipe", "polygons.json", dump(recipe))

    # history
    run("history", "add", "old.json", "new.json", "--db", "h.db")
    for kind in ("json", "csv"):
        run("history", "export", "--db", "h.db", "--" + kind, "h." + kind)
        put("history", "export." + kind, (work / ("h." + kind)).read_text())
    run("history", "changes", "--db", "h.db", "--json", "changes.json", allowed=(0, 1, 3))
    put("results", "changes.json", dump(clean(work / "changes.json")))

    # archives: the manifest's hashes are mended by the target that has one as text
    scene = HERE / "scenes/pair-f64.json"
    manifest = {"archive": "gjkbench run", "format": 1, "arguments": ["--quick", "--dim", "2"], "plugins": [], "environment": {},
                "inputs": [{"option": "--hulls", "folder": True, "files": ["inputs/hulls/0000.json"]},
                           {"option": "--known", "folder": False, "files": ["inputs/known/0000.json"]}],
                "exit_code": 0, "members": []}
    members = [("inputs/hulls/0000.json", scene.read_bytes()), ("inputs/known/0000.json", scene.read_bytes())]
    whole = [("manifest.json", json.dumps(manifest).encode()), *members]
    put("archives", "run.tar", tar(whole, False))
    put("archives", "run.tar.gz", tar(whole, True))
    put("archives", "no-manifest.tar", tar(members, False))
    put("manifests", "run", b"\0".join([json.dumps(manifest).encode(), *(n.encode() + b"\n" + t for n, t in members)]))
    put("manifests", "plain", json.dumps({**manifest, "inputs": []}).encode())


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        make(os.path.abspath(sys.argv[1]), pathlib.Path(folder))


if __name__ == "__main__":
    main()
