# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
# What `native` asks a share of.
meson_tests "$build" --suite long --setup night
