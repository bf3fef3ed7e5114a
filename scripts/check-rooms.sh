#!/usr/bin/env bash
# Includes go downward only: every room may include itself and the rooms of
# its row. usage: check-rooms.sh [SOURCE-FOLDER]
set -euo pipefail
cd -- "${1:-$(dirname -- "${BASH_SOURCE[0]}")/..}"

rooms='
core        -
simd        core
reference   core
contenders  core simd reference
fuzz        core simd reference contenders
bench       core simd reference contenders
reports     core simd reference contenders
history     core reports bench/statistics.h bench/rows.h
cli         core simd reference contenders fuzz bench reports history
'
# Public headers, include/gjkbench, are everybody's, and know nobody.

awk 'NF' <<<"$rooms" | {
    bad=0 files=0
    while read -r room allowed; do
        [ -d "$room" ] || continue
        while read -r file; do
            files=$((files + 1))
            while IFS=: read -r line include; do
                target=${include%%/*}
                case $include in
                    ../* | */../*) ;;
                    */*) [ -d "$target" ] || continue # a system header such as sys/mman.h
                         [[ $target == "$room" || " $allowed " == *" $target "* || " $allowed " == *" $include "* ]] && continue ;;
                    *) continue ;;
                esac
                echo "$file:$line: $room may not include \"$include\" (itself and: $allowed)"
                bad=$((bad + 1))
            done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' "$file" |
                sed -E 's/^([0-9]+):[^"<]*["<]([^">]*)[">].*/\1:\2/')
        done < <(find "$room" -name '*.[ch]' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.inc' -o -name '*.inl' | sort)
    done
    [ "$files" -gt 0 ] || { echo "no source files under $PWD"; exit 1; }
    [ "$bad" -eq 0 ] || { echo "$bad includes go upward or sideways"; exit 1; }
    echo "$files files: includes go downward only"
}
