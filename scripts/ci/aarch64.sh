# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
[ "$(uname -m)" != aarch64 ] || skip "this CPU is the target: the native stage has tested it"
need qemu-aarch64
need aarch64-linux-gnu-gcc
[ -e /usr/lib/aarch64-linux-gnu/pkgconfig/sleef.pc ] || skip "the arm64 libraries are not here (./bootstrap test installs them where it can)"
need_verify
dir=$root/build-aarch64
unset CC CXX CFLAGS CXXFLAGS LDFLAGS
configure "$dir" --buildtype=release --cross-file "$root/cross/aarch64-linux-gnu.ini" -Dcontenders=disabled
compile "$dir" "$program_target" core/tests/core_sleef_forms scenes/generate/tests/core_golden_scenes
# 8 pairs for each workload and family: every lane holds another pair.
neon=(qemu-aarch64 "$(program_of "$dir")")
"${neon[@]}" list
# What needs no Criterion, which does not run under an emulator.
for test in core/tests/core_sleef_forms scenes/generate/tests/core_golden_scenes; do
    qemu-aarch64 "$dir/$test" || fail "$test fails on aarch64"
done
taken=$("${neon[@]}" list --json | python3 "$root/scripts/ci/backends.py" --best)
[ "$taken" = neon ] || fail "aarch64 takes '$taken', not neon"
native_prints 3k
fingerprints "$build/ci/aarch64.prints" --pairs 3k env GJKBENCH_BACKEND=neon "${neon[@]}"
diff "$prints" "$build/ci/aarch64.prints" || fail "fingerprints of aarch64 differ from x86-64's"
"${neon[@]}" suite 2026.1 --short --hashes || fail "a suite has other pairs or truths on aarch64"
echo "$(wc -l <"$build/ci/aarch64.prints") fingerprints of aarch64 equal x86-64's"
