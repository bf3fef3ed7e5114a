#!/usr/bin/env bash
# Which lines of simd, reference and core the tests run, and which they never do: builds apart from everything else,
# with counters, runs what touches these rooms, and lists files from the least covered on, with the lines that are left.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/coverage.sh [--tests|--own|--replay|--corpora|--report] [--only NAME]... [--scalar] [--check] [DIR]

  --tests      run the tests of core, simd, reference, contenders and fuzz, and those of cli that replay
               files of pairs (the default); counters start from 0
  --own        run the tests of simd and reference alone; counters start from 0
  --replay     run nothing but the corpora of the fuzzers and the saved pairs; counters start from 0
  --corpora    run nothing but the corpora of the fuzzers, and tell of parsers in all rooms too: the build then has
               what reads meshes, archives and histories
  --report     run nothing: tell of the counters as they stand
  --only NAME  of those, this test or suite alone, and counters go on from where they stand; repeatable
  --scalar     build the scalar backend alone, in half the time; what only wider ones run is then listed too
  --check      exit 1 when simd or reference is below 95% of lines

DIR is a build folder of its own, ./build-coverage when not named. There are left: coverage.txt (what is
printed), coverage.json (gcovr's) and coverage/index.html, with every line.

One source makes all backends, so this builds two: scalar, and the widest that this CPU has. A line that several
objects hold counts as run when it ran in any. Not counted is what the preprocessor left out of all of them, for
another width say; files that no object holds are named.

exit: 0 fine, 1 a test failed or --check is not met, 2 a wrong word or something to install
TEXT
}

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
die() { printf 'coverage: %s\n' "$*" >&2; exit 2; }
say() { printf 'coverage: %s\n' "$*" >&2; }

# shellcheck source=scripts/deps.sh
. "$root/scripts/deps.sh"
# shellcheck source=scripts/build.sh
. "$root/scripts/build.sh"

mode=tests check='' dir='' only=() backends=''
while [ $# -gt 0 ]; do
    case $1 in
        --tests | --own | --replay | --corpora | --report) mode=${1#--} ;;
        --check) check=--check ;;
        --scalar) backends=scalar ;;
        --only) [ $# -gt 1 ] || die '--only takes the name of a test'; only+=("$2"); shift ;;
        --help | -h) usage; exit 0 ;;
        -*) die "unknown option '$1' (see --help)" ;;
        *) [ -z "$dir" ] || die "one folder, not '$dir' and '$1'"; dir=$1 ;;
    esac
    shift
done
dir=${dir:-$root/build-coverage}

# The counters are gcc's, and so is the gcov that reads them.
export CC=${CC:-gcc}
have "${CC%% *}" || die "CC=$CC: no such compiler here"
install_missing build tests coverage
have gcovr || die 'gcovr is not here'

widest() {
    local flags name flag
    flags=$(grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null || true)
    for name in avx512:avx512dq avx2:avx2 avx:avx sse4:sse4_1; do
        flag=${name#*:}
        case " $flags " in *" $flag "*) echo "${name%%:*}"; return ;; esac
    done
    echo scalar
}

# Nothing here depends on packaged libraries: they are other rooms' and others' code.
optional=disabled
[ "$mode" != corpora ] || optional=auto
configure "$dir" --buildtype=plain -Doptimization=1 -Ddebug=true -Db_coverage=true "-Dbackends=${backends:-scalar,$(widest)}" \
    -Dcontenders=disabled "-Dhistory=$optional" "-Dassimp=$optional" "-Dmodels=$optional" "-Darchive=$optional"
dir=$(cd -- "$dir" && pwd -P)

# What a mode runs is a row of MODES in coverage.py.
tell=$root/scripts/coverage.py
failed=0
if [ "$mode" != report ]; then
    suites=() names=() targets=() # suites too: a name alone may be another room's as well
    while IFS=$'\t' read -r suite name target; do
        suites+=(--suite "$suite")
        names+=("$name")
        targets+=("$target")
    done < <(python3 "$tell" select "$dir" "$mode" "${only[@]}")
    [ ${#names[@]} -gt 0 ] || die "nothing to run: --only ${only[*]:-} is of no test of --$mode"
    compile_quietly "$dir" "${targets[@]}" || die "building $dir failed"
    [ ${#only[@]} -gt 0 ] || find "$dir" -name '*.gcda' -delete
    say "running ${#names[@]} tests"
    # Counters make programs slow, and the machine is not ours alone: no timeout of meson's.
    nice -n 5 meson test -C "$dir" --no-rebuild --timeout-multiplier 0 --print-errorlogs \
        ${JOBS:+--num-processes "$JOBS"} "${suites[@]}" "${names[@]}" >"$dir/coverage.log" 2>&1 || failed=1
    [ "$failed" -eq 0 ] || { tail -n 40 "$dir/coverage.log" >&2; say "a test failed; all of it: $dir/coverage.log"; }
fi

mkdir -p "$dir/coverage"
rooms=(simd reference core scenes)
[ "$mode" != corpora ] || rooms+=(verify fuzz bench choose reports history cli)
filters=() objects=()
for room in "${rooms[@]}"; do
    filters+=(--filter "$root/$room/")
    [ ! -d "$dir/$room" ] || objects+=("$dir/$room")
done
# Of tests the lines are no matter. Objects of other rooms hold no line of these but of their headers.
gcovr --root "$root" --object-directory "$dir" -j "${JOBS:-2}" --gcov-executable "${GCOV:-gcov}" \
    "${filters[@]}" --exclude '.*/tests/.*' --json "$dir/coverage.json" --html-details "$dir/coverage/index.html" \
    "${objects[@]}" >"$dir/gcovr.log" 2>&1 ||
    { tail -n 20 "$dir/gcovr.log" >&2; die "gcovr failed; all of it: $dir/gcovr.log"; }
status=0
python3 "$tell" report "$root" "$dir" $check >"$dir/coverage.txt" || status=$?
cat "$dir/coverage.txt"
[ "$failed" -eq 0 ] || exit 1
exit "$status"
