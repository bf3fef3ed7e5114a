# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
dir=$root/build-sanitize
# One source makes all backends: the narrowest, one without and one with
# predicate registers show what there is to be shown.
options=(--buildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false "-Dbackends=scalar,neon,sse4,avx512")
# Criterion 2.4.1 loses 48 bytes of its own when it runs certain numbers of tests side by side.
export CRITERION_JOBS=1
# Lines are all that a report needs: variables double what instrumented kernels take to compile. They name no folder of this
# clone, as a cache may give the object to another.
export CFLAGS="-fno-sanitize-recover=all -g1 -ffile-prefix-map=$root=." CXXFLAGS="-fno-sanitize-recover=all -g1 -ffile-prefix-map=$root=."
configure "$dir" "${options[@]}"
compile "$dir"
# The long tests ask millions of times what others ask thousands of times: their lines are clean or not in either. Plain ones
# run little of our C that others do not, and style reads sources.
chosen=(--no-suite long --no-suite plain --no-suite style)
[ "${1-}" != long ] || chosen=(--suite long --suite plain --setup night)
# Tests look through whole pages for words: the sanitizer's own strstr measures the page each time, which takes seven
# times as long as all the rest of such a test.
export ASAN_OPTIONS=intercept_strstr=0
meson_tests "$dir" --timeout-multiplier 6 "${chosen[@]}"

# Criterion passes a test whose leak AddressSanitizer printed.
if grep -q 'LeakSanitizer: detected' "$dir/meson-logs/testlog.txt"; then
    grep -A 6 -m 3 'LeakSanitizer: detected' "$dir/meson-logs/testlog.txt"
    fail "a test leaks memory"
fi
if [ "${1-}" != long ] && program=$(program_of "$dir") && "$program" verify --help >/dev/null 2>&1; then
    # All kinds of shape, all contenders and queries, of the families that leave the beaten track of each method.
    "$program" verify --pairs 500 --family mixed,touching,needle,parallel,needle-motion,box-graze \
        --out "$dir/failures" >/dev/null
    echo "$((passed)) tests and verify are clean"
fi
