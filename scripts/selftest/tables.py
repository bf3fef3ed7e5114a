#!/usr/bin/env python3
"""The tables of docs/selftest.md from what `gjkbench selftest --json FILE` wrote. usage: tables.py FILE"""
import json
import sys


def cell(answer):
    if answer is None:
        return ""
    return f"{answer['seconds']:.1f} s" if answer["caught"] else "no"


def main(path):
    with open(path, encoding="utf-8") as file:
        told = json.load(file)
    for made in ("by hand", "by rule"):
        lines = [line for line in told["faults"] if line["made"] == made]
        names = list(dict.fromkeys(name for line in lines for name in line["layers"]))
        if not lines:
            continue
        print(f"\n{len(lines)} made {made}; seconds until a layer noticed, empty where it was not asked:\n")
        if made == "by hand":
            print("| fault | file | what it stands for | " + " | ".join(names) + " |")
            print("|---" * (3 + len(names)) + "|")
            for line in lines:
                cells = " | ".join(cell(line["layers"].get(name)) for name in names)
                print(f"| `{line['name']}` | {line['file']} | {line['rule']} | {cells} |")
            continue
        rules = {}
        for line in lines:
            rules.setdefault(line["rule"], []).append(line)
        print("| rule | faults | " + " | ".join(names) + " | survive |")
        print("|---" * (3 + len(names)) + "|")
        for rule, mine in sorted(rules.items()):
            caught = [sum(1 for line in mine if line["layers"].get(name, {}).get("caught")) for name in names]
            left = sum(1 for line in mine if not any(answer["caught"] for answer in line["layers"].values()))
            print(f"| {rule} | {len(mine)} | " + " | ".join(map(str, caught)) + f" | {left} |")
        print("\n| survivor | place | function | from | to |\n|---|---|---|---|---|")
        for line in lines:
            if not any(answer["caught"] for answer in line["layers"].values()):
                old, new = (" ".join(line[key].split()).replace("|", "\\|") for key in ("old", "new"))
                print(f"| {line['name']} | {line['file']}:{line['line']} | {line['function']} | `{old}` | `{new}` |")


if __name__ == "__main__":
    main(sys.argv[1])
