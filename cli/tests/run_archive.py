#!/usr/bin/env python3
"""run --archive and run --from from outside: the same again, what differs, what is refused. Asserts no time."""
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile

from common import check, failed, program

hulls, known, plugin = (os.path.abspath(path) for path in sys.argv[2:5])
cheap = ["--quick", "--dim", "3", "--workload", "box,real64", "--family", "far", "--query", "distance", "--min-time",
         "0.1ms", "--pairs", "64", "--contender", "batch,reference", "--backend", "scalar"]


def run(*arguments, folder, **environment):
    return subprocess.run([program, "run", *arguments], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "GJKBENCH_GNUPLOT": "/nonexistent/gnuplot", "TMPDIR": folder, **environment})


def members(path):
    with tarfile.open(path) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar}


def pack(path, files, entries=()):
    """Files by name, and entries as they are."""
    with tarfile.open(path, "w:gz") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
        for entry in entries:
            tar.addfile(entry)


def forged(files, name, change, keep_hash=False):
    """The archive with another member, and a manifest that vouches for it (the list of hashes is then left out for it)."""
    files = dict(files)
    content = json.loads(files[name])
    change(content)
    files[name] = json.dumps(content).encode()
    manifest = json.loads(files["manifest.json"])
    if not keep_hash:
        manifest["members"] = [m for m in manifest["members"] if m["name"] != name]
    if name != "manifest.json":
        files["manifest.json"] = json.dumps(manifest).encode()
    return files


def again(folder, files, out="again", entries=(), name="forged.tar.gz"):
    path = os.path.join(folder, name)
    pack(path, files, entries)
    return run("--from", path, "--out", out, folder=folder)


def same(folder):
    path = os.path.join(folder, "mine.tar.gz")
    r = run(*cheap, "--hulls", hulls, "--known", known, "--out", "first", "--archive", path, folder=folder)
    check(r.returncode == 0 and r.stdout.endswith("mine.tar.gz\n"), f"archived: exit {r.returncode}, {r.stderr!r}")
    files = members(path)
    check(list(files)[0] == "manifest.json" and {"inputs/hulls/0000.gjb", "inputs/known/0000.json", "results/verify.json",
          "results/bench.json", "results/known.json", "report/index.html"} <= set(files), f"all of it is in it: {list(files)}")
    for name in ("verify.json", "bench.json"):
        with open(f"{folder}/first/data/{name}", "rb") as file:
            check(files["results/" + name] == file.read(), f"{name} as it is")
    with open(known, "rb") as file:
        check(files["inputs/known/0000.json"] == file.read(), "inputs as they are")
    manifest = json.loads(files["manifest.json"])
    check(manifest["arguments"] == cheap and {"cpu", "compiler", "flags", "commit", "gmp", "system"} <=
          manifest["environment"].keys() and manifest["exit_code"] == 0, f"the manifest: {manifest}")
    rows = len(json.loads(files["results/verify.json"])["rows"]) + len(json.loads(files["results/bench.json"])["benchmarks"])
    rows += len(json.loads(files["results/known.json"])["cases"])

    # A stranger's folder and other files of those names here: the archive's copies are what is used.
    r = run("--from", path, "--out", "second", folder=folder)
    check(r.returncode == 0 and f"  {rows} the same bit by bit, 0 different\n" in r.stdout and "  the same\n" in r.stdout,
          f"again: exit {r.returncode}, {r.stdout[-400:]!r}{r.stderr!r}")
    check(not [name for name in os.listdir(folder) if name.startswith("gjkbench-run-")], "no folder is left behind")
    return files


def different(folder, files):
    def another_bit(content):
        content["rows"][0]["fingerprint"] = "0123456789abcdef"
    r = again(folder, forged(files, "results/verify.json", another_bit))
    check(r.returncode == 1 and "1 different" in r.stdout and "fingerprint: \"0123456789abcdef\" there" in r.stdout,
          f"another bit is found: exit {r.returncode}, {r.stdout[-500:]!r}")

    def more_wrong(content):
        content["rows"][1]["wrong"] += 1
    r = again(folder, forged(files, "results/verify.json", more_wrong))
    check(r.returncode == 1 and "wrong: 1 there, 0 here" in r.stdout, f"so is another verdict: {r.stdout[-500:]!r}")

    def other_pairs(content):
        content["benchmarks"][2]["workload_hash"] = "00"
        content["benchmarks"][3]["ns_per_pair"] *= 1000
        content["benchmarks"][3]["samples"] = []
    r = again(folder, forged(files, "results/bench.json", other_pairs))
    check(r.returncode == 1 and "1 different" in r.stdout and "workload_hash" in r.stdout, "so are other pairs, and no times")

    def other_verdict(content):
        content["cases"][0]["verdict"] = "undecidable"
    r = again(folder, forged(files, "results/known.json", other_verdict))
    check(r.returncode == 1 and "undecidable" in r.stdout, "and another verdict on a known failure")

    def gone(content):
        content["rows"][0]["family"] = "near"
    r = again(folder, forged(files, "results/verify.json", gone))
    check(r.returncode == 0 and "1 only there, 1 only here" in r.stdout and "only there: 3d/distance/box/near/" in r.stdout,
          f"what one of both lacks is said: exit {r.returncode}, {r.stdout[-500:]!r}")

    r = again(folder, {**files, "results/convergence.json": b"{}"})
    check(r.returncode == 0 and "skipped: convergence.json" in r.stdout,
          f"convergence, which older versions measured, is skipped: exit {r.returncode}, {r.stdout[-500:]!r}")

    def elsewhere(content):
        content["environment"]["cpu"] = "abacus"
        content["environment"]["box2d"] = "1.0"
    r = again(folder, forged(files, "manifest.json", elsewhere, keep_hash=True))
    check(r.returncode == 0 and 'cpu: "abacus" there' in r.stdout and 'box2d: "1.0" there' in r.stdout,
          f"another machine is said: {r.stdout[-600:]!r}")

    def seed(content):
        content["arguments"] += ["--seed", "2"]
    r = again(folder, forged(files, "manifest.json", seed, keep_hash=True))
    check(r.returncode == 1 and " 0 different" not in r.stdout, "another seed gives other pairs")


