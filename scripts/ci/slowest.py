"""Lists the ten slowest tests of all stages, from the files STAGE.testlog.json of a folder. usage: slowest.py FOLDER"""
import json
import pathlib
import sys

tests = []
for path in pathlib.Path(sys.argv[1]).glob("*.testlog.json"):
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        test = json.loads(line)
        tests.append((test["duration"], path.name.split(".")[0], test["name"]))
if tests:
    print("Slowest tests:")
for seconds, stage, name in sorted(tests, reverse=True)[:10]:
    print(f"{seconds:6.0f} s  {stage}: {name}")
