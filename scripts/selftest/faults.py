"""The table of faults made by hand, and what is known of a fault."""
import hashlib
import json
import os

import mutate
from common import Refused, read


def shown(value):
    """A value as JSON has it, short enough for a line."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def rows_of(path):
    try:
        table = json.loads(read(path))
    except OSError as error:
        raise Refused(f"--faults: '{path}': {error.strerror}")
    except (ValueError, RecursionError) as error:
        raise Refused(f"{path}: {error}")
    if not isinstance(table, dict):
        raise Refused(f"{path}: {shown(table)}: wanted an object with 'faults'")
    if not isinstance(table.get("faults"), list):
        raise Refused(f"{path}: faults: {shown(table['faults']) if 'faults' in table else 'missing'}: wanted a list of rows")
    if not table["faults"]:
        raise Refused(f"{path}: faults: []: there are none")
    return table["faults"]


def check_row(path, i, row, names):
    """Its name, once every field of it is one."""
    name = row.get("name") if isinstance(row, dict) else None
    where = f"{path}: {name}" if isinstance(name, str) and name else f"{path}: row {i + 1}"
    if not isinstance(row, dict):
        raise Refused(f"{where}: {shown(row)}: wanted an object")
    for key in ("name", "file", "old", "new", "stands_for", "in", "contenders"):
        if key not in row and key not in ("in", "contenders"):
            raise Refused(f"{where}: {key}: missing")
        if key in row and (not isinstance(row[key], str) or not row[key] and key != "new"):
            raise Refused(f"{where}: {key}: {shown(row[key])}: wanted a text")
    if row["new"] == row["old"]:
        raise Refused(f"{where}: new: {shown(row['new'])}: the same as 'old', so that nothing is changed")
    if name in names:
        raise Refused(f"{where}: name: there are two of this name")
    return name


def hand_made(path, top):
    """Rows of the table as (row, change), each where its old text stands; an error names the row."""
    result, texts, names = [], {}, set()
    for i, row in enumerate(rows_of(path)):
        name = check_row(path, i, row, names)
        names.add(name)
        file = os.path.join(top, row["file"])
        if not os.path.isfile(file):
            raise Refused(f"{path}: {name}: file: {shown(row['file'])}: there is none in {top}")
        text = texts.setdefault(row["file"], read(file))
        # `in` is a longer text that stands there once, around an `old` that does not.
        around = row.get("in", row["old"])
        found = text.count(around)
        if found != 1 or around.count(row["old"]) != 1:
            key = "in" if "in" in row else "old"
            raise Refused(f"{path}: {name}: {key}: {shown(around)}: stands {found} times in {row['file']}, and not once" if found != 1
                          else f"{path}: {name}: old: {shown(row['old'])}: does not stand once in 'in'")
        start = text.index(around) + around.index(row["old"])
        change = mutate.Change(start, start + len(row["old"]), row["new"], "hand-made", row["old"].endswith((";", "}")))
        change.file, change.old, change.line, change.name = row["file"], row["old"], text.count("\n", 0, start) + 1, name
        result.append((row, change))
    return result


def room_of(file):
    return file.split("/")[0]


def identity(fault):
    return hashlib.sha1("\0".join(str(fault[k]) for k in ("name", "file", "line", "old", "new")).encode()).hexdigest()[:12]
