"""The table of faults made by hand, and what is known of a fault."""
import hashlib
import json
import os

import mutate
from common import Refused, read


def hand_made(path, top):
    """Rows of the table as (row, change), each where its old text stands; an error names the row."""
    try:
        rows = json.loads(read(path))["faults"]
    except (OSError, ValueError, KeyError) as error:
        raise Refused(f"{path}: {error}")
    result, texts, names = [], {}, set()
    for i, row in enumerate(rows):
        name = row.get("name", f"row {i + 1}")
        missing = [key for key in ("name", "file", "old", "new", "stands_for") if not row.get(key) and key != "new"]
        if missing or "new" not in row:
            raise Refused(f"{path}: {name}: no {', '.join(missing or ['new'])}")
        if name in names:
            raise Refused(f"{path}: {name}: there are two of this name")
        names.add(name)
        file = os.path.join(top, row["file"])
        if not os.path.exists(file):
            raise Refused(f"{path}: {name}: no file {row['file']}")
        text = texts.setdefault(row["file"], read(file))
        # `in` is a longer text that stands there once, around an `old` that does not.
        around = row.get("in", row["old"])
        found = text.count(around)
        if found != 1 or around.count(row["old"]) != 1:
            raise Refused(f"{path}: {name}: its old text stands {found} times in {row['file']}, and not once" if found != 1
                          else f"{path}: {name}: 'old' does not stand once in 'in'")
        start = text.index(around) + around.index(row["old"])
        change = mutate.Change(start, start + len(row["old"]), row["new"], "hand-made", row["old"].endswith((";", "}")))
        change.file, change.old, change.line, change.name = row["file"], row["old"], text.count("\n", 0, start) + 1, name
        result.append((row, change))
    return result


def room_of(file):
    return file.split("/")[0]


def identity(fault):
    return hashlib.sha1("\0".join(str(fault[k]) for k in ("name", "file", "line", "old", "new")).encode()).hexdigest()[:12]
