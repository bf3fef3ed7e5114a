# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
need_verify
other=clang
if "${CC:-cc}" --version 2>/dev/null | grep -qi clang; then other=gcc; fi
need "$other"
export CC=$other CXX
[ "$other" = clang ] && CXX=clang++ || CXX=g++
configure "$root/build-$other" --buildtype=release -Dtests=disabled -Dcontenders=disabled -Dwerror=true
# Every backend, as their lanes differ, at the release's -O3: another optimizer is what this is about. The program alone.
compile "$root/build-$other" "$program_target"
fingerprints "$build/ci/$other.prints" --pairs 20k "$(program_of "$root/build-$other")"
same_fingerprints "$other" "$build/ci/$other.prints" 20k
