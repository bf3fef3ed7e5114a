# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
[ "$(uname -m)" = x86_64 ] || skip "only on x86-64"
need qemu-x86_64
need_verify
old=(qemu-x86_64 -cpu Nehalem "$program")
"${old[@]}" list
[ -s "$build/ci/native.prints" ] || fingerprints "$build/ci/native.prints" "$program"
# Emulated: few pairs, so that the native build repeats them to compare.
fingerprints "$build/ci/oldcpu.want" --pairs 16 "$program"
fingerprints "$build/ci/oldcpu.prints" --pairs 16 "${old[@]}"
diff "$build/ci/oldcpu.want" "$build/ci/oldcpu.prints" || fail "fingerprints differ on a CPU without AVX"
