#!/usr/bin/env bash
# What shells complete is what --help and list say, in bash, zsh and fish.
# usage: completion.sh GJKBENCH COMPLETIONS-FOLDER
set -euo pipefail
program=$(realpath "$1") scripts=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/empty"
# By its name, as typed; under whatever runs the program for a test.
printf '#!/bin/sh\nexec %q "$@"\n' "$program" >"$work/bin/gjkbench"
chmod +x "$work/bin/gjkbench"
PATH=$work/bin:$PATH
cd "$work/empty"
touch pair.json pairs.txt
mkdir folder
failures=0
differ() { # WHAT WANT GOT
    [ "$2" = "$3" ] && return
    printf '%s:\n%s\n' "$1" "$(diff <(printf '%s\n' "$2") <(printf '%s\n' "$3"))"
    failures=$((failures + 1))
}
first_words() { cut -f 1 | sort; }

# Every option that --help has, and no other; every name that list has of those that can be chosen.
options=0
commands=$(gjkbench --help | sed -n "/^'/q; s/^  \([a-z][a-z]*\) .*/\1/p" | sort)
differ 'commands' "$commands" "$(gjkbench --complete '' | first_words)"
for command in $commands; do
    want=$(gjkbench "$command" --help | sed -n '/^options:/,$s/^  \(--[a-z-]*\)[ =].*/\1/p' | sort)
    differ "options of $command" "$want" "$(gjkbench --complete "$command" - | first_words)"
    options=$((options + $(wc -l <<<"$want")))
done
names_of() { # KEY CONDITION
    gjkbench list --json | python3 -c "import json, sys
print('\n'.join(sorted(row['name'] for row in json.load(sys.stdin)['$1'] if $2)))"
}
differ queries "$(names_of queries True)" "$(gjkbench --complete verify --query '' | sort)"
differ families "$(names_of families True)" "$(gjkbench --complete bench --family '' | sort)"
differ backends "$(names_of backends "row['available']")" "$(gjkbench --complete verify --backend '' | sort)"
differ contenders "$( (names_of contenders True; echo all) | sort)" "$(gjkbench --complete run --contender '' | sort)"
# Of N vertices those that a plain verify has; each is one that the option takes.
differ workloads "$(names_of workloads "not row['name'].endswith('N')")" \
    "$(gjkbench --complete verify --workload '' | grep -v '[a-z][0-9][0-9]*$' | sort)"
gjkbench --complete verify --workload '' | while read -r name; do
    gjkbench verify --workload "$name" --pairs 0 2>&1 | grep -q 'unknown workload' && echo "workload $name is offered and not taken"
done >"$work/refused" || true
differ 'workloads that are refused' '' "$(cat "$work/refused")"
differ 'recorded scenes' "$(names_of recorded True)" \
    "$(comm -13 <(gjkbench --complete verify --workload '' | sort) <(gjkbench --complete bench --workload '' | sort))"

# Lines as typed, and what they become: | before the words that are offered.
lines='
gjkbench ver|verify
gjkbench history ch|changes
gjkbench history plot --ou|--out
gjkbench re|recipe replay report
gjkbench verify --preci|--precision
gjkbench verify --exhaustive g|grid2 grid3
gjkbench suite 20|2026.1
gjkbench verify --query inter|intersect
gjkbench verify --query intersect,dis|intersect,distance
gjkbench verify --query intersect,inter|
gjkbench step --backend sca|scalar
gjkbench verify --quick --pre|--precision
gjkbench bench --memory --fam|--family
gjkbench help verif|verify
gjkbench --color=never lis|list
gjkbench replay pair|pair.json pairs.txt
gjkbench replay --json pair.|pair.json
gjkbench replay -- --js|
gjkbench report --out fol|folder
gjkbench nonsense --j|
gjkbench list --nonsense|
'
check() { # SHELL FUNCTION
    local typed want got
    while IFS='|' read -r typed want; do
        [ -n "$typed" ] || continue
        got=$({ "$2" "$typed" || true; } | cut -f 1 | sed 's,/$,,' | sort | paste -sd ' ')
        differ "$1: $typed" "$want" "$got"
    done <<<"$lines"
}

# shellcheck disable=SC2317  # called by name
in_bash() { # breaks words as readline does
    bash -c '. "$1"; line=$2; words=(); COMP_WORDS=()
        for word in $line; do
            case $word in *=*) COMP_WORDS+=("${word%%=*}" "="); [ -z "${word#*=}" ] || COMP_WORDS+=("${word#*=}") ;; *) COMP_WORDS+=("$word") ;; esac
        done
        case $line in *" ") COMP_WORDS+=("") ;; esac
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) current=${COMP_WORDS[${#COMP_WORDS[@]} - 1]}
        _gjkbench gjkbench "$current" "" && printf "%s\n" "${COMPREPLY[@]}"' bash "$scripts/gjkbench.bash" "$1"
}
check bash in_bash
differ 'bash: --query=' 'intersect' "$(in_bash 'gjkbench verify --query=inter')"
differ 'bash: --color=' 'always auto never' "$(in_bash 'gjkbench verify --color=' | sort | paste -sd ' ')"
differ 'bash: --json=' 'pair.json' "$(in_bash 'gjkbench verify --json=pair.')"
differ 'bash: after a blank' 'f32 f64' "$(in_bash 'gjkbench verify --precision ' | paste -sd ' ')"

tried=bash
skipped=
# shellcheck disable=SC2016,SC2317
in_fish() { fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$scripts/gjkbench.fish" "$1"; }
if command -v fish >/dev/null; then
    export HOME=$work
    check fish in_fish
    differ 'fish: --query=' '--query=intersect' "$(in_fish 'gjkbench verify --query=inter')"
    tried="$tried, fish"
else
    skipped="$skipped fish"
fi
# The functions of zsh's system that the script calls, told to show what they are given.
# shellcheck disable=SC2016,SC2317
in_zsh() {
    zsh -f -c 'words=("${(@s: :)2}") CURRENT=$#words
        _describe() { local row; for row in "${(@P)3}"; do print -r -- "${row%%:*}"; done; }
        compset() { PREFIX=${words[-1]#--*=} }
        _files() { local each; for each in ${~${PREFIX-$words[-1]}}*(N); do [[ $1 != -/ || -d $each ]] && print -r -- $each; done }
        complete_now() { source $1 || true; }; complete_now $1' zsh "$scripts/_gjkbench" "$1"
}
if command -v zsh >/dev/null; then
    check zsh in_zsh
    differ 'zsh: --query=' '--query=intersect' "$(in_zsh 'gjkbench verify --query=inter')"
    tried="$tried, zsh"
else
    skipped="$skipped zsh"
fi
[ "$failures" -eq 0 ] || exit 1
echo "$options options of $(wc -w <<<"$commands") commands complete, tried in $tried${skipped:+; SKIPPED, as they are not here:$skipped}"
