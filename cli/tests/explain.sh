#!/bin/sh
# A pair explained: text, page, JSON, and what is refused in one line.
# usage: explain.sh GJKBENCH DATA CORPUS
set -u
program=$(realpath "$1")
data=$(realpath "$2")
corpus=$(realpath "$3")
. "$(dirname "$0")/expect.sh"
cd "$folder" || exit 99
GJKBENCH_DATA=$data
export GJKBENCH_DATA

# says WORDS...: each in what the last command printed
says() {
    for words in "$@"; do
        grep -qF -- "$words" out || fail "the text has no '$words'"
    done
}

# The example of the tutorials, by hand: A - B is A twice as large.
expect 0 '' "$program" explain tutorial --no-pictures
# Of the nine differences, three corners, and three met twice each, one of them B - D = (1, 0). Letters
# follow the order of the file, whose first triangle is clockwise.
says 'A (0, 1) C (-1, -1) B (1, -1)' 'the file has them clockwise' 'D (0, -1) E (1, 1) F (-1, 1)' \
    '      - D        - E        - F' '   A  (0, 2)     (-1, 0)    (1, 0)' '   B  (1, 0)     (0, -2)    (2, -2)' \
    '   C  (-1, 0)    (-2, -2)   (0, -2)' '   A  (0, 0)     (1, 2)     (-1, 2)' \
    '   B  (1, -2)    (2, 0)     (0, 0)' '   C  (-1, -2)   (0, 0)     (-2, 0)' '(2, -2): B - F' \
    'w1 = a - b = (1, -1) - (-1, 1) = (2, -2)' 'w2 = a - b = (0, 1) - (0, -1) = (0, 2)' \
    'w3 = a - b = (-1, -1) - (1, 1) = (-2, -2)' 'edge w1 w2, at (0.8, 0.4), 0.894427 from the origin' \
    '-1.41421 <= sigma <= 0.894427' 'the origin lies inside' '-0.894427 <= sigma <= -0.894427' \
    'overlapping, after 5 steps: depth 0.894427' 'in rational arithmetic they overlap' 'signed_distance: right'
[ ! -e explain ] || fail 'a page although none was asked for'

# Each example in each query that it is about; text, page and JSON agree on the number of steps.
for pair in tutorial polygons deep boxes hulls; do
    for query in intersect distance penetration signed_distance; do
        expect 0 '' "$program" explain $pair --query $query --no-pictures --json walk.json
        says "as an answer to $query: right"
        steps=$(grep -c '{"method":' walk.json)
        printed=$(grep -cE '^[0-9]+ (gjk|epa): ' out)
        { [ "$steps" -eq "$printed" ] && [ "$steps" -gt 0 ]; } || fail "$pair: $steps steps in JSON, $printed printed"
    done
done
expect 0 '' "$program" explain tutorial --json - --no-pictures
grep -q '"status":"overlapping"' out || fail 'JSON is not alone on standard output'
grep -q '^1 gjk: ' err || fail 'the text does not go to standard error'
python3 - out <<'PYTHON' || fail 'the JSON of the tutorial is not what it should be'
import json, sys
walk = json.load(open(sys.argv[1]))
assert [v["w"] for v in walk["vertices"]] == [[2, -2], [0, 2], [-2, -2]], walk["vertices"]
assert [s["simplex"] for s in walk["steps"]] == [[1], [1, 2], [1, 2, 3], [1, 2, 3], [1, 2, 3]]
assert walk["steps"][1]["feature"] == [1, 2] and "support" not in walk["steps"][3]
assert len(walk["steps"][4]["faces"]) == 3
proof = walk["proof"]
assert proof["verdict"] == "right" and proof["sign"] == -1
assert abs(walk["answer"]["sigma"] + 2 / 5 ** 0.5) < 1e-15
assert proof["lo"] <= -2 / 5 ** 0.5 <= proof["hi"]
assert abs(proof["gap"] + 2 / 5 ** 0.5) < 1e-15 and abs(proof["inner"] - 2 / 5 ** 0.5) < 1e-15
for before, after in zip(walk["steps"], walk["steps"][1:]):
    assert before["lower"] <= after["lower"] and after["upper"] <= before["upper"]
PYTHON

