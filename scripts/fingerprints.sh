#!/usr/bin/env bash
# Fingerprints of the batched kernels on a small fixed workload, one line per
# dimension, query, precision, workload and family, sorted; two builds are the same when their
# lines are. Exits with 1 when backends of this one program differ: a case then
# has several fingerprints.
# usage: fingerprints.sh [--pairs N] COMMAND...   (COMMAND runs gjkbench)
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
pairs=20000
if [ "${1-}" = --pairs ]; then
    pairs=$2
    shift 2
fi
[ $# -gt 0 ] || { echo 'usage: fingerprints.sh [--pairs N] COMMAND...' >&2; exit 2; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
"$@" verify --contender batch --pairs "$pairs" --seed 1 --audit 0 --out "$scratch/failures" \
    --json - >"$scratch/table" 2>"$scratch/log" || status=$?
# 1 means wrong answers: verification is another test, and their fingerprints
# are worth comparing all the same.
if [ "$status" -gt 1 ]; then
    tail -n 5 "$scratch/log" >&2
    echo "verify exited with $status" >&2
    exit "$status"
fi
grep ' pairs in ' "$scratch/log" >&2 || true
python3 "$here/fingerprints.py" "$scratch/table"
