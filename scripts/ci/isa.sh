# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
[ "$(uname -m)" = x86_64 ] || skip "only on x86-64"
need objdump
exec "$root/scripts/check-isa.sh" "$build"