# What the tutorials teach, on their own example: start direction (0, 1), the opposite, then across.
expect 0 '' "$program" explain tutorial --method textbook-gjk2 --no-pictures
says 'd = (0, 1)' 'w1 = a - b = (0, 1) - (0, -1) = (0, 2)' 'd = (0, -1)' 'overlapping, after 3 steps' \
    'vertices of A - B alone' 'intersect: right'
for method in textbook-epa2 textbook-dist2; do
    expect 0 '' "$program" explain tutorial --method $method --no-pictures
    says 'depth 0.894427' 'no edge nearer than 0.894427' 'right'
done
# As printed they tie the other way, and the method of the tutorials fails; ours does not.
expect 0 '' "$program" explain tutorial-printed --no-pictures
says 'A (0, 1) B (1, -1) C (-1, -1)' 'textbook-gjk2' 'd = (0, 0)' '(0, -2): B - E' 'no intersection' 'separated, after 3 steps' \
    'these steps do not prove the answer' 'they overlap' 'intersect: wrong, fault: boolean'
grep -q 'it was reversed' out && fail 'what was not loaded was not reversed'
expect 0 '' "$program" explain tutorial-printed --method reference --no-pictures
says 'depth 0.894427' 'signed_distance: right'
expect 2 'no case\|no such file' "$program" explain tutorial-printed --case x
# Letters end at eight vertices.
expect 0 '' "$program" explain polygons --no-pictures
grep -qE '^(shape A|letters)' out || fail 'polygons: no shapes'

# A pair in f64 is rounded for who computes in f32, and so are its truth and its verdict: replay says the same.
cat >far.json <<'SCENE'
{"gjkbench": 1, "dim": 3, "precision": "f64", "shapes": [{"kind": "box", "half_extents": [1, 1, 1]}], "body_shapes": [0, 0],
 "bodies": [{"shape": 0, "pose": {"x": 10000000, "y": 0, "z": 0}}, {"shape": 0, "pose": {"x": 10000002.4, "y": 0, "z": 0}}], "pairs": [[0, 1]]}
SCENE
sed -i 's/ "body_shapes": \[0, 0\],//' far.json
expect 0 '' "$program" explain far.json --method textbook-gjk3 --no-pictures
says 'rounded to it first' 'they touch: sigma = 0' 'epsilon = 5.96e-08'
expect 0 '' "$program" explain far.json --no-pictures
says 'sigma = 0.4' 'they are apart'
grep -q 'rounded to it' out && fail 'the reference needs no rounding'
sed 's/10000000,/1e300,/' far.json >huge.json
expect 2 'larger than f32 may hold' "$program" explain huge.json --method textbook-gjk3

expect 0 '' "$program" explain polygons --method textbook-gjk2 --no-pictures
says 'separated' 'a separating axis'
expect 0 '' "$program" explain boxes --method textbook-gjk3 --no-pictures
says 'separated' 'a separating axis' 'intersect: right'
# Who is not ours may be wrong: told, and no failure.
expect 0 '' "$program" explain hulls --method textbook-epa3 --steps 4 --no-pictures
says 'verdict    as an answer to penetration: '
expect 2 'is for 2D, and the pair is 3D' "$program" explain boxes --method textbook-gjk2
expect 2 'is for 3D, and the pair is 2D' "$program" explain tutorial --method textbook-gjk3
expect 2 "'textbook-gjk2' does not answer it" "$program" explain tutorial --method textbook-gjk2 --query distance

# Two circles, 3 and 4 between their centres: 5 less the radii.
cat >circles.json <<'SCENE'
{"gjkbench": 1, "dim": 2, "shapes": [{"kind": "point", "vertices": [[0, 0]], "radius": 1},
 {"kind": "point", "vertices": [[0, 0]], "radius": 2}],
 "bodies": [{"shape": 0, "pose": {"x": 1, "y": 2}}, {"shape": 1, "pose": {"x": 4, "y": 6}}], "pairs": [[0, 1]]}
SCENE
expect 0 '' "$program" explain circles.json --no-pictures
says 'circles.json' 'differences a - b: (-3, -4)' 'w1 = a - b = (0, 0) - (3, 4) = (-3, -4)' \
    '5 <= sigma of the cores <= 5' 'distance 2, sigma = 2' 'n = (0.6, 0.8)' \
    'a = (0.6, 0.8) of A, b = (1.8, 2.4) of B' 'sigma = 5 - 3' 'sigma >= 2' 'sigma <= 2' 'S = 8'
