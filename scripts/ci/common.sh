# Sourced by every stage.
# shellcheck shell=bash disable=SC2034
set -euo pipefail
root=${ROOT:-$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)}
build=$root/build
# shellcheck source=scripts/build.sh
. "$root/scripts/build.sh"

skip() { echo "$*"; exit 77; }
fail() { echo "$*"; exit 1; }
need() { command -v "$1" >/dev/null 2>&1 || skip "$1 is not here"; }

# Runs meson's tests in DIR and counts them from meson's own log. Sets
# `passed`, `failed`, `skipped`.
meson_tests() {
    local dir=$1 status=0
    shift
    rm -f "$dir/meson-logs/testlog.json"
    # One more than there are processors: many tests wait for a child or for time to pass.
    meson test -C "$dir" --no-rebuild --print-errorlogs --num-processes "${JOBS:-$(($(nproc) + 1))}" "$@" || status=$?
    read -r passed failed skipped < <(python3 "$root/scripts/ci/count.py" "$dir/meson-logs/testlog.json")
    cp "$dir/meson-logs/testlog.json" "$build/ci/${STAGE:-$(basename "$0" .sh)}.testlog.json" 2>/dev/null || true
    [ -z "${COUNTS-}" ] || echo "$passed $failed $skipped" >"$COUNTS"
    [ $((passed + failed + skipped)) -gt 0 ] || skip "no tests are registered"
    # Count and exit code must agree: a runner that died counts nothing.
    [ "$failed" -eq 0 ] || fail "$failed of $((passed + failed)) tests failed"
    [ "$status" -eq 0 ] || fail "meson test exited with $status"
}

# fingerprints FILE COMMAND...: of a program, into a file. Sets `differing` to
# 1 when its backends differ among themselves; a case then has several, and
# can still be compared with another build's.
fingerprints() {
    local file=$1 status=0
    shift
    differing=0
    "$root/scripts/fingerprints.sh" "$@" >"$file" || status=$?
    [ "$status" -ne 1 ] || differing=1
    [ "$status" -le 1 ] || fail "no fingerprints from: $*"
}

# native_prints PAIRS: sets `prints` to a file of the native program's, of so many pairs, on all backends of this
# CPU. Stages share it, and it is made again only when the program is newer. Fails when backends differ.
native_prints() {
    prints=$build/ci/native-$1.prints
    if [ ! -s "$prints" ] || [ "$program" -nt "$prints" ]; then
        fingerprints "$prints.new" --pairs "$1" "$program"
        [ "$differing" -eq 0 ] || fail "backends differ"
        mv "$prints.new" "$prints"
    fi
}

# same_fingerprints NAME FILE PAIRS: the file against the native build's.
same_fingerprints() {
    native_prints "$3"
    diff "$prints" "$2" || fail "fingerprints of $1 differ from the native build's"
    echo "$(wc -l <"$2") fingerprints of $1 equal the native build's"
}

# What needs the program waits for a checkout that has it and can verify.
need_verify() {
    program=$(program_of "$build") || skip "this checkout builds no gjkbench yet"
    "$program" verify --help >/dev/null 2>&1 || skip "this checkout cannot verify yet"
}
