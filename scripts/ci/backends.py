"""Names of the backends that this CPU has, from `gjkbench list --json`."""
import json
import sys

for backend in json.load(sys.stdin)["backends"]:
    if isinstance(backend, str):
        print(backend)
    elif backend.get("available", True):
        print(backend["name"])
