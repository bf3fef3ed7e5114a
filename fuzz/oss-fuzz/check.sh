#!/usr/bin/env bash
# Runs build.sh here, without docker, and looks at what came of it: every target of the table, with seeds and dictionary, each of
# which takes its seeds under the sanitizers. usage: check.sh [OUT]   (a temporary folder; ONLY as for build.sh)
set -euo pipefail
here=$(cd -- "$(dirname -- "$0")" && pwd)
command -v clang >/dev/null || { echo "no clang: skipped"; exit 77; }
export OUT=${1:-$(mktemp -d)} WORK=${WORK:-$(mktemp -d)} CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer
export CFLAGS=${CFLAGS:-'-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=address,undefined,fuzzer-no-link'}
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
bash "$here/build.sh" >"$WORK/build.log" 2>&1 || { tail -20 "$WORK/build.log"; echo "build.sh failed"; exit 1; }
bad=0 count=0
while read -r name corpora dictionaries; do
    [ -z "${ONLY:-}" ] || [[ " $ONLY " == *" $name "* ]] || continue
    count=$((count + 1))
    target=$OUT/fuzz_$name
    if [ ! -x "$target" ]; then echo "$name: not built"; bad=1; continue; fi
    if [ ! -s "${target}_seed_corpus.zip" ]; then echo "$name: no seeds"; bad=1; continue; fi
    if [ "$dictionaries" != - ] && [ ! -s "$target.dict" ]; then echo "$name: no dictionary"; bad=1; fi
    seeds=$(mktemp -d)
    python3 -m zipfile -e "${target}_seed_corpus.zip" "$seeds"
    dictionary=()
    [ "$dictionaries" = - ] || dictionary=("-dict=$target.dict")
    if ! (cd "$seeds" && "$target" -runs=0 "${dictionary[@]}" "$seeds" >"$seeds.log" 2>&1); then
        echo "$name: fails on its seeds:"; tail -5 "$seeds.log"; bad=1
    fi
    rm -rf "$seeds" "$seeds.log"
done <"$WORK/gjkbench/fuzz/targets/targets.txt"
[ "$count" -gt 0 ] || { echo "no target in the table"; exit 1; }
[ "$bad" -eq 0 ] && echo "$count targets: built, with seeds, and fine on them"
exit "$bad"
