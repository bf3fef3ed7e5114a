#!/usr/bin/env bash
# C tests that come with failures compile without a warning; they pass where the answer is right, and fail where the truth is
# another, or the answer. A test that is to fail promises it. usage: finds_compile.sh WRITE-FINDS INCLUDE-FOLDER LIBRARY-FOLDER
# CC and FLAGS are those of the build.
set -euo pipefail
writer=$1 include=$2 library=$3
read -ra cc <<<"${CC:-cc}"
read -ra flags <<<"${FLAGS:-}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$writer" "$work"
count=0 called=0
for source in "$work"/*.c; do
    "${cc[@]}" "${flags[@]}" -std=c17 -Wall -Wextra -Wpedantic -Werror -Wno-unused-const-variable "-I$include" "$source" -o "$work/test" \
        "-L$library" -lgjkbench -lm "-Wl,-rpath,$library"
    code=0
    "$work/test" >"$work/said" 2>&1 || code=$?
    wanted=0
    [[ $source != *-wrong-* ]] || wanted=1
    if [ "$code" != "$wanted" ]; then
        echo "${source##*/}: exits with $code instead of $wanted"
        cat "$work/said" "$source"
        exit 1
    fi
    promised=0
    ! grep -q 'Fails as long as that is so' "$source" || promised=1
    if [ "$promised" != "$wanted" ]; then
        echo "${source##*/}: promises to fail: $promised instead of $wanted"
        exit 1
    fi
    count=$((count + 1))
    # What its library answers is right, where what is recorded is not. The line is the one that the test gives.
    line=$(sed -n 's/^ \* \(c.* -DCALL .*\)$/\1/p' "$source")
    [ -z "$line" ] || {
        package=$(sed -n 's/.*libgjkbench \?\([a-z0-9]*\).*/\1/p' <<<"$line")
        read -ra found <<<"$([ -z "$package" ] || pkg-config --cflags --libs "$package")"
        read -ra linked <<<"$(grep -o -- ' -l[a-z]*' <<<"$line" | tr '\n' ' ')"
        compiler=("${cc[@]}")
        standard=-std=c17 # behind what a package asks for, which may be an older one
        [[ $line != c++* ]] || { read -ra compiler <<<"${CXX:-c++}"; compiler+=(-x c++); standard=-std=c++17; }
        "${compiler[@]}" "${flags[@]}" -DCALL -Wall -Wextra -Werror "-I$include" "$source" "${found[@]}" "${linked[@]}" "$standard" \
            -o "$work/test"
        "$work/test" || { echo "${source##*/}: its library is wrong when called"; cat "$source"; exit 1; }
        called=$((called + 1))
    }
done
echo "$called of them call a library"
[ "$count" -ge 100 ] || { echo "only $count tests"; exit 1; }
echo "$count tests"
