"""What the parts of selftest share: exit codes, refusals, files."""
import os
import sys

OK, FAILED, USAGE, SKIPPED, HARNESS, INTERRUPTED = 0, 1, 2, 77, 99, 130


class Refused(Exception):
    def __init__(self, text, code=USAGE):
        super().__init__(text)
        self.code = code


def say(text):
    print(text, file=sys.stderr, flush=True)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_changed(path, text):
    """Leaves the time of a file alone that has this text already: nothing is then built again."""
    if os.path.exists(path) and read(path) == text:
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