def cut_by_a_clock(folder, files):
    """As much as the run did that is repeated, and no clock."""
    def chunks(count):
        def change(content):
            content["plan"]["sample"] = {"seconds": 1.5, "chunks": count, "of": 99}
        return change

    def scenes(content):
        content["context"]["sample"] = {"seconds": 1.5, "scenes": 1, "of": 2}
    r = again(folder, forged(forged(files, "results/verify.json", chunks(1)), "results/bench.json", scenes), out="cut")
    with open(f"{folder}/cut/data/verify.json") as file:
        verified = json.load(file)
    with open(f"{folder}/cut/data/bench.json") as file:
        measured = json.load(file)
    where = {(row["workload"], row["precision"]) for row in verified["rows"]}
    check(verified["plan"]["sample"]["chunks"] == 1 and len(where) == 1 and not verified["summary"]["interrupted"] and
          verified["summary"]["pairs"] == verified["summary"]["pairs_planned"] > 0, f"one chunk again: {where}")
    check(len({row["workload_hash"] for row in measured["benchmarks"]}) == 1 and "interrupted" not in measured["context"],
          "and one scene")
    with open(f"{folder}/cut/index.html") as file:
        page = file.read()
    check("A sample, planned by time" in page and "Times are of 1 of 2 scenes" in page, "the page says how it was planned")
    check(r.returncode == 0 and "only there" in r.stdout, f"exit {r.returncode}: {r.stdout[-400:]!r}{r.stderr!r}")
    for count in (0, -3, "many"):
        r = again(folder, forged(files, "results/verify.json", chunks(count)), out="none")
        check(r.returncode == 2 and "no plan of a run" in r.stderr, f"{count} chunks: exit {r.returncode}, {r.stderr!r}")


