#!/usr/bin/env bash
# Which folder includes which: a folder includes itself and the folders of its row, and nothing is in a row that is not
# used. Rooms, the folders at the top level, know only rooms above them in this table: those that were there first.
# No folder has more than 30 files.
# usage: check-rooms.sh [SOURCE-FOLDER]
set -euo pipefail
cd -- "${1:-$(dirname -- "${BASH_SOURCE[0]}")/..}"

table='
core                     -
core/tests               core
scenes                   core scenes/generate
scenes/generate          core scenes scenes/mesh
scenes/generate/tests    core scenes scenes/generate
scenes/mesh              core scenes scenes/generate
scenes/mesh/tests        scenes scenes/generate scenes/generate/tests scenes/mesh scenes/tests
scenes/model             core scenes scenes/generate scenes/mesh
scenes/model/tests       scenes/generate scenes/model scenes/tests
scenes/tests             core scenes
simd                     core simd/lanes simd/space/fallback
simd/lanes               -
simd/plane               core simd simd/lanes simd/plane/fallback
simd/plane/fallback      simd simd/lanes simd/plane
simd/ports               core simd/lanes
simd/space               simd simd/lanes simd/space/fallback
simd/space/fallback      simd simd/lanes simd/space
simd/tests               core core/tests scenes scenes/generate simd simd/lanes simd/plane simd/plane/fallback simd/ports
stepping                 scenes simd
stepping/tests           scenes scenes/generate simd stepping
reference                core reference/curved reference/methods reference/oracle
reference/certificate    core scenes reference reference/methods
reference/curved         core reference reference/methods reference/motion
reference/methods        core reference reference/curved
reference/motion         reference reference/curved reference/methods reference/oracle
reference/oracle         reference/curved reference/methods reference/motion
reference/patch          core reference/curved reference/methods reference/oracle
reference/tests          core scenes/generate reference reference/methods reference/motion reference/oracle reference/patch
reference/tests/certificate scenes scenes/generate reference reference/certificate reference/tests reference/tests/curved
reference/tests/curved   core scenes scenes/generate reference reference/curved reference/motion reference/tests
contenders               core scenes simd reference/motion reference/patch contenders/isolation contenders/libraries contenders/program
contenders/isolation     core scenes contenders contenders/program
contenders/libraries     contenders
contenders/program       core contenders
contenders/program/tests core contenders/program
contenders/tests         core scenes scenes/generate simd reference contenders contenders/isolation contenders/libraries contenders/textbook
contenders/tests/manifolds contenders contenders/tests
contenders/textbook      core contenders contenders/libraries
grading                  core reference reference/certificate reference/curved reference/motion contenders grading/manifold
grading/manifold         core reference/patch grading
grading/tests            core core/tests scenes/generate reference reference/patch reference/tests grading
verify                   core scenes scenes/generate contenders contenders/isolation contenders/program grading
verify/suite             core scenes verify
verify/tests             core core/tests scenes/generate contenders grading verify verify/suite
properties               core scenes scenes/generate reference/patch contenders contenders/isolation grading verify
properties/tests         core core/tests scenes/generate reference contenders grading properties
fuzz                     core scenes scenes/generate reference reference/patch contenders/isolation grading verify
fuzz/targets             core core/tests scenes scenes/mesh scenes/model reference/certificate contenders verify fuzz
fuzz/tests               scenes contenders fuzz
bench                    core scenes scenes/generate contenders contenders/program contenders/isolation bench/compare bench/machine
bench/compare            core scenes scenes/generate contenders bench bench/count bench/machine
bench/count              core
bench/machine            core scenes/generate simd simd/ports
bench/tests              core core/tests scenes/generate simd simd/ports contenders bench bench/compare bench/count
choose                   core scenes scenes/generate contenders contenders/program grading bench
choose/tests             core/tests contenders choose
draw                     core scenes/generate scenes/mesh
draw/plot                core draw
reports                  core draw draw/plot reports/figures reports/league
reports/figures          core scenes scenes/generate stepping contenders draw draw/plot reports
reports/league           core draw reports
reports/tests            core core/tests draw draw/plot reports reports/figures reports/league
explain                  core scenes reference reference/patch contenders contenders/textbook grading draw draw/plot reports
explain/tests            reference draw reports explain
history                  core scenes scenes/generate bench draw draw/plot reports
history/tests            core/tests scenes/generate history
tools/record             scenes
cli                      core scenes reference contenders cli/options
cli/archive              core scenes contenders cli
cli/bugs                 core scenes reference contenders/isolation verify fuzz reports reports/figures explain cli cli/verification
cli/history              core reports history cli cli/options
cli/measure              core scenes reference contenders grading verify/suite bench bench/compare bench/machine choose draw reports reports/figures reports/league cli cli/archive cli/options cli/verification
cli/options              core scenes scenes/generate scenes/mesh contenders contenders/program verify cli
cli/tests                core/tests scenes scenes/generate reference contenders contenders/textbook cli cli/archive cli/bugs cli/measure
cli/tools                core scenes scenes/mesh scenes/model simd stepping contenders contenders/program reports reports/figures cli cli/options
cli/verification         core scenes reference/certificate grading verify properties fuzz cli cli/options
'
# Public headers, include/gjkbench, are for all rooms, and include none.

