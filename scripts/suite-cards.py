#!/usr/bin/env python3
"""The page of score cards, docs/suite-cards.md, from data/cards.

usage: suite-cards.py             write the tables
       suite-cards.py --check     exit 1 if the page is not what the kept cards give
       suite-cards.py --keep FILE...   keep cards that `gjkbench suite NAME --json FILE` wrote, and write the tables

Of a contender that was kept before, the last card counts. Each length of a suite has a file of its own, since cards of
one length compare. A contender with a card of a longer run has none of a shorter one. Times are not kept: they are of
one machine.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT, PAGE = ROOT / "data/cards", ROOT / "docs/suite-cards.md"
SAME = ["suite", "length", "inputs", "truths", "truth_count", "pairs", "on_record"]
LENGTHS = ["short", "usual", "long"]
CONTEXT = ["date", "commit", "version", "compiler", "cpu"]


def kept_card(card, context):
    """Without times, rows that are not supported, and counts of 0 in the others."""
    rows = [{key: value for key, value in row.items() if value != 0 and key != "supported"} for row in card["rows"]
            if row["supported"]]
    return {**{key: value for key, value in card.items() if key != "times"}, "rows": rows, "context": context}


def kept_file(suite, length):
    return KEPT / f"{suite}-{length}.json"


def kept_run(suite, length):
    file = kept_file(suite, length)
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"cards": []}


def write(run, cards):
    cards.sort(key=lambda card: (not card["ours"], card["contender"]))
    file = kept_file(run["suite"], run["length"])
    if not cards:
        file.unlink(missing_ok=True)
        return
    KEPT.mkdir(parents=True, exist_ok=True)
    head = json.dumps({key: run[key] for key in SAME})[:-1]
    lines = ",\n".join(json.dumps(card) for card in cards)
    file.write_text(f'{head}, "cards": [\n{lines}\n]}}\n', encoding="utf-8")


def keep(paths):
    for path in paths:
        run = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        if run.get("kind") != "suite" or not run["complete"]:
            sys.exit(f"suite-cards: {path}: no complete run of a suite")
        kept = kept_run(run["suite"], run["length"])
        if kept["cards"] and any(kept[key] != run[key] for key in SAME):
            sys.exit(f"suite-cards: {path}: other pairs than those of {kept_file(run['suite'], run['length']).name}")
        context = {key: run["context"][key] for key in CONTEXT}
        fresh = [kept_card(card, context) for card in run["cards"]]
        at = LENGTHS.index(run["length"])
        longer = {card["contender"] for length in LENGTHS[at + 1:] for card in kept_run(run["suite"], length)["cards"]}
        fresh = [card for card in fresh if card["contender"] not in longer]
        names = {card["contender"] for card in fresh}
        for length in LENGTHS[:at]:
            shorter = kept_run(run["suite"], length)
            if shorter["cards"]:
                write(shorter, [card for card in shorter["cards"] if card["contender"] not in names])
        write(run, [card for card in kept["cards"] if card["contender"] not in names] + fresh)


def table(heads, rows):
    rule = ["---"] + ["---:"] * (len(heads) - 1)
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, rule, *rows])


def share(some, all_of):
    if not some:
        return "0"
    rate = 100 * some / all_of
    return f"{rate:.2g}%" if rate >= 0.1 else "< 0.1%"


def error(card):
    return "unbounded" if card["worst_error"] is None else f"{card['worst_error']:.1e}" if card["worst_error"] else "0"


def total(cards):
    heads = ["library", "version", "graded", "wrong", "share", "no answer", "crashed", "hung", "not asked",
             "worst error"]
    return table(heads, [[f"`{c['contender']}`", c["version"], f"{c['graded']:,}", f"{c['wrong']:,}",
                          share(c["wrong"], c["graded"]), f"{c['no_answer']:,}", f"{c['crashed']:,}", f"{c['hung']:,}",
                          f"{c['left_out']:,}", error(c)] for c in cards])


def cell(row):
    if row is None:
        return "not supported"
    lost = f", {row['left_out']:,} not asked" if row.get("left_out") else ""
    return f"{row.get('wrong', 0):,} of {row.get('graded', 0):,}{lost}"


def by_query(cards):
    places = []
    for card in cards:
        places += [(row["query"], row["dim"], row["kind"]) for row in card["rows"]
                   if (row["query"], row["dim"], row["kind"]) not in places]
    out = []
    for query, dim in dict.fromkeys((query, dim) for query, dim, _ in places):
        kinds = [kind for q, d, kind in places if (q, d) == (query, dim)]
        kinds.sort(key=lambda kind: kind == "on record")
        rows = []
        for card in cards:
            found = {row["kind"]: row for row in card["rows"] if (row["query"], row["dim"]) == (query, dim)}
            if found:
                rows.append([f"`{card['contender']}`", *(cell(found.get(kind)) if kind != "on record" or found.get(kind)
                                                         else "–" for kind in kinds)])
        out.append(f"### {query}, {dim}D\n\n{table(['library', *kinds], rows)}")
    return "\n\n".join(out)


def wrapped(text, width=100):
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) + 1 > width:
            lines.append(word)
        else:
            lines[-1] += (" " if lines[-1] else "") + word
    return "\n".join(lines)


def made_of(run):
    cards = run["cards"]
    days = sorted({c["context"]["date"][:10] for c in cards})
    commits = sorted({c["context"]["commit"] for c in cards})
    option = "" if run["length"] == "usual" else f" --{run['length']}"
    head = wrapped(f"Run on {' to '.join(dict.fromkeys([days[0], days[-1]]))} at commit {' and '.join(commits)}, by "
                   f"`gjkbench suite {run['suite']}{option} --json cards.json`: {run['pairs']:,} pairs, and "
                   f"{run['on_record']:,} on record. Inputs `{run['inputs']}`, truths `{run['truths']}` of "
                   f"{run['truth_count']:,} pairs.")
    return f"## The {run['length']} length\n\n{head}\n\n{total(cards)}\n\n{by_query(cards)}"


def made(name):
    runs = [kept_run(name, length) for length in reversed(LENGTHS)]
    return "\n\n".join(made_of(run) for run in runs if run["cards"])


def main(words):
    if words[:1] == ["--keep"] and len(words) > 1:
        keep(words[1:])
    elif words not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    before = PAGE.read_text(encoding="utf-8")
    after = re.sub(r"(<!-- suite: ([0-9.]+) -->\n).*?(<!-- end -->)", lambda m: f"{m[1]}{made(m[2])}\n{m[3]}", before,
                   flags=re.S)
    if "<!-- suite: " not in before or (before != after and words == ["--check"]):
        print(f"{PAGE.name} is not what data/cards gives; run scripts/suite-cards.py")
        return 1
    if before != after:
        PAGE.write_text(after, encoding="utf-8")
    print(f"{PAGE.name} has the tables that data/cards gives")
    return 0


sys.exit(main(sys.argv[1:]))