sed 's/"y": 6/"y": 2/' circles.json >over.json
expect 0 '' "$program" explain over.json --no-pictures
says '3 <= sigma of the cores <= 3' 'touch' 'sigma = 3 - 3'
sed 's/"x": 4, "y": 6/"x": 2, "y": 2/' circles.json >over.json
expect 0 '' "$program" explain over.json --no-pictures
says 'depth 2, sigma = -2' 'a and b, taken back to the cores, are 1 from each other' 'at least 2'
sed 's/"x": 4, "y": 6/"x": 1, "y": 2/' circles.json >over.json
expect 0 '' "$program" explain over.json --no-pictures
says 'depth 3, sigma = -3'

# The page: one file, a figure a step, or the text alone where nobody draws.
expect 2 'cannot make folder' "$program" explain tutorial --out /dev/null/x
if command -v gnuplot >/dev/null; then
    for pair in tutorial hulls; do
        expect 0 '' "$program" explain $pair --out page
        [ -s err ] && fail "$pair: $(cat err)"
        steps=$(grep -cE '^[0-9]+ (gjk|epa): ' out)
        [ "$(grep -c '<figure id="step-' page/index.html)" -eq "$steps" ] || fail "$pair: not a figure a step"
        [ "$(grep -o '<svg viewBox' page/index.html | wc -l)" -eq $((steps + 1)) ] ||
            fail "$pair: not a drawing a step and one of the answer"
        grep -qE '(src|href)="(http|//)|<script|nan|NaN' page/index.html &&
            fail "$pair: the page loads something, or says nan"
    done
    expect 0 '' "$program" explain "$data/regressions/graded-below-normal-numbers.json" --out page
    [ -s err ] && fail "subnormal vertices: $(cat err)"
    expect 0 '' "$program" explain deep --steps 3 --out page
    says '... steps 3 to 8'
    [ "$(grep -c '<figure id="step-' page/index.html)" -eq 3 ] || fail '--steps 3 does not show three'
fi
# A manifold: contacts with separation and feature, the exact patch, what they cover; in space the patch has a panel.
cat >lying.json <<'SCENE'
{"gjkbench": 1, "dim": 3, "query": "manifold", "margin": 0.05, "shapes": [{"kind": "box", "half_extents": [1, 1, 1]},
 {"kind": "box", "half_extents": [0.5, 0.25, 0.25]}, {"kind": "halfspace", "normal": [0, 0, 2], "offset": 1}],
 "bodies": [{"shape": 0, "pose": {"x": 0, "y": 0, "z": 0}}, {"shape": 1, "pose": {"x": 0, "y": 0, "z": 1.26}},
  {"shape": 2, "pose": {"x": 0, "y": 0, "z": 0}}], "pairs": [[0, 1], [2, 1], [1, 2]]}
SCENE
for pair in 0 1 2; do
    expect 0 '' "$program" explain lying.json --pair $pair --no-pictures --json walk.json
    says 'query      manifold' 'contact 1  on A (' 'contact 4  on A (' ', separation 0.01, feature 0000000' \
        'the contact patch, grown by T, within the margin, 0.05, is a polygon of area 0.5: 4 corners, separated by 0.01 to 0.01' 'the contacts span 100% of what the best that fit would' \
        'as an answer to manifold: right'
    python3 - walk.json <<'PYTHON' || fail "the JSON of manifold $pair is not what it should be"
import json, sys
walk = json.load(open(sys.argv[1]))
contacts, patch = walk["answer"]["contacts"], walk["proof"]["patch"]
assert walk["query"] == "manifold" and len(contacts) == 4 and len({c["feature"] for c in contacts}) == 4
assert all(abs(c["separation"] - 0.01) < 1e-15 for c in contacts)
assert len(patch["corners"]) == 4 and patch["best"] == [0, 1, 2, 3] and abs(patch["size"] - 0.5) < 1e-12
assert abs(walk["proof"]["coverage"] - 1) < 1e-12 and walk["proof"]["verdict"] == "right"
PYTHON
done
# The patch of a disc is that of a polygon, and does not say that it is that of the shapes. Cores are met without a walk.
sed 's/"kind": "box", "half_extents": \[0.5, 0.25, 0.25\]/"kind": "cylinder", "base_radius": 0.5, "half_height": 0.15, "radius": 0.1/' \
    lying.json >disc.json
expect 0 '' "$program" explain disc.json --pair 1 --no-pictures
says 'the contact patch of polygons that stand for discs, within the margin, 0.05, is a polygon' 'a polygon of 32 corners' \
    'the distance is first that of the cores; the radii come off at the end: sigma = 0.11 - 0.1'
grep -qE 'grown by T|the walk' out && fail 'a disc has the patch of a polytope, or there is a walk'
grep -q 'after 0 steps' out && fail 'there are no steps, and they are counted'
sed 's/"margin": 0.05/"margin": 0.001/' lying.json >far-off.json
expect 0 '' "$program" explain far-off.json --no-pictures
says 'none within the margin, 0.001' 'nothing lies over one another within the margin'
if command -v gnuplot >/dev/null; then
    # With steps: one of each and one of the answer. A half-space has none, and no heading for them either.
    for pair in 0 1; do
        expect 0 '' "$program" explain lying.json --pair $pair --out page
        [ -s err ] && fail "manifold $pair: $(cat err)"
        grep -q 'seen against n' page/index.html || fail "manifold $pair: no panel of the patch"
        grep -q 'contact patch along it, grown by T' page/index.html || fail "manifold $pair: no key for the patch"
        grep -qE 'nan|NaN' page/index.html && fail "manifold $pair: the page says nan"
    done
    grep -qE 'The steps|id="steps"|step by step|search direction' page/index.html && fail 'a heading for steps that there are not'
    [ "$(grep -o '<svg viewBox' page/index.html | wc -l)" -eq 1 ] || fail 'not one drawing of a half-space'
    grep -q 'hatching is on its inner side' page/index.html || fail 'the page does not say how a half-space is drawn'
fi
# A contender is asked: its answer and the proof, without steps. Its record is graded as replay does.
for pair in 0 1 2; do
    expect 0 '' "$program" explain lying.json --pair $pair --method batch --no-pictures --json walk.json
    says 'steps      not known' 'contact 4  on A (' 'the contacts span 100% of' 'as an answer to manifold: right'
    grep -q '"steps": \[\]' walk.json || fail 'steps of a contender that is asked'
done
expect 0 '' "$program" explain far-off.json --method batch --no-pictures
says 'answer     separated' 'none within the margin, 0.001'
expect 0 '' "$program" explain lying.json --method batch --margin 0.001 --no-pictures
says 'none within the margin, 0.001'
expect 2 '--margin is of manifold, and the query is distance' "$program" explain boxes --query distance --margin 1
expect 2 "'-1'" "$program" explain lying.json --margin -1
expect 0 '' "$program" explain lying.json --method textbook-clip3 --no-pictures
says 'as an answer to manifold: right'
expect 2 'textbook-clip3: no answer to manifold: it does not support this pair' "$program" explain disc.json \
    --pair 1 --method textbook-clip3
expect 2 'textbook-clip2 is for 2D, and the pair is 3D' "$program" explain boxes --method textbook-clip2
expect 2 "no 'batc': did you mean 'batch'?" "$program" explain boxes --method batc
expect 2 "there are reference, textbook-gjk2" "$program" explain boxes --method qqqq
expect 2 '--query toi: only queries of shapes at rest are explained' "$program" explain boxes --method batch --query toi
expect 2 'it answers no query of shapes at rest' "$program" explain tutorial --method textbook-ca2
# A walk does not look at kinds, and a right answer of a coarser scene stays right.
expect 2 'textbook-epa3: it does not support this pair' "$program" explain disc.json --pair 1 --method textbook-epa3
sed 's/"dim": 3,/"dim": 3, "precision": "f32",/' lying.json >narrow.json
expect 0 '' "$program" explain narrow.json --method textbook-clip3 --no-pictures
says 'the unit roundoff of f32' 'as an answer to manifold: right'
# Of two half-spaces there is nothing to be said, in one line and no table.
sed 's/"pairs": .*/"pairs": [[2, 3]]}/; s/{"shape": 2, "pose": {"x": 0, "y": 0, "z": 0}}]/{"shape": 2, "pose": {"x": 0, "y": 0, "z": 0}}, {"shape": 2, "pose": {"x": 0, "y": 1, "z": 0}}]/' \
    lying.json >two.json
for command in explain replay certify; do
    expect 2 'two.json: two half-spaces, which no contender answers' "$program" $command two.json
    { [ -s out ] || [ "$(wc -l <err)" -ne 1 ]; } && fail "$command: $(cat out err)"
done
# Among other pairs they are a row without a truth.
sed 's/\[\[2, 3\]\]/[[0, 1], [2, 3]]/' two.json >among.json
expect 0 '' "$program" replay among.json --contender reference --query manifold --full
grep -qE '^unsupported +reference +- +f64 +manifold +unsupported +- +- +- ' out || fail "two half-spaces among others: $(cat out)"
# A curved shape has no vertices whose differences could be listed.
cat >curved.json <<'SCENE'
{"gjkbench": 1, "dim": 2, "shapes": [{"kind": "ellipse", "semi_axes": [1, 0.5]}, {"kind": "box", "half_extents": [1, 0.5]}],
 "bodies": [{"shape": 0, "pose": {"x": 0, "y": 0}}, {"shape": 1, "pose": {"x": 2.6, "y": 0.7}}], "pairs": [[0, 1]]}
SCENE
expect 0 '' "$program" explain curved.json --no-pictures
grep -q 'all differences' out && fail 'differences of what has no vertices'

# Stopped while it draws: 130, the text, and the page of before.
cat >slow <<'SLOW'
#!/bin/sh
exec sleep 3
SLOW
chmod +x slow
mkdir old && echo before >old/index.html
for signal in INT TERM; do
    GJKBENCH_GNUPLOT=$PWD/slow python3 - $signal "$program" explain tutorial --out old >out 2>err <<'PYTHON'
import signal, subprocess, sys, time
run = subprocess.Popen(sys.argv[2:])
time.sleep(1)
run.send_signal(getattr(signal, "SIG" + sys.argv[1]))
sys.exit(run.wait())
PYTHON
    [ $? -eq 130 ] || fail "SIG$signal: not 130"
    grep -q interrupted err || fail "SIG$signal: not said"
    says 'signed_distance: right'
    [ "$(cat old/*)" = before ] || fail "SIG$signal: the page of before is gone"
done

expect 0 'gnuplot not found' env GJKBENCH_GNUPLOT=/nonexistent "$program" explain tutorial --out bare
says 'signed_distance: right' 'bare/index.html'
grep -q '<figure id="step-5">' bare/index.html || fail 'without gnuplot the page has no text'

# A saved pair, a scene of many, a case of known failures.
set -- "$data"/regressions/*-distance-*.json
expect 0 '' "$program" explain "$1" --no-pictures
expect 0 '' "$program" explain "$data/scenes/pyramid.gjb" --frame 29 --pair 3 --no-pictures
says 'pyramid:29/3'
expect 2 'counted from 0' "$program" explain "$data/scenes/pyramid.gjb" --frame 30
expect 2 'counted from 0' "$program" explain tutorial --pair 1
expect 2 'no such file, and no example of that name; there are .*tutorial' "$program" explain tutorail
expect 2 'nowhere.json' "$program" explain nowhere.json
echo '{' >bad.json
expect 2 'bad.json' "$program" explain bad.json
expect 2 'operand is missing' "$program" explain
expect 2 'too many operands' "$program" explain tutorial boxes
expect 2 'did you mean' "$program" explain tutorial --method refrence
expect 2 "no query 'depth'" "$program" explain tutorial --query depth
expect 2 'at least 1' "$program" explain tutorial --steps 0
expect 2 'this is a scene' "$program" explain tutorial --case x
expect 2 'cannot write' "$program" explain tutorial --json /nonexistent/x.json --out never
[ ! -e never ] || fail 'works before it finds that it cannot write'
expect 2 '4 cases: name one with --case' "$program" explain "$corpus/known.json"
expect 2 "did you mean 'capsule-box'" "$program" explain "$corpus/known.json" --case capsule-bx
expect 0 '' "$program" explain "$corpus/known.json" --case capsule-box --no-pictures
says 'capsule-box' 'radius 1' 'the radii come off at the end' 'penetration: right'
expect 0 '' "$program" explain "$corpus/known.json" --case solid --no-pictures
says 'distance: right'
exit $failed
