# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
need_verify
"$program" verify --contender batch --pairs 1M --out "$build/ci/failures"
