#!/bin/sh
# Meshes in, scenes out: what 'import' says, writes and refuses.
# usage: import.sh GJKBENCH
set -u
program=$(realpath "$1")
. "$(dirname "$0")/expect.sh"
cd "$folder" || exit 99

# says WORDS: on the last command's stdout
says() { grep -q -- "$1" out || fail "no '$1' in: $(cat out)"; }

cube='v 0 0 0
v 2 0 0
v 2 2 0
v 0 2 0
v 0 0 2
v 2 0 2
v 2 2 2
v 0 2 2
'
printf '%sf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n' "$cube" >cube.obj
printf '%sv 1 1 1\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 9\nf 1 2 6 5\n' "$cube" >open.obj
printf 'OFF\n5 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n0.5 0.5 1\n5 0 1 2 3 4\n' >flat.off
printf 'v 0 0 0\nv 1 2 3\nv 2 4 6\nv -1 -2 -3\nf 1 2 3 4\n' >line.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >three.obj
printf 'OFF\n1000000000 1 0\n0 0 0\n' >billion.off
printf 'v 0 0 0\nv 1 0 0\nv 0 nan 0\nv 0 0 1\nf 1 2 3 4\n' >nan.obj
: >empty.stl
head -c 300 /dev/zero >zero.stl
awk 'BEGIN { for (i = 0; i < 5000; i++) { t = i * 2.399963; z = (i + 0.5) / 2500 - 1; r = sqrt(1 - z * z);
     printf "v %.7f %.7f %.7f\n", r * cos(t), r * sin(t), z } }' >ball.obj

expect 0 '' "$program" import --help
says '^usage: gjkbench import' && says 'examples:'
expect 2 'operand is missing' "$program" import --out a.json
expect 2 '--out is missing' "$program" import cube.obj
expect 2 'json or .gjb' "$program" import cube.obj --out a.xml
expect 2 'x.json: cannot write' "$program" import cube.obj --out /nonexistent/x.json
expect 2 '4 to 4096' "$program" import cube.obj --out a.json --vertices 3
expect 2 '4 to 4096' "$program" import cube.obj --out a.json --vertices 5000
expect 2 'above 0' "$program" import cube.obj --out a.json --scale -1
expect 2 'such as 0.5' "$program" import cube.obj --out a.json --gap wide
expect 2 'f32 or f64' "$program" import cube.obj --out a.json --precision f16
expect 2 'nowhere.obj: cannot open' "$program" import nowhere.obj --out a.json
expect 2 'billion.off: vertices: 1000000000' "$program" import billion.off --out a.json
expect 2 'empty.stl: empty' "$program" import empty.stl --out a.json
expect 2 'cube.txt' "$program" import cube.txt --out a.json
[ ! -e a.json ] || fail 'a scene in spite of an error'

"$program" import cube.obj --out a.json >out 2>err
if grep -q 'this build reads no meshes' err; then
    grep -q 'libassimp-dev' err || fail 'no word about how to get assimp'
    echo "import: refused as it should be, nothing more to test without assimp"
    exit $failed
fi
expect 2 'nan.obj: vertices\[2\].y' "$program" import nan.obj --out b.json
expect 2 'zero.stl: content is not that of an STL mesh' "$program" import zero.stl --out b.json
expect 2 'three.obj: points: 3' "$program" import cube.obj three.obj --out b.json
expect 2 'ball.obj: hull vertices: 5000, .*--vertices' "$program" import ball.obj --out b.json
[ ! -e b.json ] || fail 'a scene in spite of an error'

expect 0 '' "$program" import cube.obj --out a.json
says 'cube.obj: OBJ, 8 points, 6 faces; hull of 8 vertices, 12 triangles, volume 8$'
grep -q 'note:' out && fail 'a note about a plain cube'
grep -q '\[2, 0, 2\]' a.json || fail 'a corner of the cube is missing'
expect 0 '' "$program" import open.obj --out b.json
says 'open ([0-9]* boundary edges)' && says 'not manifold: 1 edge lies' && says 'hull of 8 vertices'
expect 0 '' "$program" import flat.off line.obj cube.obj --out b.gjb --precision f64
says 'no volume: the points are flat' && says 'no volume: the points are on one line'
says 'b.gjb: 3 hulls, 12 pairs, f64'
expect 0 '' "$program" import ball.obj --vertices 200 --out b.json
says 'simplified: 200 vertices, 396 triangles'
expect 0 '' "$program" import cube.obj --scale 0.5 --out -
grep -q '"gjkbench": 1' out || fail '--out - writes no scene to stdout'
grep -q 'volume 1$' err || fail '--out - says nothing on stderr'
expect 0 '' "$program" import - --out c.json <cube.obj
says '^-: OBJ, 8 points' && says 'c.json: 1 hull, 2 pairs'
expect 0 '' "$program" import - --out c.json <flat.off
says '1 face; hull of 4 vertices'

# The gap is what the exact oracle finds, where anyone answers in 3D (some in f32 alone).
expect 0 '' "$program" import cube.obj flat.off --gap 0.25 --precision f64 --out gap.json
if "$program" replay gap.json --query distance --json - >out 2>err; then
    says '"truth":0.2[45]'
    sed 's/"truth":0\.\(25\|250000[0-9]*\|249999[0-9]*\),//g' out >rest
    grep -q '"truth":' rest && fail "a distance other than the gap: $(cat rest)"
    expect 0 '' "$program" import cube.obj --gap -0.25 --precision f64 --out gap.json
    "$program" replay gap.json --query penetration --json - >out 2>err
    grep -q '"truth":0\.[12]' out || fail "no overlap of up to 0.25: $(cat out)"
else
    grep -q 'nothing to grade' err || fail "replay: $(cat err)"
fi
exit $failed
