# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
need_verify
native_prints 20k

# Forced one at a time, as a user would, each must tell the same: of fewer pairs,
# for what differs between backends has shown above.
native_prints 3k
count=0
for backend in $("$program" list --json | python3 "$root/scripts/ci/backends.py"); do
    fingerprints "$build/ci/forced.$backend" --pairs 3k env GJKBENCH_BACKEND="$backend" "$program"
    diff "$prints" "$build/ci/forced.$backend" || fail "fingerprints of $backend, forced, differ"
    count=$((count + 1))
done
[ "$count" -gt 0 ] || fail "list names no backend of this CPU"

# A backend that does not exist is refused, never replaced.
status=0
GJKBENCH_BACKEND=nonesuch "$program" verify --contender batch --pairs 1 >/dev/null 2>&1 || status=$?
[ "$status" -eq 2 ] || fail "an unknown backend exits with $status, not 2"
