# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
[ "$(uname -m)" = x86_64 ] || skip "only on x86-64"
need qemu-x86_64
need_verify
# All backends that a CPU has, except the best one, which `oldcpu` runs, and full registers with tails behind them.
native_prints 10k
for cpu in Conroe Nehalem SandyBridge Haswell; do
    fingerprints "$build/ci/$cpu-all.prints" --pairs 10k qemu-x86_64 -cpu "$cpu" "$program"
    diff "$prints" "$build/ci/$cpu-all.prints" || fail "fingerprints on an emulated $cpu differ"
done
neon=$(program_of "$root/build-aarch64") || { echo "aarch64 is left out: the stage aarch64 builds it"; exit 0; }
fingerprints "$build/ci/aarch64-all.prints" --pairs 10k qemu-aarch64 "$neon"
diff "$prints" "$build/ci/aarch64-all.prints" || fail "fingerprints of aarch64 differ from x86-64's"
