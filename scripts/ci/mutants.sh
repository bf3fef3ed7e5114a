# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
need_verify
"$program" selftest --json "$build/ci/faults.json"
# Of those made by rule some change no answer: which survive is listed, and not judged.
"$program" selftest --mutants 260 --json "$build/ci/mutants.json" --resume || [ $? -eq 1 ] || fail "selftest exited with neither 0 nor 1"