folders=$(awk 'NF { sub("/.*", "", $1); if (!seen[$1]++) print $1 }' <<<"$table")
mapfile -t there < <(for folder in $folders; do [ ! -d "$folder" ] || echo "$folder"; done)
[ ${#there[@]} -gt 0 ] || { echo "no source files under $PWD"; exit 1; }
most=30 # files of a folder
crowded=$(find "${there[@]}" -path fuzz/corpus -prune -o -type f -printf '%h\n' | sort | uniq -c |
    awk -v most=$most '$1 > most {printf "%s: %d files, %d at most: divide it, or move what belongs to a lower room\n", $2, $1, most}')
[ -z "$crowded" ] || { echo "$crowded"; exit 1; }
grep -rnE --include='*.[ch]' --include='*.[ch]pp' --include='*.inc' \
    '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<][^">]*/' "${there[@]}" |
    sed -E 's/^([^:]*):([0-9]*):[^"<]*["<]([^">]*)[">].*/\1 \2 \3/' |
    awk -v table="$table" '
    function room(folder) { sub("/.*", "", folder); return folder }
    function folder_of(path) { sub("/[^/]*$", "", path); return path }
    function say(text) { print text; bad++ }
    BEGIN {
        rows = split(table, row, "\n")
        for (i = 1; i <= rows; i++) {
            words = split(row[i], word, " ")
            if (!words) continue
            known[word[1]] = 1
            if (!(room(word[1]) in place)) place[room(word[1])] = ++places
            for (k = 2; k <= words; k++) if (word[k] != "-") allowed[word[1], word[k]] = 1
        }
        for (pair in allowed) {
            split(pair, way, SUBSEP)
            if (!(way[2] in known)) say("table: " way[1] " may include " way[2] ", which is no row")
            else if (place[room(way[2])] > place[room(way[1])]) say("table: " way[1] " may include " way[2] ", which is above it")
        }
    }
    {
        from = folder_of($1); to = folder_of($3)
        if ($3 ~ /^\.\.\/|\/\.\.\//) { say($1 ":" $2 ": " $3 " leaves its folder by .."); next }
        if (!(room(to) in place)) next # a system header such as sys/mman.h, or gjkbench/
        files[$1] = 1
        if (from == to) next
        if (!((from, to) in allowed)) say($1 ":" $2 ": " from " may not include \"" $3 "\"")
        used[from, to] = 1
    }
    END {
        for (pair in allowed) if (!(pair in used)) {
            split(pair, way, SUBSEP)
            say("table: " way[1] " may include " way[2] ", and does not")
        }
        for (file in files) count++
        if (bad) { print bad " lines to correct"; exit 1 }
        print count + 0 " files: includes go where the table of rooms lets them"
    }'
