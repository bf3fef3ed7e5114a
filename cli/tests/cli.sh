#!/bin/sh
# What scripts rely on: exit codes, one line on stderr, JSON alone on stdout.
# usage: cli.sh GJKBENCH CORPUS
set -u
program=$(realpath "$1")
corpus=$(realpath "$2")
. "$(dirname "$0")/expect.sh"
cd "$folder" || exit 99
unset GJKBENCH_BACKEND

expect 0 '' "$program" --help
expect 0 '' "$program" --version
commands=$("$program" --help | sed -n "/^'/q; s/^  \([a-z][a-z]*\) .*/\1/p")
[ "$(echo "$commands" | wc -w)" -gt 20 ] || { echo "not ok: --help names few commands: $commands"; failed=1; }
for command in $commands; do
    expect 0 '' "$program" "$command" --help
    grep -q '^usage: gjkbench' out && grep -q 'examples:' out || { echo "not ok: $command --help"; failed=1; }
    [ "$(wc -L <out)" -le 80 ] || { echo "not ok: $command --help has lines of more than 80 columns"; failed=1; }
done
expect 2 "did you mean 'verify'" "$program" verfy
expect 2 "did you mean '--pairs'" "$program" verify --pair 3
expect 2 "did you mean '--min-time'" "$program" choose --time 3
expect 2 "without an option, as in 'gjkbench choose \[SCENE\]'" "$program" choose --scene x.json
expect 2 "unknown contender 'nosuch'; 'gjkbench list' shows all" "$program" verify --contender nosuch
expect 2 "did you mean 'contained'" "$program" verify --family containd
expect 2 'there are intersect' "$program" verify --query xyzzy
expect 2 'a name is missing' "$program" verify --query distance,
expect 2 "choose' and 'replay' take scenes" "$program" bench game.json
expect 2 "did you mean '--version'" "$program" --verison
expect 2 "did you mean one of textbook-gjk2, .*textbook-epa2" "$program" verify --contender textbook
for command in verify bench properties run; do
    expect 2 'textbook-gjk2 has no 3D' "$program" $command --dim 3 --contender textbook-gjk2
done
expect 2 'reference has no f32' "$program" verify --contender reference --precision f32
expect 2 "neither 2 nor 3" "$program" verify --dim 4
expect 2 'polygonN takes N from 3 to 4096' "$program" verify --workload polygon9999
expect 2 "only 'bench' takes" "$program" verify --workload box2d-pyramid
expect 2 'below 2^63' "$program" verify --seed 18446744073709551615
expect 2 "--family 'far': this command does not select by it" "$program" replay x.json --family far
expect 2 'box2d-pyramid: .*not found' env GJKBENCH_DATA=. "$program" bench --workload box2d-pyramid
expect 2 'whole number' "$program" verify --pairs many
expect 2 '1 <= K' "$program" verify --shard 3/2
expect 2 'wants a value: --exhaustive grid2|grid3' "$program" verify --exhaustive --contender batch
expect 2 "unknown backend 'x87'" "$program" verify --backend x87
case $(uname -m) in
x86_64) missing=neon ;;
*) missing=avx2 ;;
esac
expect 2 "no '$missing'" "$program" verify --backend $missing
expect 2 'GJKBENCH_BACKEND' env GJKBENCH_BACKEND=$missing "$program" verify
expect 2 'operand is missing' "$program" replay
expect 2 'nowhere.json' "$program" replay nowhere.json
echo '# Title' >page.md
expect 2 'page.md:1:1: .*this is no scene file' "$program" choose page.md
expect 2 'noise' "$program" replay "$corpus/noise"
expect 2 'cannot make folder' "$program" verify --out /dev/null/x
cp "$corpus/pair-f32.json" .
for command in verify "replay pair-f32.json"; do
    # shellcheck disable=SC2086
    expect 2 'x.json: cannot write' "$program" $command --contender reference --json /nonexistent/x.json
    [ ! -s out ] || { echo "not ok: $command works before it finds that it cannot write"; failed=1; }
done
touch failures
expect 2 'failures: cannot make folder' "$program" verify --contender reference --pairs 100
rm failures
echo '{"cases": []}' >no-cases.json
cat >octahedron.json <<'SCENE'
{"gjkbench": 1, "dim": 3, "precision": "f32", "name": "octahedron",
 "shapes": [{"kind": "hull", "vertices": [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], "radius": 0}],
 "bodies": [{"shape": 0, "pose": {"x": 0, "y": 0, "z": 0, "qx": 0, "qy": 0, "qz": 0, "qw": 1}},
            {"shape": 0, "pose": {"x": 3, "y": 0, "z": 0, "qx": 0, "qy": 0, "qz": 0, "qw": 1}}],
 "pairs": [[0, 1]]}
