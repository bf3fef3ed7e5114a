# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
[ "$(uname -m)" = x86_64 ] || skip "only on x86-64"
need qemu-x86_64
need_verify

# Emulated, hence fewer pairs, but a lane each in every register: 8 for each
# workload and family. One CPU for each step of the dispatch, which must take
# the best that it has and run that. (qemu has no AVX-512.)
native_prints 3k
for row in Conroe:scalar Nehalem:sse4 SandyBridge:avx Haswell:avx2; do
    cpu=${row%:*} backend=${row#*:}
    echo "== $cpu, $backend"
    taken=$(qemu-x86_64 -cpu "$cpu" "$program" list --json | python3 "$root/scripts/ci/backends.py" --best)
    [ "$taken" = "$backend" ] || fail "an emulated $cpu takes '$taken', not $backend"
    fingerprints "$build/ci/$cpu.prints" --pairs 3k env GJKBENCH_BACKEND="$backend" qemu-x86_64 -cpu "$cpu" "$program"
    diff "$prints" "$build/ci/$cpu.prints" || fail "fingerprints on an emulated $cpu differ"
done
