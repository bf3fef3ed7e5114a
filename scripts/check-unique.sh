#!/bin/sh
# Whether two objects of the program define one name: of two libraries the linker takes either without a word.
# usage: check-unique.sh BUILD
set -eu
cd "$1"
objects=$(find . \( -path '*.a.p/*.o' -o -path './cli/gjkbench.p/*.o' \) ! -name 'test*' ! -path '*/tests/*' ! -path '*fake*' ! -path '*sample*' | sort)
[ "$(echo "$objects" | wc -l)" -gt 100 ] || { echo "$1: hardly any objects: is it a build folder?" >&2; exit 1; }
names=$(echo "$objects" | tr '\n' '\0' | xargs -0 nm -gA --defined-only) || { echo "nm cannot read the objects" >&2; exit 1; }
twice=$(echo "$names" | awk '
    $(NF-1) ~ /^[TDBRC]$/ { if ($NF in by && by[$NF] != $1) print $NF ": " by[$NF] " and " $1; by[$NF] = $1 }' |
    grep -v '^main: ' || true)
[ -z "$twice" ] || { echo "$twice" >&2; exit 1; }
echo "$(echo "$objects" | wc -l) objects, no name twice"
