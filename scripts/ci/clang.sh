# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
need_verify
other=clang
if "${CC:-cc}" --version 2>/dev/null | grep -qi clang; then other=gcc; fi
need "$other"
export CC=$other CXX
[ "$other" = clang ] && CXX=clang++ || CXX=g++
configure "$root/build-$other" --buildtype=release -Dtests=disabled -Dcontenders=disabled -Dwerror=true
compile "$root/build-$other"
[ -s "$build/ci/native.prints" ] || fingerprints "$build/ci/native.prints" "$program"
fingerprints "$build/ci/$other.prints" "$(program_of "$root/build-$other")"
same_fingerprints "$other" "$build/ci/$other.prints"
