#!/usr/bin/env bash
# Tests an installed copy of the kernels, found only by pkg-config: the example built against the shared
# and the static library, in C and from C++; and the program away from its sources.
# usage: test-engine.sh BUILD-FOLDER SOURCE-FOLDER
# CC, CXX and FLAGS are those of the build: what is sanitized links with what is.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
build=$1 source=$2
read -ra cc <<<"${CC:-cc}"
read -ra cxx <<<"${CXX:-}"
read -ra flags <<<"${FLAGS:-}"
fail() { echo "$*" >&2; exit 1; }
work=$(mktemp -d "$build/engine.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root

DESTDIR=$root meson install -C "$build" --no-rebuild >"$work/install.log" || fail "$(cat "$work/install.log")"
pc=$(find "$root" -name libgjkbench.pc)
[ -f "$pc" ] || fail "no libgjkbench.pc is installed"
# Flags of /usr too, which are not the system's here.
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
pkgconfig() { PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$root pkg-config "$@"; }
read -ra cflags <<<"$(pkgconfig --cflags libgjkbench)"
read -ra shared <<<"$(pkgconfig --libs libgjkbench)"
read -ra needs <<<"$(pkgconfig --static --libs libgjkbench)"
static=("${needs[@]/#-lgjkbench/-l:libgjkbench.a}")
library=$(find "$root" -name 'libgjkbench.so.*.*')
export LD_LIBRARY_PATH=${library%/*}
warnings=(-Wall -Wextra -Wpedantic -Werror)

# On paper: the sphere's surface is 4 - 1 - 1/2 from the box's face; the boxes share 2 - 1.25 along z; the
# corner of the tetrahedron is 3 - 1 away.
want='0 and 1: apart by 2.5000 along 1.0000 0.0000 0.0000
0 and 2: overlap by 0.7500 along 0.0000 0.0000 1.0000
0 and 3: apart by 2.0000 along 1.0000 0.0000 0.0000'
answers() {
    local got
    got=$("$1") || fail "$1 fails"
    [ "$got" = "$want" ] || fail "$(printf '%s\n' "$1 says:" "$got")"
}
cp "$here/engine/engine.c" "$work"
"${cc[@]}" -std=c17 -O2 "${warnings[@]}" "${flags[@]}" "${cflags[@]}" "$work/engine.c" -o "$work/engine-shared" "${shared[@]}"
"${cc[@]}" -std=c17 -O2 "${warnings[@]}" "${flags[@]}" "${cflags[@]}" "$work/engine.c" -o "$work/engine-static" "${static[@]}"
answers "$work/engine-shared"
(unset LD_LIBRARY_PATH; answers "$work/engine-static")
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
needed "$work/engine-shared" | grep -q '^libgjkbench\.so\.2$' || fail "the shared example does not ask for libgjkbench.so.2"
if needed "$work/engine-static" | grep gjkbench; then fail "the static example asks for a shared library"; fi

if [ "${#cxx[@]}" -gt 0 ]; then
    cat >"$work/engine.cpp" <<'CPP'
#include <gjkbench/kernels.h>
int main()
{
    char error[100];
    gjb_shapes shapes = gjb_shapes();
    gjb_kernels *refused = gjb_kernels_prepare(&shapes, nullptr, error, sizeof error);
    return !gjb_kernels_available("scalar") || refused || error[0] != 's' || gjb_kernels_run(nullptr, nullptr, 0, nullptr, 0) != -1;
}
CPP
    for standard in c++11 c++20; do
        "${cxx[@]}" -std=$standard "${warnings[@]}" "${flags[@]}" "${cflags[@]}" "$work/engine.cpp" -o "$work/engine-$standard" "${shared[@]}"
        "$work/engine-$standard" || fail "from $standard the library does not do what it does from C"
    done
fi

# The lines that README shows are those that were just tried.
sed -n '/from here/,/to here/p' "$work/engine.c" | sed '1d;$d;s/^    //' >"$work/lines"
awk '/^## The kernels in your engine/ { here = 1; next } /^## / { here = 0 } here && /^```c$/ { code = 1; next }
    /^```$/ { code = 0 } code' "$source/README.md" >"$work/readme"
[ -s "$work/readme" ] || fail "README.md shows no lines for engines"
diff "$work/lines" "$work/readme" >&2 || fail "README.md shows other lines (>) than examples/engine/engine.c has (<)"

# All that the program takes from its sources when it runs is installed too.
program=$(find "$root" -type f -name gjkbench -path '*/bin/*')
data=$(find "$root" -type d -path '*/share/gjkbench')
if [ ! -x "$program" ] || [ ! -d "$data" ]; then fail "the program or its data are not installed"; fi
cd "$work"
export GJKBENCH_DATA=$data
for words in "explain tutorial --no-pictures" "explain hulls --no-pictures" "step $data/motion/boxes.json" \
    "report $data/league.json --out league" "verify --dim 2 --workload box --family near --query distance --pairs 20 --contender batch --out failed"; do
    read -ra words <<<"$words"
    "$program" "${words[@]}" >"$work/said" 2>&1 || fail "gjkbench ${words[*]}: $(tail -n 3 "$work/said")"
done
scenes=$("$program" list | awk '/^[a-z]/ { title = $1 } title == "recorded" && /^  [a-z]/ { print $1 }')
[ -n "$scenes" ] || fail "no recorded scene is listed"
"$program" bench --workload "$(paste -sd, <<<"$scenes")" --query intersect --contender batch --backend scalar --precision f32 \
    --min-time 1ms --out failed --json bench.json >"$work/said" 2>&1 || fail "recorded scenes: $(tail -n 3 "$work/said")"
for file in man/man1/gjkbench.1 man/man3/gjkbench.3 man/man5/gjkbench-scene.5 bash-completion/completions/gjkbench \
    zsh/site-functions/_gjkbench fish/vendor_completions.d/gjkbench.fish; do
    [ -n "$(find "$root" -path "*/share/$file*")" ] || fail "share/$file is not installed"
done
echo "the example answers as on paper, linked to the shared and to the static library; the program runs without its sources"