SCENE
sed '1s/{/{"x-meta": {"cases": 3},/' pair-f32.json >extra.json
expect 0 '' "$program" replay extra.json --contender reference
printf '{' >blank.json && truncate -s 300M blank.json
expect 2 'larger than 268435456 bytes' "$program" replay blank.json
rm blank.json
expect 2 'nothing to measure' "$program" bench --contender reference --precision f32
expect 2 'nothing to grade' "$program" verify --pairs 0
expect 2 'nothing to grade' "$program" run --pairs 0
expect 2 'nothing to grade' "$program" verify --contender reference --precision f32
expect 2 "nothing to grade: --workload 'hull16': no selected dimension has it" "$program" verify --dim 2 --workload hull16
expect 2 "nothing to grade: --family 'flat': has no pairs of workload 'cone' in 3D; it defines its own vertices" "$program" verify --workload cone --family flat
expect 2 "nothing to grade: --workload 'cone': no family of the query has pairs of it in 3D" "$program" verify --query sweep --workload cone
expect 2 "unknown workload 'polygn8'; did you mean polygonN with a number for N, such as polygon8?" "$program" verify --workload polygn8
expect 2 'nothing to grade: no selected contender' "$program" verify --dim 3 --contender box2d
expect 2 'nothing to grade' "$program" replay no-cases.json
for command in verify bench run; do
    expect 2 'nowhere.gjb' "$program" $command --dim 3 --workload real64 --hulls nowhere.gjb
    expect 2 'is 2D' "$program" $command --dim 3 --workload real64 --hulls pair-f32.json
    expect 2 'no hull of at most 4 vertices' "$program" $command --dim 3 --workload real4 --hulls octahedron.json
done
expect 0 '' "$program" verify --answers-only --contender batch --backend scalar --pairs 500 --json answers.json
grep -q 'not graded; no two backends to compare' out || fail 'verify --answers-only says no more than it knows'
expect 0 '' "$program" report answers.json --out answers
grep -q 'Nothing graded here' answers/index.html || fail 'the page of answers alone says that none is wrong'
expect 0 '' "$program" verify --dim 3 --workload real6 --hulls octahedron.json --contender reference --pairs 500 --json own.json
expect 0 '' "$program" verify --dim 3 --workload real6 --contender reference --pairs 500 --json shipped.json
grep -o '"fingerprint": *"[^"]*"' own.json >one
grep -o '"fingerprint": *"[^"]*"' shipped.json >two
{ [ -s one ] && ! cmp -s one two; } || { echo 'not ok: --hulls changes nothing'; failed=1; }
# A folder is all of its scenes in one: of two the same, the same as of one with twice the hull.
mkdir library twice
cp octahedron.json library/a.json && cp octahedron.json library/b.json
sed 's/^ "shapes": \[\(.*\)\],$/ "shapes": [\1, \1],/' octahedron.json >twice/all.json
for folder_of in library twice; do
    expect 0 '' "$program" verify --dim 3 --workload real6 --hulls $folder_of --contender reference --pairs 500 --json $folder_of.json
    grep -o '"fingerprint": *"[^"]*"' $folder_of.json >$folder_of.prints
done
cmp -s library.prints twice.prints || { echo 'not ok: a folder of hulls is not their sum'; failed=1; }
cp pair-f32.json library/c.json
expect 2 'c.json is 2D' "$program" verify --dim 3 --hulls library
mkdir bare
expect 2 'no file in it' "$program" verify --dim 3 --hulls bare
expect 2 'nothing to grade' "$program" replay "$corpus/pair-f32.json" --dim 3
expect 2 'nothing to grade' "$program" replay "$corpus/pair-f32.json" --contender reference --precision f32
expect 0 '' "$program" verify --contender reference --workload box --family far --pairs 1 --shard 1/2
expect 0 '' "$program" list --json
expect 2 "'converge' went in this version: 'explain' shows the steps of a pair, 'bench' mean iterations" "$program" converge --dim 2
echo '{"convergence": []}' >old.json
expect 0 '' "$program" report old.json --out old
grep -q 'old.json: convergence is no longer drawn' err || fail 'report does not say that convergence is no longer drawn'
mixed=polygon8,hull16,mixed-kinds,mixed-curved
few="--family mixed,touching,contained --pairs 1000"
# shellcheck disable=SC2086
expect 0 '' "$program" verify --contender reference --workload "$mixed" $few --json table.json
# shellcheck disable=SC2086
expect 0 '' "$program" verify --contender reference --workload "$mixed" $few --threads 1 --json other.json
grep '"contender"' table.json >one
grep '"contender"' other.json >two
cmp -s one two || { echo 'not ok: results depend on the number of threads'; failed=1; }
expect 0 '' "$program" replay "$corpus/pair-f32.json" "$corpus/known.json" --contender reference --json -
grep -q '^verdict .*error/epsS granted' err && grep -q '^0 of [0-9]* answers are wrong' err ||
    fail 'replay gives no verdict first'
