#!/usr/bin/env bash
# Builds and runs the example plug-ins outside the tree, against an installed copy found only by
# pkg-config. usage: test.sh BUILD-FOLDER
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
build=$1
fail() { echo "$*" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

DESTDIR=$work/root meson install -C "$build" --no-rebuild >"$work/install.log" || fail "$(cat "$work/install.log")"
program=$(find "$work/root" -type f -name gjkbench -perm -100)
pc=$(find "$work/root" -name gjkbench.pc)
[ -x "$program" ] && [ -f "$pc" ] || fail "nothing is installed"
export PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$work/root
# shellcheck disable=SC2046  # flags
read -ra flags <<<"$(pkg-config --cflags gjkbench)"
unset PKG_CONFIG_SYSROOT_DIR

# Each header compiles alone, in every language that it supports.
for header in types contender adapter kernels; do
    for language in 'c -std=c99 cc' 'c -std=c17 cc' 'c++ -std=c++11 c++' 'c++ -std=c++20 c++'; do
        read -r name standard compiler <<<"$language"
        command -v "$compiler" >/dev/null || continue
        echo "#include <gjkbench/$header.h>" |
            "$compiler" -x "$name" "$standard" -Wall -Wextra -Wpedantic -Werror "${flags[@]}" -fsyntax-only - ||
            fail "$header.h does not compile alone as $standard"
    done
done
if grep -rE '#include[ ]+[<"](core|simd|contenders)/' "${flags[0]#-I}"; then fail "headers name what is not installed"; fi

# The one in C++17: all right, in every family, whatever the size of the shapes.
if command -v c++ >/dev/null; then
    c++ -std=c++17 -O2 -ffp-contract=off -fPIC -shared -fvisibility=hidden -Wall -Wextra -Wpedantic -Werror "${flags[@]}" \
        "$here/plugin-cpp/capsules.cpp" -o "$work/capsules.so" || fail "the C++ example does not compile as C++17"
    "$program" verify --plugin "$work/capsules.so" --contender toy-capsules --workload capsule,sphere,mixed-kinds \
        --pairs 3000 --out "$work/failures" --save-all --json "$work/capsules.json" >"$work/capsules.txt" ||
        fail "verify: $(cat "$work/capsules.txt")"
    python3 - "$work/capsules.json" <<'PYTHON' || fail "the C++ example is wrong: $(cat "$work/capsules.txt")"
import json, sys
rows = json.load(open(sys.argv[1]))["rows"]
assert {row["query"] for row in rows} == {"intersect", "distance", "penetration", "signed_distance"}, rows
assert sum(row["wrong"] + row["crashed"] + row["hung"] for row in rows) == 0
graded = sum(row["graded"] for row in rows)
assert graded > 2000, graded
print(f"{graded} answers of the C++ example, none wrong")
PYTHON
fi

pkg-config --exists geos || { echo "GEOS is not installed: only the headers were tested"; exit 77; }
cp -r "$here/plugin-geos" "$work/plugin"
cd "$work/plugin"
PKG_CONFIG_SYSROOT_DIR=$work/root meson setup build >"$work/setup.log" 2>&1 || fail "$(tail -n 20 "$work/setup.log")"
ninja -C build >"$work/ninja.log" 2>&1 || fail "$(cat "$work/ninja.log")"
if grep -n 'warning:' "$work/ninja.log"; then fail "the example compiles with warnings"; fi

# No file of gjkbench names GEOS, and yet it takes part in everything.
so=$PWD/build/geos.so
"$program" list --plugin "$so" >"$work/list.txt"
grep -q '^  geos .*LGPL' "$work/list.txt" || fail "list does not show it"
"$program" verify --plugin "$so" --contender geos,batch --backend scalar --dim 2 --precision f64 --pairs 400 --out "$work/failures" \
    --json "$work/verify.json" >"$work/verify.txt" || fail "verify: $(cat "$work/verify.txt")"
"$program" bench --plugin "$so" --plugin "$so:indexed" --contender geos,geos-indexed,reference --dim 2 --query distance \
    --workload polygon8 --family mixed --shapes 256 --min-time 2ms --json "$work/bench.json" >"$work/bench.txt" 2>&1 ||
    fail "bench: $(cat "$work/bench.txt")"
python3 - "$work/verify.json" "$work/bench.json" <<'PYTHON'
import json, sys
verify, bench = (json.load(open(path)) for path in sys.argv[1:])
rows = [row for row in verify["rows"] if row["contender"] == "geos"]
assert {row["query"] for row in rows} == {"intersect", "distance"}, rows
apart = [row for row in rows if row["query"] == "distance" and row["family"] == "far"]
assert apart and sum(row["graded"] for row in apart) > 0 and sum(row["wrong"] for row in apart) == 0, apart
assert sum(row["crashed"] + row["hung"] + row["unwritten"] for row in rows) == 0
timed = {row["contender"]: row for row in bench["benchmarks"] if "contender" in row}
assert {"geos", "geos-indexed", "reference"} <= set(timed), sorted(timed)
assert timed["geos"]["label"] != timed["geos-indexed"]["label"], "the option has no effect"
print(f"{sum(row['pairs'] for row in rows)} pairs of a library that gjkbench has never seen")
PYTHON
if "$program" list --plugin "$so:faster" >"$work/out" 2>"$work/err"; then fail "an unknown option is taken"; fi
grep -q "there is only 'indexed'" "$work/err" || fail "an option's refusal is not shown: $(cat "$work/err")"
