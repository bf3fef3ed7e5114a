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
# A stairway of two cubes, as one object and as two, and in PLY.
printf 'o low\n%so high\nv 2 0 0\nv 4 0 0\nv 4 2 0\nv 2 2 0\nv 2 0 4\nv 4 0 4\nv 4 2 4\nv 2 2 4\n%s' \
    "$(cat cube.obj)
" 'f 9 12 11 10
f 13 14 15 16
f 9 10 14 13
f 10 11 15 14
f 11 12 16 15
f 12 9 13 16
' >stairs.obj
printf 'v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1
f 6 5 4 3 2 1\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n' >angle.obj
sed 's/f 1 4 3 2/f 1 2 3 4/' cube.obj >twisted.obj
{ printf 'ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n'
  printf 'element face 6\nproperty list uchar int vertex_indices\nend_header\n'
  grep ^v cube.obj | cut -c3-
  awk '/^f/ {print 4, $2 - 1, $3 - 1, $4 - 1, $5 - 1}' cube.obj; } >cube.ply
mkdir meshes outside
cp cube.ply meshes/cube.ply
cp cube.ply outside/cube.ply
ln -s ../outside/cube.ply meshes/out.ply
# A hinge above a floor, whose far end carries a mesh; one geom to look at, one that is a field of heights.
cat >hinge.xml <<'END'
<mujoco model="hinge">
  <compiler meshdir="meshes"/>
  <default><default class="look"><geom contype="0" conaffinity="0"/></default></default>
  <asset><mesh name="cube" file="cube.ply" scale="0.5 0.5 0.5"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <geom name="hill" type="hfield"/>
    <body name="arm" pos="0 0 3">
      <joint/>
      <geom name="rod" type="capsule" size="0.25" fromto="0 0 0 4 0 0"/>
      <geom class="look" size="1"/>
      <body name="hand" pos="4 0 0" euler="0 90 0"><joint/><geom name="tool" type="mesh" mesh="cube"/></body>
    </body>
    <body name="ball" pos="9 0 0.75"><freejoint/><geom name="ball" size="0.5"/></body>
  </worldbody>
  <contact><exclude body1="ball" body2="arm"/></contact>
</mujoco>
END
cat >crane.urdf <<'END'
<robot name="crane">
  <link name="base"><visual/><collision><geometry><box size="2 2 2"/></geometry></collision></link>
  <link name="mast"><collision><origin xyz="0 0 2"/><geometry><cylinder radius="0.5" length="4"/></geometry></collision></link>
  <link name="load"><collision><geometry><mesh filename="package://crane/meshes/cube.ply"/></geometry></collision></link>
  <joint name="a" type="revolute"><parent link="base"/><child link="mast"/><origin xyz="0 0 1"/></joint>
  <joint name="b" type="prismatic"><parent link="mast"/><child link="load"/><origin xyz="3 -1 1"/></joint>
</robot>
END
sed 's/cube.ply/out.ply/' hinge.xml >escapes.xml
sed '1i <!DOCTYPE mujoco SYSTEM "hinge.dtd">' hinge.xml >doctype.xml
sed 's/<worldbody>/<worldbody><include file="arm.xml"\/>/' hinge.xml >includes.xml
sed 's/pos="0 0 3"/pos="0 0 high"/' hinge.xml >high.xml
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
expect 2 'is for MJCF and URDF' "$program" import cube.ply --assets . --out a.json
expect 2 'nowhere.obj: cannot open' "$program" import nowhere.obj --out a.json
expect 2 'billion.off: vertices: 1000000000' "$program" import billion.off --out a.json
expect 2 'empty.stl: empty' "$program" import empty.stl --out a.json
expect 2 'cube.txt' "$program" import cube.txt --out a.json
[ ! -e a.json ] || fail 'a scene in spite of an error'

# Models, with and without assimp: PLY needs none.
"$program" import hinge.xml --assets meshes --out hinge.json >out 2>err
if grep -q 'this build reads no MJCF' err; then
    grep -q 'libexpat1-dev' err || fail 'no word about how to get expat'
else
    says "^hinge.xml: MJCF 'hinge', 3 bodies, 4 collision shapes$"
    says "^mesh 'cube': PLY, 8 points, 6 faces; hull of 8 vertices, 12 triangles, volume 1$"
    says 'convex: the mesh.s own volume is 1, 100% of its hull'
    says 'left out: 1 shape that makes no contacts (contype and conaffinity are 0): line 11$'
    says 'left out: 1 shape of a type that is not convex (hfield, sdf): hill$'
    says 'hinge.json: 4 shapes, 4 pairs, f32' && says 'pairs that are left out: 1 are joined, 1 excluded by the file$'
    grep -q '"pairs": \[\[0, 1\], \[0, 2\], \[0, 3\], \[2, 3\]\]' hinge.json || fail "pairs: $(cat hinge.json)"
    grep -q '"shape": 2, "pose": {"x": 2, "y": 0, "z": 3,' hinge.json || fail "the rod's place: $(cat hinge.json)"
    expect 0 '' "$program" import crane.urdf --assets . --precision f64 --scale 2 --out crane.json
    says "^crane.urdf: URDF 'crane', 3 bodies, 3 collision shapes$"
    says 'left out: 1 <visual>, of the link: base$' && says 'crane.json: 3 shapes, 1 pair, f64'
    says "own volume is 64, 100%"
    # The load is 2 to the side of the base and 1 above it, both doubled.
    "$program" replay crane.json --query distance --contender reference --json - >out 2>err
    says '"truth":4.472135954999579'
    expect 2 "hinge.xml:4: mesh 'cube': file 'cube.ply': files are opened only inside a folder that --assets DIR names" \
        "$program" import hinge.xml --out b.json
    expect 2 "leads out of --assets 'meshes'" "$program" import escapes.xml --assets meshes --out b.json
    expect 2 'doctype.xml:1: DOCTYPE: ' "$program" import doctype.xml --assets meshes --out b.json
    expect 2 'includes.xml:5: include: ' "$program" import includes.xml --assets meshes --out b.json
    expect 2 "high.xml:8: body 'arm': pos '0 0 high': number 3 is no number" "$program" import high.xml --assets meshes --out b.json
    expect 2 'a scene of its own: import it alone' "$program" import hinge.xml crane.urdf --out b.json
    expect 2 '--gap is for meshes' "$program" import hinge.xml --assets meshes --gap 1 --out b.json
    expect 2 '--pairs is for meshes' "$program" import hinge.xml --assets meshes --pairs all --out b.json
    expect 0 '' "$program" import - --assets meshes --out b.gjb <hinge.xml
    says "^-: MJCF 'hinge'" && rm b.gjb
fi
expect 0 '' "$program" import cube.ply --out b.json
says 'cube.ply: PLY, 8 points, 6 faces; hull of 8 vertices, 12 triangles, volume 8$' && rm b.json

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
says "convex: the mesh's own volume is 8, 100% of its hull's"
grep -q 'note:' out && fail 'a note about a plain cube'
expect 0 '' "$program" import stairs.obj --out b.json
says 'stairs.obj: 2 objects, each a shape of its own' && says "stairs.obj 'low': OBJ, 8 points, 6 faces; hull of 8"
says "stairs.obj 'high': OBJ, 8 points.*volume 16$" && says 'b.json: 2 hulls, 6 pairs'
expect 0 '' "$program" import angle.obj --out b.json --scale 2
says "note: not convex: the mesh's own volume is 24, 85.71% of its hull's"
expect 0 '' "$program" import twisted.obj --out b.json
says 'faces disagree on what is inside, at 4 edges' && says 'is not known: its faces enclose no volume'
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
