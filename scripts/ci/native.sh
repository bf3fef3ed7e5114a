# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
pkg-config --exists criterion || echo "Criterion is not here: only the tests that need none"
# Timeouts end what hangs; a busy machine is no hang.
meson_tests "$build" --timeout-multiplier 4
