"""What is told of a fault and of all of them."""


def caught_by(line):
    return [name for name, answer in line["layers"].items() if answer["caught"]]


def search_seconds(line):
    """Until a layer other than fingerprints noticed; None when none did."""
    spent = 0.0
    for name, answer in line["layers"].items():
        if name == "bits":
            continue
        spent += answer["seconds"]
        if answer["caught"]:
            return spent
    return None


def print_line(line):
    caught = caught_by(line)
    what = "; ".join(f"{name} {line['layers'][name]['seconds']:.1f} s ({line['layers'][name]['how']})" for name in caught)
    print(f"{line['name']:28} {line['file']}:{line['line']}  {what if caught else 'SURVIVES' if line['done'] else 'not yet'}", flush=True)


def summary(lines):
    rows = []
    for made in ("by hand", "by rule"):
        mine = [line for line in lines if line["made"] == made]
        if not mine:
            continue
        caught = [line for line in mine if caught_by(line)]
        right = [search_seconds(line) for line in mine if search_seconds(line) is not None]
        firsts = {}
        for line in caught:
            for name in caught_by(line):
                firsts[name] = firsts.get(name, 0) + 1
        rows.append({"made": made, "faults": len(mine), "caught": len(caught), "caught_by_correctness": len(right),
                     "within_10_s": sum(1 for line in caught if min(
                         [t for t in (search_seconds(line), line["layers"].get("bits", {}).get("seconds")
                                      if "bits" in caught_by(line) else None) if t is not None]) <= 10),
                     "correctness_within_10_s": sum(1 for s in right if s <= 10), "by_layer": firsts,
                     "survivors": [line["name"] for line in mine if not caught_by(line)]})
    return rows


def print_summary(rows):
    for row in rows:
        print(f"\nmade {row['made']}: {row['caught']} of {row['faults']} caught ({100 * row['caught'] / row['faults']:.1f}%), "
              f"{row['within_10_s']} within ten seconds; without fingerprints {row['caught_by_correctness']}, "
              f"{row['correctness_within_10_s']} within ten seconds")
        for name, count in row["by_layer"].items():
            print(f"  {name:14} {count}")
        if row["survivors"]:
            print("  survive: " + " ".join(row["survivors"]))