def refusals(folder, files):
    whole = os.path.join(folder, "mine.tar.gz")
    bad = os.path.join(folder, "bad.tar.gz")
    before = sorted(os.listdir(folder))

    def refused(r, says, what):
        lines = r.stderr.strip().splitlines()
        check(r.returncode == 2 and len(lines) == 1 and says in lines[0], f"{what}: exit {r.returncode}, {r.stderr!r}")

    with open(whole, "rb") as file:
        content = file.read()
    for size in (0, 1, 20, len(content) // 4, len(content) // 2, len(content) - 40):
        with open(bad, "wb") as file:
            file.write(content[:size])
        refused(run("--from", bad, folder=folder), "bad.tar.gz", f"cut to {size} bytes")
    for at in range(40, len(content) - 40, len(content) // 12):
        with open(bad, "wb") as file:
            file.write(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1:])
        refused(run("--from", bad, folder=folder), "bad.tar.gz", f"byte {at} changed")
    os.remove(bad)

    def newer(content):
        content["format"] = 2
    refused(again(folder, forged(files, "manifest.json", newer, keep_hash=True)), "format 2 is newer", "a newer one")
    refused(again(folder, {**files, "manifest.json": b"{]"}), "manifest.json:1:", "a manifest that is no JSON")
    for key, value in ("archive", "tape"), ("format", 0):
        def other(content):
            content[key] = value
        refused(again(folder, forged(files, "manifest.json", other, keep_hash=True)),
                f"manifest.json: {key}: expected", f"a manifest whose {key} is {value}")
    refused(again(folder, {"hello.txt": b"hello"}), "not an archive", "somebody else's tar")
    refused(run("--from", known, folder=folder), "not an archive", "no tar at all")
    refused(run("--from", "none.tar.gz", folder=folder), "none.tar.gz", "no file")

    def tampered(content):
        content["rows"][0]["wrong"] = 7
    kept = dict(files)
    kept["results/verify.json"] = forged(files, "results/verify.json", tampered)["results/verify.json"]
    refused(again(folder, kept), "not what was written", "a changed member")
    refused(again(folder, {name: content for name, content in files.items() if name != "results/bench.json"}),
            "results/bench.json is missing", "a member less")

    # Ways out of the folder: refused whatever the manifest says, and nothing is written anywhere.
    for name in ("../evil", "/tmp/gjkbench-evil", "inputs/../../evil", "inputs//x", ".hidden", "a b", "inputs/", "x" * 300):
        r = again(folder, {**files, name: b"evil"} if not name.endswith("/") else files, entries=[] if not name.endswith("/")
                  else [tarfile.TarInfo(name)])
        refused(r, "plain name" if not name.endswith("/") else "forged.tar.gz", f"member {name[:30]!r}")
    link = tarfile.TarInfo("inputs/link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    refused(again(folder, files, entries=[link]), "plain name", "a symbolic link")
    hard = tarfile.TarInfo("inputs/hard")
    hard.type, hard.linkname = tarfile.LNKTYPE, "../../etc/passwd"
    refused(again(folder, files, entries=[hard]), "plain name", "a hard link")
    twice = tarfile.TarInfo("manifest.json")
    refused(again(folder, files, entries=[twice]), "there twice", "a member twice")

    def traversing(content):
        content["inputs"][0]["files"] = ["../../../etc/passwd"]
    refused(again(folder, forged(files, "manifest.json", traversing, keep_hash=True)), "not in the archive", "an input outside")

    def loading(content):
        content["arguments"] += ["--plugin=" + plugin]
    refused(again(folder, forged(files, "manifest.json", loading, keep_hash=True)), "arguments[", "code that the archive names")

    def writing(content):
        content["arguments"] += ["--out", "/tmp/gjkbench-evil"]
    refused(again(folder, forged(files, "manifest.json", writing, keep_hash=True)), "arguments[", "a folder that it names")

    for words in (["--known", "/etc/passwd"], ["--hulls=x"], ["--help"], [7]):
        def reading(content, words=words):
            content["arguments"] += words
        refused(again(folder, forged(files, "manifest.json", reading, keep_hash=True)), "arguments[", f"the words {words}")

    def nonsense(content):
        content["arguments"] += ["--quikc"]
    refused(again(folder, forged(files, "manifest.json", nonsense, keep_hash=True)), "--quikc", "an option that is none")
    for arguments in (["--quick"], ["--seed", "2"], ["--archive", "x.tar.gz"], ["--dim", "2"], ["--hulls", hulls]):
        refused(run("--from", whole, *arguments, folder=folder), "--from", f"--from with {arguments[0]}")
    refused(run(*cheap, "--archive", "none/x.tar.gz", folder=folder), "none/x.tar.gz", "an archive that cannot be written")
    os.remove(os.path.join(folder, "forged.tar.gz"))
    left = [name for name in os.listdir(folder) if name not in before]
    check(not left and not os.path.exists("/tmp/gjkbench-evil"), f"nothing was written: {left}")


def with_plugin(folder):
    path = os.path.join(folder, "plugged.tar.gz")
    few = ["--quick", "--dim", "2", "--workload", "polygon4", "--family", "far", "--query", "intersect", "--min-time", "0.1ms",
           "--pairs", "64", "--contender", "reference"]
    r = run(*few, "--plugin", plugin, "--out", "plugged", "--archive", path, folder=folder)
    manifest = json.loads(members(path)["manifest.json"])
    check(r.returncode in (0, 1) and manifest["plugins"] == [plugin] and manifest["arguments"] == few,
          f"a plug-in is named: exit {r.returncode}, {manifest['plugins']}, {r.stderr!r}")
    r = run("--from", path, "--out", "again", folder=folder)
    check(r.returncode == 2 and plugin in r.stderr and "--plugin" in r.stderr, f"and not loaded unasked: {r.stderr!r}")
    r = run("--from", path, "--out", "again", "--plugin", plugin, folder=folder)
    check(r.returncode == 0 and "0 different" in r.stdout, f"given again it runs: exit {r.returncode}, {r.stderr!r}")


def environment(folder):
    path = os.path.join(folder, "backend.tar.gz")
    few = ["--quick", "--dim", "2", "--workload", "polygon4", "--family", "far", "--query", "intersect", "--min-time", "0.1ms",
           "--pairs", "64", "--contender", "batch"]
    run(*few, "--out", "backend", "--archive", path, folder=folder, GJKBENCH_BACKEND="scalar")
    check(json.loads(members(path)["manifest.json"])["arguments"] == few + ["--backend", "scalar"],
          "a backend that the environment names is one of the options")


with tempfile.TemporaryDirectory() as folder:
    if "need libarchive" in run("--from", "none.tar.gz", folder=folder).stderr:
        print("# this build has no libarchive")
        sys.exit(77)
    files = same(folder)
    cut_by_a_clock(folder, files)
    different(folder, files)
    refusals(folder, files)
    with_plugin(folder)
    environment(folder)
sys.exit(bool(failed))
