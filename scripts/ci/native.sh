# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
pkg-config --exists criterion || echo "Criterion is not here: only the tests that need none"
meson_tests "$build"
