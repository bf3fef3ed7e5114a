#!/usr/bin/env python3
"""Files from outside: only what was named is opened, nothing is waited for, nothing without a bound is read,
and what is said of it is true; and what cannot be written is an error on every command.
usage: files.py GJKBENCH SOURCE"""
import json
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile

from common import check, failed, program

source = os.path.realpath(sys.argv[2])
scene = source + "/data/examples/polygons.json"
certificate = source + "/data/certificates/point-in-square.json"


def run(*arguments, seconds=60, **more):
    """What takes so long waits for something: nothing here takes a second."""
    try:
        return subprocess.run([program, *arguments], capture_output="stdout" not in more, text=True, timeout=seconds,
                              **({"stderr": subprocess.PIPE} if "stdout" in more else {}), **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(arguments, "hangs", "", "")


def refused(words, *arguments, **more):
    done = run(*arguments, **more)
    check(done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1,
          f"{' '.join(arguments)[:90]}: {words}", (done.returncode, done.stderr))


def put(name, text):
    with open(name, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return name


def sparse(name, size, head=b""):
    put(name, head)
    os.truncate(name, size)
    return name


def readers(path):
    """Every command that reads a file which a user names."""
    fast = ["--contender", "reference"]
    yield ["import", path, "--out", "out.json"]
    for command in "replay", "explain", "certify", "step", "choose", "shrink":
        yield [command, path] + (["--contender", "reference"] if command in ("replay", "shrink") else [])
    yield ["check", path]
    yield ["report", path, "--out", "page"]
    yield ["convert", path, "--to", "bencher"]
    yield ["compare", path, path]
    yield ["merge", path, path, "--json", "merged.json"]
    yield ["run", "--from", path, "--out", "again"]
    yield ["run", "--known", path, "--pairs", "10", *fast]
    yield ["verify", "--hulls", path, "--pairs", "10", *fast]
    yield ["verify", "--resume", "--json", path, "--pairs", "10", *fast]
    yield ["list", "--plugin", path]
    for command in "add", "import":
        yield ["history", command, path, "--db", "new.db"]
    yield ["history", "add", certificate, "--db", path]
    yield ["history", "list", "--db", path]


def special():
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as there:
        there.bind("socket")
    for path in "pipe", "/dev/zero":
        for words in readers(path):
            done = run(*words, seconds=10, stdin=subprocess.DEVNULL)
            check(done.returncode == 2 and re.search(f"{path}: is (a pipe|a device|no regular file)", done.stderr),
                  f"{' '.join(words)}: refused at once", (done.returncode, done.stderr))
    check(run("replay", "socket").returncode == 2, "a socket")
    check(not os.path.exists("new.db"), "no history is made of what is refused")
    with open("/dev/zero", "rb") as zeros:
        for words in ["replay", "-"], ["check", "-"], ["report", "-"], ["convert", "-", "--to", "bencher"]:
            refused("0x00", *words, stdin=zeros)
    with open(scene, "rb") as file:
        check(run("replay", "-", "--contender", "reference", stdin=file).returncode == 0,
              "standard input is read")
    text = open(scene).read()
    check(run("replay", "-", "--contender", "reference", input=text).returncode == 0, "and may be a pipe")


def large():
    """Sparse: a reader that takes them whole is noticed by what it says, for it finds no size at fault."""
    for words in readers(sparse("large.json", 3 << 30, b"{")):
        if {"--from", "--plugin", "--db"} & set(words[:-1]) and words[-1] != "new.db" or "--from" in words:
            continue  # archives, plug-ins and databases are not read whole
        done = run(*words)
        check(done.returncode == 2 and "larger than" in done.stderr, f"{' '.join(words)}: larger than is read",
              (done.returncode, done.stderr))


OBJ = "v 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 0\nf 1 2 3\nf 1 2 4\n"


def meshes():
    wanted = run("import", put("plain.obj", OBJ), "--out", "plain.json")
    if "reads no meshes" in wanted.stderr:
        return
    os.mkdir("m")
    os.mkfifo("m/pipe.mtl")
    put("other.mtl", "newmtl a\nKd x y z\nmap_Kd m/pipe.mtl\nillum\n")
    says = wanted.stdout.splitlines()[0].split(": ", 1)[1]
    for name in ("other.mtl", "m/pipe.mtl", os.path.abspath("m/pipe.mtl"), "../other.mtl", source + "/README.md",
                 "gone.mtl"):
        for form in "mtllib {}\n", "  mtllib {}\n", "mtl\\\nlib {}\n", "mtllib \\\n{}\n", "maplib {}\nusemtl a\n":
            done = run("import", put("mtl.obj", OBJ[:8] + form.format(name) + OBJ[8:]), "--out", "mtl.json", seconds=20)
            check(done.returncode == 0 and says in done.stdout, f"{form!r} {name}: nothing else is opened",
                  (done.returncode, done.stdout, done.stderr))
    # Each of another format, under a name that import takes.
    others = {"gltf": '{"asset":{"version":"2.0"},"buffers":[{"uri":"m/pipe.mtl","byteLength":36}]}',
              "ply": "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n",
              "dae": '<?xml version="1.0"?><COLLADA version="1.4.1"><library_images/></COLLADA>\nv 0 0 0\n',
              "md5mesh": "MD5Version 10\ncommandline \"\"\nv 0 0 0\n", "x": "xof 0303txt 0032\nv 0 0 0\n",
              "ac": "AC3Db\nv 0 0 0\n", "mtl": "newmtl a\nv 0 0 0\n"}
    for name, text in others.items():
        for suffix in name, "obj", "off", "stl":
            refused(f"o.{suffix}:", "import", put(f"o.{suffix}", text + " " * 100), "--out", "o.json")
    check(not os.path.exists("o.json"), "and none made a scene")
    for corners in 4000000000, 4:
        put("face.off", f"OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n{corners} 0 1 2\n")
        refused(f"claims {corners} corners", "import", "face.off", "--out", "o.json")


def binary():
    put("box.obj", OBJ)
    done = run("import", "box.obj", "--out", "ok.gjb")
    if done.returncode:
        return
    good = open("ok.gjb", "rb").read()
    size = len(good)
    refused(f"size: {3 << 30} bytes, the header says {size}", "replay", sparse("grown.gjb", 3 << 30, good))
    head = bytearray(good)
    struct.pack_into("<Q", head, 48, 3 << 30)
    refused("do not hold the 1 shapes", "replay", sparse("said.gjb", 3 << 30, bytes(head)))
    # Pairs enough to fill it, so that the size alone may refuse it.
    struct.pack_into("<Q", head, 40, (8 << 30) // 8)
    struct.pack_into("<Q", head, 48, 8 << 30)
    refused("do not hold", "replay", sparse("said.gjb", 8 << 30, bytes(head)))
    with subprocess.Popen(["cat", "grown.gjb"], stdout=subprocess.PIPE) as cat:
        refused(f"larger than {size} bytes", "replay", "-", stdin=cat.stdout)
        cat.kill()


def texts():
    """Lost text: standard output is full, or closed. A command each, as cheap as may be."""
    commands = [["--help"], ["--version"], ["help", "bench"], ["list"], ["list", "--json"], ["history", "--help"],
                ["replay", scene, "--contender", "reference"], ["check", certificate],
                ["certify", scene, "--out", "proofs"], ["bench", "--points", "--quick"],
                ["verify", "--contender", "reference", "--workload", "box", "--family", "far", "--pairs", "1"],
                ["explain", scene, "--out", "explained"], ["recipe", "--help"], ["selftest", "--list"],
                ["--complete", "list", "--"], ["convert", "--help"], ["import", "--help"]]
    help_text = run("--help").stdout
    for name in re.findall(r"^  (\w+) +\w", help_text.split("\n'")[0], re.M):
        commands.append([name, "--help"])
    for words in commands:
        with open("/dev/full", "w") as full:
            done = run(*words, stdout=full)
        check(done.returncode == 2 and len(re.findall("No space left|is lost", done.stderr)) == 1
              and "Traceback" not in done.stderr, f"{' '.join(words)} > /dev/full", (done.returncode, done.stderr))
    # A line alone is written at the end, where the system's reason is at hand.
    done = subprocess.run(["sh", "-c", '"$1" --version >&-', "sh", program], capture_output=True, text=True)
    check(done.returncode == 2 and "cannot write: Bad file" in done.stderr, "a closed standard output", done)
    done = subprocess.run(["sh", "-c", '"$1" certify "$2" --out closed >&-', "sh", program, scene], capture_output=True,
                          text=True)
    there = "".join(open("closed/" + name).read() for name in os.listdir("closed"))
    check(done.returncode == 2 and "{" in there and "certificate" not in there.split("{")[0],
          "whose place no file takes", (done, there[:80]))
    verdict = subprocess.run(["sh", "-c", '"$1" check "$2" >/dev/full', "sh", program, refused_certificate()],
                             capture_output=True, text=True)
    check(verdict.returncode == 1 and "No space left" in verdict.stderr,
          "a verdict stays one, the loss is reported", verdict)


def full_disk():
    """A run whose results find no room ends with one line, and with what any command ends then."""
    os.makedirs("cramped/data")
    os.symlink("/dev/full", "cramped/data/verify.json")
    refused("cramped/data/verify.json: cannot write: No space left on device", "run", "--quick", "--contender", "batch",
            "--query", "distance", "--dim", "2", "--precision", "f32", "--workload", "box", "--pairs", "200",
            "--min-time", "1ms", "--out", "cramped")


def refused_certificate():
    with open(certificate, encoding="utf-8") as file:
        claimed = json.load(file)
    claimed["claim"] = {"lo": 1}
    return put("refused.json", json.dumps(claimed))


A = [[4.99999997e-316, -1.35377091e-315], [5e-316, -1.39986015e-315], [5e-316, 2.162278077e-315],
     [4.99999997e-316, 8.8729588e-316]]
B = [[-7.99999999e-315, -2.999999995e-315], [1.999999997e-315, -3.999999994e-315],
     [3.999999994e-315, -3.999999994e-315],
     [5.99999999e-315, -2.999999995e-315], [7.99999999e-315, 0.0],
     [5.99999999e-315, 1.999999997e-315], [0.0, 3.999999994e-315],
     [-7.99999999e-315, 2.999999995e-315]]


def scene_of(shapes, poses, precision="f64"):
    return json.dumps({"gjkbench": 1, "dim": 2, "precision": precision, "shapes": shapes,
                       "pairs": [[0, len(shapes) - 1]],
                       "bodies": [{"shape": i, "pose": pose} for i, pose in enumerate(poses)]})


def replayed(path, *more):
    done = run("replay", path, "--contender", "reference", "--json", "-", *more)
    return json.loads(done.stdout)["cases"] if done.returncode == 0 else []


def truths():
    """Bounds that decide the sign of a subnormal distance lie far apart."""
    put("tiny.json", scene_of([{"kind": "polygon", "vertices": v} for v in (A, B)],
                              [{"x": 0, "y": 0, "c": 0.7790157598462462, "s": 0.6270043428168387},
                               {"x": 4.183806707e-315, "y": -6.65030085e-315, "c": 0.9986784705793028,
                                "s": 0.05139370001648671}]))
    found = {case["query"]: case["truth"] for case in replayed("tiny.json")}
    check(found.get("intersect") == found.get("signed_distance") == 2.3236980187463769e-315,
          "the truth of intersect", found)
    point = {"kind": "point", "vertices": [[0, 0]]}
    for precision, eps in ("f32", 2**-24), ("f64", 2**-53):
        put("points.json", scene_of([point, point], [{"x": 0, "y": 0}, {"x": 1, "y": 0}], precision))
        cases = replayed("points.json", "--precision", "f64")
        check(cases and all(case["precision"] == "f64" and case["epsilon"] == eps for case in cases),
              f"whose eps a scene of {precision} is graded with", cases)


def values():
    """One input for each thing that was taken for another."""
    put("exponent.json",
        scene_of([{"kind": "superellipse", "semi_axes": [1, 1], "exponent": 1e308}], [{"x": 0, "y": 0}]))
    refused("is not from 1 to 16", "replay", "exponent.json")
    for gap, said in ("-1e300", 1), ("-0.01", 0), ("1", 0):
        done = run("import", put("deep.obj", OBJ), "--gap", gap, "--out", "deep.json")
        check(done.returncode and "no meshes" in done.stderr or done.stdout.count("less deep than --gap") == said,
              f"--gap {gap}", done)
    os.mkdir("two")
    os.mkdir("none")
    for name in "a.json", "b.json":
        put("two/" + name, open(scene, encoding="utf-8").read())
    done = run("certify", "two", "--out", "made")
    check(done.returncode == 0 and sorted(os.listdir("made")) == ["a.json", "b.json"], "certify takes a folder", done)
    for command in "certify", "check", "replay":
        check("none: no file in it ends in" in run(command, "none").stderr, f"{command}: an empty folder")
    row = {"name": "a", "ns_per_pair": 1, "ns_low": 1, "ns_high": 1}
    put("context.json", json.dumps({"context": [], "benchmarks": [row]}))
    run("bench", "--dim", "2", "--workload", "polygon4", "--query", "intersect", "--contender", "reference",
        "--shapes", "16",
        "--min-time", "0.1ms", "--json", "bench.json")
    with open("bench.json", encoding="utf-8") as file:
        bench = json.load(file)
    put("twice.json", json.dumps({**bench, "benchmarks": 2 * bench["benchmarks"]}))
    for words in (["report", "--out", "page"], ["compare", "context.json"], ["convert", "--to", "bencher"],
                  ["history", "add", "--db", "n.db"]):
        refused("context: expected an object", *words, "context.json")
        if words[0] != "report":  # which draws rows by their fields
            refused("comes twice", *["twice.json" if word == "context.json" else word for word in words], "twice.json")


def places():
    """What is wrong in JSON is said with its line and column, whatever the JSON is of."""
    put("dent.json", '{"gjkbench": 1,\n "shapes": [{"kind": "polygon", "vertices": [[0, 0], [2, 0],\n [0.5, 0.5], [0, 2]]}],\n'
        ' "bodies": [{"shape": 0, "pose": {"x": 0, "y": 0}}], "pairs": [[0, 0]]}')
    for command in "replay", "explain", "certify", "choose", "step":
        refused("dent.json:3:2: shapes[0].vertices[2]: not convex", command, "dent.json")
    put("rows.json", '{"context": {"cpu": "c", "host_name": "h"},\n "benchmarks": [\n  {"name": 7}]}')
    for words in ["report"], ["convert", "--to", "bencher"], ["compare", "rows.json"]:
        refused("rows.json:3:12: benchmarks[0].name: expected", *words, "rows.json")
    refused("rows.json:1:13: context.", "history", "add", "rows.json", "--db", "n.db")
    proof = json.load(open(certificate, encoding="utf-8"))
    put("proof.json", json.dumps({**proof, "claim": {**proof["claim"], "lower": "x"}}, indent=1))
    done = run("check", "proof.json")
    check(re.search(r"proof\.json:\d+:\d+: claim", done.stderr), "check", (done.returncode, done.stderr, done.stdout))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for part in special, large, meshes, binary, texts, full_disk, truths, values, places:
        print("#", part.__name__)
        part()
sys.exit(bool(failed))
