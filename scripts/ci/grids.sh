# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
need_verify
# Five million pairs, others every night: all in 208 nights. (The grid in 2D is part of native-long.)
night=$(($(date +%s) / 86400 % 208 + 1))
"$program" verify --exhaustive grid3 --contender batch --shard "$night/208" --out "$build/ci/failures"
