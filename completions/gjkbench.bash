# bash completion for gjkbench: the program says what the last word may become.
# shellcheck shell=bash

_gjkbench() {
    local words=() word line glued='' current=$2 i
    # bash breaks words at '=', the program does not.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == = && ${#words[@]} -gt 0 ]]; then
            words[${#words[@]} - 1]+='='
            glued=1
        elif [[ $glued ]]; then
            words[${#words[@]} - 1]+=$word
            glued=''
        else
            words+=("$word")
        fi
    done
    [[ ${COMP_WORDS[COMP_CWORD]} != = ]] || current=''
    local before=''
    [[ ${words[${#words[@]} - 1]} == "$current" ]] || before=${words[${#words[@]} - 1]%"$current"}
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :files)
                compopt -o filenames 2>/dev/null
                while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
                ;;
            :folders)
                compopt -o filenames 2>/dev/null
                while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$current")
                ;;
            *)
                line=${line%%$'\t'*}
                COMPREPLY+=("${line#"$before"}")
                ;;
        esac
    done < <("$1" --complete "${words[@]}" 2>/dev/null)
}

complete -F _gjkbench gjkbench
