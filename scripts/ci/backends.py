"""Names of the backends that this CPU has, from `gjkbench list --json`; with --best the one that it takes by itself."""
import json
import sys

best = "--best" in sys.argv
for backend in json.load(sys.stdin)["backends"]:
    if backend.get("best" if best else "available", not best):
        print(backend["name"])
