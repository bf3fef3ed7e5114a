# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
[ "$(uname -m)" = x86_64 ] || skip "only on x86-64"
need qemu-x86_64
need_verify

# Emulated, hence fewer pairs, but a lane each in every register: 8 for each
# workload and family. One CPU for each step of the dispatch: the best
# that it has is SSE2, SSE4.1, AVX and AVX2. (qemu has no AVX-512.)
fingerprints "$build/ci/few.prints" --pairs 3k "$program"
for cpu in Conroe Nehalem SandyBridge Haswell; do
    echo "== $cpu"
    fingerprints "$build/ci/$cpu.prints" --pairs 3k qemu-x86_64 -cpu "$cpu" "$program"
    diff "$build/ci/few.prints" "$build/ci/$cpu.prints" || fail "fingerprints on an emulated $cpu differ"
done
