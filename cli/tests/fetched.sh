#!/bin/sh
# Hulls of other people's meshes: what cannot be fetched is skipped in one
# line, what was is made into scenes once, and what is here is verified.
# usage: fetched.sh GJKBENCH FETCH-HULLS FOLDER
set -u
program=$(realpath "$1") fetch=$(realpath "$2") fetched=$(realpath -m "$3")
. "$(dirname "$0")/expect.sh"
cd "$folder" || exit 99

# No registry answers.
mkdir bin
for command in npm apt-get; do
    printf '#!/bin/sh\necho "no network, says %s" >&2\nexit 1\n' $command >bin/$command
done
chmod +x bin/*
PATH=$folder/bin:$PATH "$fetch" --out none fetch 2>err
[ $? -eq 77 ] || fail "nothing fetched, and no 77"
[ "$(wc -l <err)" -eq 1 ] || fail "more than a line: $(cat err)"
for source in bunny teapot primitives geomview cgal; do
    grep -q "skipped:.*$source (" err || fail "$source is not said to be skipped: $(cat err)"
done
"$fetch" --out none once 2>err || fail "a second try"
[ ! -s err ] || fail "tried again: $(cat err)"
"$fetch" fetch nonesuch 2>err
[ $? -eq 2 ] || fail "an unknown source is taken"

mkdir -p some/meshes/toys
printf 'v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 2 3 4\n' >some/meshes/toys/a.obj
printf 'v 0 0 0\nv 3 0 0\nv 0 3 0\nv 0 0 3\nv 3 3 3\nf 1 2 3 4 5\n' >some/meshes/toys/b.obj
printf 'v 0 0 0\nv 1 0 0\nf 1 2\n' >some/meshes/toys/c.obj
if "$program" import some/meshes/toys/a.obj --out a.json >out 2>&1; then
    "$fetch" --out some import "$program" 2>err || fail "no import: $(cat err)"
    grep -q 'toys 2$' err || fail "two hulls, says: $(cat err)"
    grep -q 'left out: 1, ' some/toys.txt || fail "nothing is said to be left out"
    "$fetch" --out some import "$program" 2>err || fail "a second import"
    [ ! -s err ] || fail "imported again: $(cat err)"
    "$program" verify --dim 3 --workload real8 --hulls some --contender reference --pairs 50 >out 2>&1 ||
        fail "real8 of what was imported: $(cat out)"
fi

[ "$failed" -eq 0 ] || exit 1
ls "$fetched"/*.gjb >out 2>&1 || { echo "no fetched hulls here (scripts/fetch-hulls.sh)"; exit 77; }
"$program" verify --dim 3 --workload real64,real512,real4096 --hulls "$fetched" --contender batch,reference \
    --pairs 300 --out "$folder/failures" || exit 1
