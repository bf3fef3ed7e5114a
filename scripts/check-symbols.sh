#!/usr/bin/env bash
# What libgjkbench shows to others: the shared one exports what the map lists, and nothing else; the
# static one holds that and itself all that it needs but for what packages bring, and no name that could
# be somebody else's. usage: check-symbols.sh SHARED STATIC MAP
set -euo pipefail
[ $# -eq 3 ] || { echo "usage: check-symbols.sh SHARED STATIC MAP" >&2; exit 2; }
shared=$1 static=$2 map=$3
command -v nm >/dev/null || { echo "nm is not here"; exit 77; }
fail() { echo "$*"; exit 1; }

# "NAME@@VERSION" of each, as nm shows it.
listed=$(sed 's,/\*.*\*/,,' "$map" | awk '/^[A-Z0-9_]+ \{/ { version = $1 }
    $1 == "global:" || $1 == "local:" { part = $1; next }
    part == "global:" && /^ *[a-z0-9_]+;$/ { sub(/;/, "", $1); print $1 "@@" version }' | sort)
exported=$(nm -D --defined-only "$shared" | awk '$2 != "A" { print $3 }' | sort)
[ -n "$listed" ] || fail "$map lists nothing"
if ! difference=$(diff <(echo "$listed") <(echo "$exported")); then
    fail "$(printf '%s\n' "$shared: exports other symbols than $map lists (< listed, > exported):" "$difference")"
fi

# Sanitizers add names of their own.
defined=$(nm -g --defined-only "$static" 2>/dev/null | awk 'NF == 3 && $3 !~ /^(__asan|__odr_asan|__ubsan|__emutls)/ { print $3 }' | sort -u)
if foreign=$(grep -v '^gjb_' <<<"$defined"); then fail "$static: defines names that do not begin with gjb_: $foreign"; fi
missing=$(comm -23 <(cut -d @ -f 1 <<<"$listed") <(echo "$defined"))
[ -z "$missing" ] || fail "$static: lacks $missing"
needed=$(nm -u "$static" 2>/dev/null | awk '$1 == "U" && $2 ~ /^gjb_/ { print $2 }' | sort -u | comm -23 - <(echo "$defined"))
[ -z "$needed" ] || fail "$static: needs what it does not hold: $needed"

# What a program gets with it: mathematics and the C library.
if command -v readelf >/dev/null; then
    node=$(head -n 1 <<<"$listed" | sed 's/.*@@GJKBENCH_//')
    readelf -d "$shared" | grep -q "SONAME.*\[libgjkbench\.so\.$node\]" || fail "$shared: its soname does not end with .$node"
    others=$(readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -vE '^(libsleef|libm|libc|libpthread|libgcc_s|lib[ault]*san|libubsan|ld-linux[-a-z0-9_]*)\.so' || true)
    [ -z "$others" ] || fail "$shared: needs $others"
fi
echo "$(wc -l <<<"$listed") symbols are exported, as listed; all $(wc -l <<<"$defined") of the static library begin with gjb_"
