#!/usr/bin/env bash
# Fingerprints of the batched kernels on a small fixed workload, one line per
# query, precision and family, sorted; two builds are the same when their
# lines are. Fails when backends of this one program differ.
# usage: fingerprints.sh [--pairs N] COMMAND...   (COMMAND runs gjkbench)
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
pairs=512
if [ "${1-}" = --pairs ]; then
    pairs=$2
    shift 2
fi
[ $# -gt 0 ] || { echo 'usage: fingerprints.sh [--pairs N] COMMAND...' >&2; exit 2; }

table=$(mktemp)
trap 'rm -f "$table"' EXIT
status=0
"$@" verify --contender batch --pairs "$pairs" --seed 1 --json - >"$table" || status=$?
# 1 means wrong answers: their fingerprints are worth comparing all the same.
[ "$status" -le 1 ] || { echo "verify exited with $status" >&2; exit "$status"; }
python3 "$here/fingerprints.py" "$table"
