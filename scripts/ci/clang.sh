# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
need_verify
other=clang
if "${CC:-cc}" --version 2>/dev/null | grep -qi clang; then other=gcc; fi
need "$other"
export CC=$other CXX
[ "$other" = clang ] && CXX=clang++ || CXX=g++
# Every kind of lanes (avx has those of avx2), at the release's -O3: another optimizer is what this is about.
# The program alone.
configure "$root/build-$other" --buildtype=release -Dtests=disabled -Dcontenders=disabled -Dwerror=true \
    "-Dbackends=scalar,neon,sse4,avx2,avx512vl,avx512"
compile "$root/build-$other" "$program_target"
fingerprints "$build/ci/$other.prints" --pairs 20k "$(program_of "$root/build-$other")"
"$(program_of "$root/build-$other")" suite 2026.1 --short --hashes || fail "a suite has other pairs or truths by $other"
same_fingerprints "$other" "$build/ci/$other.prints" 20k