grep -q '^verdict .*error/epsS granted' err || { echo 'not ok: replay says not what its columns are'; failed=1; }
grep -q '"verdict":"right"' out || { echo 'not ok: replay gives no verdict'; failed=1; }
expect 0 '' "$program" replay "$corpus/known.json" --contender reference --table text
grep -q '^right  *[1-9]' out || { echo 'not ok: replay --table has no sums'; failed=1; }
expect 0 '' "$program" replay "$corpus/known.json" --contender reference --table markdown
grep -q '^| case | reference |' out || { echo 'not ok: replay --table markdown has no head'; failed=1; }
expect 2 "--table wants text or markdown, not 'html'" "$program" replay "$corpus/known.json" --table html
# A game's frame, of which textbook-dist2 gets some wrong: the verdict first, then what is wrong, equal backends in one.
cat >game.json <<'SCENE'
{"gjkbench": 1, "precision": "f32",
 "shapes": [{"kind": "box", "half_extents": [1, 0.5]},
            {"kind": "polygon", "vertices": [[0, 0], [1, 0], [1, 1], [0, 1]]},
            {"kind": "point", "vertices": [[0, 0]], "radius": 0.5}],
 "bodies": [{"shape": 0, "pose": {"x": 0, "y": 0, "angle": 0.3}},
            {"shape": 1, "pose": {"x": 1.2, "y": 0.2, "angle": 1}},
            {"shape": 2, "pose": {"x": 2.5, "y": 0}}],
 "pairs": [[0, 1], [0, 2], [1, 2]]}
SCENE
expect 0 '' "$program" replay game.json --contender batch,textbook-dist2 --query distance
sed -n 1p out | grep -q '^[1-9][0-9]* of [0-9]* answers \(is\|are\) wrong, none of them ours' ||
    fail "replay: $(sed -n 1p out)"
sed -n 3p out | grep -q '^wrong  *textbook-dist2' || fail 'replay: what is wrong does not come first'
[ "$(grep -c '^right  *batch .*game.json:0/1' out)" -eq 1 ] || fail 'replay: backends that agree have several lines'
grep -q -- '--json' out || fail 'replay names no other form'
for option in '' --full; do
    # shellcheck disable=SC2086
    expect 0 '' "$program" replay game.json --contender reference --query distance $option --json points.json
    lines=$(test -z "$option" && echo 0 || echo 2)
    [ "$(grep -c '^ *normal (.*on A (.*on B (' out)" -eq "$lines" ] || fail "replay $option: $(cat out)"
done
grep -q '"normal":\[-\{0,1\}[01]\.[0-9]*,' points.json || fail 'replay --json holds no normals'
sed 's/"pose": {"x": 2.5, "y": 0}/&, "motion": {"x": 1}/' game.json >miss.json
expect 0 '' "$program" replay miss.json --contender reference --query toi --json miss.out
grep -q '"status":"separated".*"value":null,"truth":null' miss.out || fail "a miss has a time: $(cat miss.out)"
sed 's/"angle": 1}/"angle": 45}/' game.json >degrees.json
expect 0 'degrees.json: an angle of 45: angles are in radians' \
    "$program" replay degrees.json --contender reference --query distance
# Where nothing could be read there is nothing to sum up.
for command in replay certify check; do
    expect 2 'nowhere.json' "$program" $command nowhere.json
    [ ! -s out ] || fail "$command sums up what it could not read: $(cat out)"
done
expect 2 "a scene; 'certify' makes certificates" "$program" check game.json
expect 0 '' "$program" certify miss.json --out proofs
grep -q '3 pairs move: certificates are of the start alone' out || fail "certify: $(cat out)"
# Nothing is concluded about contenders that did not take part.
expect 0 '' "$program" verify --dim 2 --contender textbook-dist2 --pairs 300
grep -q 'of other contenders are wrong; none of ours took part' out || fail "verify: $(cat out)"
expect 0 '' "$program" properties --dim 2 --contender reference,textbook-epa2 --property swap --pairs 30
grep -q '^textbook-epa2: [01] of 1 properties violated' out || fail "properties: $(cat out)"
head -n 1 out | grep -q "^none of ours violates a property" || fail "properties: $(cat out)"
# What is not a regular file stays what it is.
mkfifo pipe && cat pipe >piped &
sleep 0.2
expect 0 '' "$program" replay "$corpus/pair-f32.json" --contender reference --json pipe
wait
[ -p pipe ] && grep -q '"verdict":"right"' piped || { echo 'not ok: a pipe was replaced by a file'; failed=1; }
[ ! -e failures ] || { echo 'not ok: a folder for failures without a failure'; failed=1; }
NO_COLOR=1 "$program" list | grep -q "$(printf '\033')" && { echo 'not ok: colour where there is none'; failed=1; }
"$program" list --color=always | grep -q "$(printf '\033')" || { echo 'not ok: no colour on demand'; failed=1; }
exit $failed
