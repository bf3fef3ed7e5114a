#!/usr/bin/env bash
# Builds every target of fuzz/targets/meson.build as OSS-Fuzz and ClusterFuzzLite ask for it, with its seeds, dictionary and
# options, into $OUT. They set CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, SRC, OUT and WORK; without docker set them yourself:
#
#   OUT=/somewhere CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
#   CFLAGS='-O1 -g -fsanitize=address,undefined,fuzzer-no-link' fuzz/oss-fuzz/build.sh
#
# ONLY names targets, with blanks between, to build no others. BACKENDS are those of the kernels (scalar,avx2).
set -euo pipefail
: "${OUT:?where targets go}" "${CC:=clang}" "${CXX:=clang++}" "${CFLAGS:=}" "${CXXFLAGS:=$CFLAGS}"
: "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}" "${BACKENDS:=scalar,avx2}"
export CC CXX CFLAGS CXXFLAGS LIB_FUZZING_ENGINE
if [ -n "${SRC:-}" ] && [ -d "$SRC/gjkbench" ]; then root=$SRC/gjkbench; else root=$(cd -- "$(dirname -- "$0")/../.." && pwd); fi
mkdir -p "$OUT/lib"
work=${WORK:-$(mktemp -d)}
build=$work/gjkbench

# Nobody else's libraries are looked for faults in; those that ours rest on come along, and theirs, which RPATH reaches and RUNPATH does not.
LDFLAGS="${LDFLAGS:-} -Wl,--disable-new-dtags,-rpath,\$ORIGIN/lib"
export LDFLAGS
[ -f "$build/build.ninja" ] || meson setup "$build" "$root" --buildtype=plain -Db_lundef=false -Dtests=disabled \
    -Dcontenders=disabled "-Dbackends=$BACKENDS"
table=$build/fuzz/targets/targets.txt
[ -n "${ONLY:-}" ] || ONLY=$(cut -d' ' -f1 "$table")
programs=()
for name in $ONLY; do programs+=("fuzz/targets/fuzz_$name"); done
ninja -C "$build" "${programs[@]}"

while read -r name corpora dictionaries; do
    [[ " ${ONLY//$'\n'/ } " == *" $name "* ]] || continue
    cp "$build/fuzz/targets/fuzz_$name" "$OUT/"
    rm -f "$OUT/fuzz_${name}_seed_corpus.zip"
    (cd "$root/fuzz/corpus" && tr ',' '\n' <<<"$corpora" | python3 -c '
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as out:
    for folder in sys.stdin.read().split():
        for name in sorted(os.listdir(folder)):
            out.write(os.path.join(folder, name), os.path.basename(folder) + "-" + name)
' "$OUT/fuzz_${name}_seed_corpus.zip")
    printf '[libfuzzer]\nmax_len = 16384\ntimeout = 30\n' >"$OUT/fuzz_$name.options"
    [ "$dictionaries" = - ] || for dictionary in ${dictionaries//,/ }; do
        cat "$root/fuzz/dictionaries/$dictionary.dict"
    done >"$OUT/fuzz_$name.dict"
    ldd "$OUT/fuzz_$name" | awk '$3 ~ /^\// { print $3 }' |
        grep -Ev '/(libc|libm|libdl|libpthread|librt|libresolv|libgcc_s|libstdc\+\+|ld-linux.*)\.so' |
        while read -r library; do cp -n "$library" "$OUT/lib/"; done
done <"$table"
[ -n "${WORK:-}" ] || rm -rf "$work"
