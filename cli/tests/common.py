"""What tests from outside share: the program, which their first argument names, checks that are counted, and JSON."""
import json
import os
import subprocess
import sys

program = os.path.realpath(sys.argv[1])
failed = []


def check(truth, what, said=""):
    print(("ok - " if truth else "not ok - ") + what, flush=True)
    if not truth:
        failed.append(what)
        for line in str(said).splitlines()[:12]:
            print("# " + line, flush=True)


def run(*arguments, **more):
    """What is in capitals goes to the environment."""
    env = {**os.environ, **{name: more.pop(name) for name in list(more) if name.isupper()}}
    return subprocess.run([program, *arguments], capture_output=True, text=True, env=env, **more)


def strict(text):
    """Python reads NaN and Infinity, which are no JSON."""
    def refuse(word):
        raise ValueError(word)
    return json.loads(text, parse_constant=refuse)


def load(path):
    with open(path, encoding="utf-8") as file:
        return strict(file.read())
