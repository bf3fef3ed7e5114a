#!/usr/bin/env bash
# The array job, for real: a Slurm controller and a node of one machine, started for it in a folder of
# its own. Skipped where Slurm is not installed. usage: test.sh GJKBENCH
set -euo pipefail
program=$(realpath "$1") here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
PATH=$PATH:/usr/sbin:/sbin
skip() { echo "1..0 # SKIP $*"; exit 77; }
for tool in slurmctld slurmd munged sbatch squeue scontrol; do
    command -v "$tool" >/dev/null || skip "no $tool here: apt-get install slurmctld slurmd slurm-client munge"
done
[ "$(id -u)" -eq 0 ] || skip "slurmd starts jobs as root alone, and this is not root"

work=$(mktemp -d /tmp/gjkbench-slurm.XXXXXX)
started=()
finish() {
    local pid
    [ ${#started[@]} -eq 0 ] || scancel --quiet --user=root 2>/dev/null || true
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${started[@]}"; do wait "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM
tests=0 failures=0
check() { # WHAT COMMAND...
    local what=$1
    shift
    tests=$((tests + 1))
    if "$@" >"$work/said" 2>&1; then
        echo "ok $tests - $what"
    else
        echo "not ok $tests - $what"
        failures=$((failures + 1))
        tail -n 8 "$work/said" | sed 's/^/# /'
    fi
}
# What stops the harness is no failure of what it tests.
broken() {
    echo "Bail out! $*"
    tail -n 12 "$work"/*.log | sed 's/^/# /'
    exit 99
}
until_true() { # SECONDS COMMAND...
    local left=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $((left--)) -gt 0 ] || return 1
        sleep 0.2
    done
}

chmod 755 "$work"
mkdir "$work/state" "$work/spool" "$work/munge"
node=$(hostname -s)
read -r control daemon < <(python3 -c "
import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets:
    s.bind(('127.0.0.1', 0))
print(*(s.getsockname()[1] for s in sockets))")
cat >"$work/slurm.conf" <<END
ClusterName=gjkbench
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$control
SlurmdPort=$daemon
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$work/munge/socket,cred_expire=5
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SwitchType=switch/none
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0,builtin_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MinJobAge=300
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
END
echo 'CgroupAutomount=no' >"$work/cgroup.conf"
export SLURM_CONF=$work/slurm.conf

head -c 1024 /dev/urandom >"$work/munge/key"
chmod 400 "$work/munge/key"
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --seed-file="$work/munge/seed" >"$work/munged.log" 2>&1 &
started+=($!)
until_true 20 test -S "$work/munge/socket" || broken 'munged does not start'
slurmctld -D -i >"$work/slurmctld.log" 2>&1 &
started+=($!)
until_true 30 scontrol ping || broken 'slurmctld does not start'
slurmd -D -N "$node" >"$work/slurmd.log" 2>&1 &
started+=($!)
is_up() { [[ $(sinfo --noheader --format %T 2>/dev/null) =~ ^(idle|mixed|allocated)$ ]]; }
until_true 60 is_up || broken 'slurmd does not start'

# One run, and an array of four shards.
options=(--contender batch --backend scalar --workload polygon8,hull8 --family mixed,needle --pairs 12k --seed 3)
folder=$work/campaign
export GJKBENCH=$program
cd "$work"
"$program" verify "${options[@]}" --json whole.json --out "$folder/failures" >whole.txt
submit() { sbatch --parsable --chdir "$work" "$@"; }
is_over() { [ -z "$(squeue --noheader --jobs "$1" --states pending,running,completing,suspended,configuring 2>/dev/null)" ]; }
wait_for() { until_true 120 is_over "$1" || broken "job $1 does not end"; }
array() { submit --array="$1" "$here/verify.sbatch" "$folder" 4 "${options[@]}"; }

# All but one first, and the merge that must say so.
job=$(array 1,2,4)
merge=$(submit --dependency=afterany:"$job" "$here/merge.sbatch" "$folder")
wait_for "$merge"
check 'three tasks make three files' test -s "$folder/shard-1.json" -a -s "$folder/shard-2.json" -a -s "$folder/shard-4.json"
check 'the dependent job names the missing shard' grep -q -- '--shard 3/4 --resume --json .*shard-3.json' "$folder/missing.sh"
check 'and fails' grep -q 'ExitCode=2:0' <(scontrol show job "$merge")

# The whole array: what is complete is not done again.
stat --format %Y.%i "$folder"/shard-[124].json >before
job=$(array 1-4)
merge=$(submit --dependency=afterok:"$job" "$here/merge.sbatch" "$folder")
wait_for "$merge"
stat --format %Y.%i "$folder"/shard-[124].json >after
check 'shards that are complete are left alone' cmp before after
check 'and say so' grep -q 'done before' "$folder/shard-1.log"
check 'the dependent job merges' test -s "$folder/campaign.json"
check 'without anything missing' test ! -e "$folder/missing.sh"
same() {
    python3 - whole.json "$folder/campaign.json" <<'END'
import json, sys
def load(name):
    value = json.load(open(name))
    del value["context"], value["digest"], value["summary"]["seconds"], value["summary"]["threads"]
    return json.dumps(value)
one, other = map(load, sys.argv[1:])
assert json.loads(one)["summary"]["pairs"] > 40000, "too few pairs to show anything"
assert one == other, "the results differ"
END
}
check 'the results are those of one run' same

# A task that the queue starts once more, as after the loss of a node.
job=$(array 2)
wait_for "$job"
lines=$(grep -c 'done before' "$folder/shard-2.log")
rm "$folder/shard-2.json"
scontrol requeue "${job}_2"
until_true 60 test -s "$folder/shard-2.json" || broken 'a requeued task does not run'
wait_for "$job"
scontrol requeue "${job}_2"
has_said() { [ "$(grep -c 'done before' "$folder/shard-2.log")" -gt "$lines" ]; }
check 'a requeued task does what is missing, and no more' until_true 60 has_said
wait_for "$job"
"$program" merge "$folder"/shard-*.json --json "$folder/campaign.json" >/dev/null
check 'and makes the same' same

echo "1..$tests"
[ "$failures" -eq 0 ]
