#!/bin/sh
# Moving boxes: what 'step' says, writes and refuses.
# usage: step.sh GJKBENCH DATA
set -u
program=$(realpath "$1")
scene=$(realpath "$2")/motion/boxes.json
. "$(dirname "$0")/expect.sh"
cd "$folder" || exit 99

says() { grep -q -- "$1" out || fail "no '$1' in: $(cat out)"; }

expect 0 '' "$program" step --help
says '^usage: gjkbench step' && says 'examples:' && says 'with --response reflect'
expect 2 'operand is missing' "$program" step
expect 2 'stop, slide or reflect' "$program" step "$scene" --response bounce
expect 2 '0 to 1' "$program" step "$scene" --response reflect --restitution 1.5
expect 2 'only with --response reflect, not with slide' "$program" step "$scene" --restitution 0.5
expect 2 'only with --response reflect, not with stop' "$program" step "$scene" --response stop --restitution 1
expect 2 '1 to 1024' "$program" step "$scene" --cap 0
expect 2 '2 to 10000' "$program" step "$scene" --frames 1
expect 2 "'avx1024' is not there" "$program" step "$scene" --backend avx1024
expect 2 'bodies of 0 to 14' "$program" step "$scene" --fixed 3,15
expect 2 'nowhere.json' "$program" step nowhere.json
expect 2 'x.json: cannot write' "$program" step "$scene" --json /nonexistent/x.json

turned='{"gjkbench": 1, "shapes": [{"kind": "box", "half_extents": [1, 1]}], "pairs": [[0, 1]],
 "bodies": [{"shape": 0, "pose": {"x": 0, "y": 0}}, {"shape": 0, "pose": {"x": 5, "y": 0POSE}MOTION}]}'
echo "$turned" | sed 's/POSE/, "angle": 1/; s/MOTION//' >turned.json
expect 2 'bodies\[1\].pose: turned' "$program" step turned.json
echo "$turned" | sed 's/POSE//; s/MOTION/, "motion": {"x": 1, "y": 0, "angle": 2}/' >spins.json
expect 2 'bodies\[1\].motion: turns by 2' "$program" step spins.json
echo "$turned" | sed 's/POSE//; s/MOTION//; s/"kind": "box", "half_extents": \[1, 1\]/"kind": "segment", "vertices": [[0, 0], [1, 0]]/' \
    >segment.json
expect 2 'shapes\[0\].kind: segment' "$program" step segment.json

expect 0 '' "$program" step "$scene"
says '15 boxes, 6 of them fixed; slide; ' && says ' 0 at the cap' && says ' 4 *10 *-x'
cp out slide
expect 0 '' "$program" step "$scene" --backend scalar
cmp -s out slide || fail 'another answer from the scalar backend'
expect 0 '' "$program" step "$scene" --response reflect --restitution 1 --cap 1
says 'reflect with a restitution of 1'
grep -q ' 0 at the cap' out && fail "nobody at the cap of 1: $(cat out)"

"$program" step "$scene" --response stop --json - >out 2>err || fail "stop: $(cat err)"
python3 - <<'EOF' || fail 'step --json'
import json
r = json.load(open('out'))
assert r['response'] == 'stop' and r['status'] == 'done' and len(r['bodies']) == 15
times = [e['time'] for e in r['events']]
assert times and times == sorted(times) and 0 <= times[0] and times[-1] <= 1
bullet = r['bodies'][10] # at the thin wall, whose near face is at 1.98
assert bullet['by'] == [0, 0] and abs(bullet['at'][0] + .08 - 1.98) < 1e-9, bullet
assert all(len(b['skin']) == 2 and 0 < b['skin'][0] < 1e-9 for b in r['bodies'])
assert any(e['a'] == 4 and e['b'] == 10 and e['normal'] == [-1, 0] for e in r['events'])
EOF

expect 0 '' "$program" step "$scene" --out film --frames 5
[ -s film/index.html ] || fail 'no film'
[ -s film/frames.json ] || fail 'no frames'
python3 - <<'EOF' || fail 'frames.json'
import json
s = json.load(open('film/frames.json'))
assert len(s['frames']) == 5 and len(s['frames'][0]['poses']) == 15
assert s['frames'][0]['poses'][6][:2] == [-4.5, .4] and s['frames'][4]['poses'][6][0] > 1
EOF
expect 0 '' "$program" step film/frames.json --out again # it is a scene again
exit $failed
