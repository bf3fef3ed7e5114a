#!/bin/sh
# Whether a real slow-down is found, and the commit that made it: takes the last commit, adds eight to it of which the
# third changes when tiles are spilled and the sixth drops the optimisation of kernels from 3 to 1, and asks `compare --bisect`
# for both. The others change words in a document.
#
# usage: scripts/inject.sh PROGRAM FOLDER [OPTION OF COMPARE...]
set -eu
if [ $# -lt 2 ]; then
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    exit 2
fi
program=$(realpath "$1") folder=$2
shift 2
top=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
mkdir -p "$folder"
folder=$(realpath "$folder")
if [ ! -d "$folder/source" ]; then
    git clone -q "$top" "$folder/source"
    cd "$folder/source"
    git config user.name nobody
    git config user.email nobody@localhost
    git tag before
    for number in 1 2 3 4 5 6 7 8; do
        case $number in
        3) sed -i 's|^#define SPARE_LANES .*|#define SPARE_LANES 0|' simd/context.h ;;
        6) sed -i "s|^kernel_options = .*|kernel_options = ['optimization=1']|" simd/meson.build ;;
        *) echo "Words, $number." >>docs/design.md ;;
        esac
        git diff --quiet && { echo "inject.sh: commit $number changes nothing: has its line been renamed?" >&2; exit 1; }
        git commit -qam "Change $number"
        git tag "change-$number"
    done
fi
cd "$folder/source"
found=0
for range in "before change-5 3" "change-5 change-8 6"; do
    set -- $range "$@"
    old=$1 new=$2 guilty=$3
    shift 3
    status=0
    "$program" compare "$old" "$new" --bisect --builds "$folder/builds" "$@" >"$folder/$new.txt" || status=$?
    cat "$folder/$new.txt"
    commit=$(git rev-parse --short=12 "change-$guilty")
    if [ $status -eq 3 ] && grep -q "^$commit" "$folder/$new.txt"; then
        echo "== found: change $guilty, $commit"
    else
        echo "== not found: change $guilty, $commit (exit $status)"
        found=1
    fi
done
exit $found
