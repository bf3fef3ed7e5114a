#!/usr/bin/env bash
# Fingerprints of the batched kernels on small fixed workloads, one line per
# dimension, query, precision, workload and family, sorted; two builds are the same when their
# lines are. Large hulls, which have code of their own beyond 1,024 vertices, come
# in fewer pairs, and so do manifolds, which take longer, and half-spaces. Exits with
# 1 when backends of this one program differ: a case then has several fingerprints.
# usage: fingerprints.sh [--pairs N] COMMAND...   (COMMAND runs gjkbench)
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
pairs=20000
if [ "${1-}" = --pairs ]; then
    pairs=$2
    shift 2
fi
case $pairs in *k) pairs=$((${pairs%k} * 1000)) ;; esac
[ $# -gt 0 ] || { echo 'usage: fingerprints.sh [--pairs N] COMMAND...' >&2; exit 2; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# verify TABLE PAIRS COMMAND... -- OPTION...
verify() {
    local table=$1 count=$2 status=0 command=()
    shift 2
    while [ "$1" != -- ]; do
        command+=("$1")
        shift
    done
    shift
    "${command[@]}" verify --contender batch --pairs "$count" --seed 1 --answers-only --out "$scratch/failures" "$@" \
        --json - >"$table" 2>"$scratch/log" || status=$?
    # 1 means that backends differ, which fingerprints.py tells case by case.
    if [ "$status" -gt 1 ]; then
        tail -n 5 "$scratch/log" >&2
        echo "verify exited with $status" >&2
        exit "$status"
    fi
    grep ' pairs in ' "$scratch/log" >&2 || true
}

verify "$scratch/usual" "$pairs" "$@" --
verify "$scratch/large" $((pairs / 100 + 1)) "$@" -- --dim 3 --workload hull1024,hull4096
# A record of a manifold counts as a whole: normal, number, points, separations and feature ids. It is asked by name.
verify "$scratch/manifold" $((pairs / 3 + 1)) "$@" -- --query manifold
# Nor are half-spaces in what is asked without a name.
verify "$scratch/halfspace" $((pairs / 10 + 1)) "$@" -- --workload halfspace \
    --query intersect,distance,penetration,signed_distance,toi,manifold
# A pair of each family: a manifold of two outlines takes time by the product of their corners.
verify "$scratch/large-manifold" 1 "$@" -- --query manifold --dim 3 --workload hull1024
python3 "$here/fingerprints.py" "$scratch/usual" "$scratch/large" "$scratch/manifold" "$scratch/halfspace" "$scratch/large-manifold"
