# Sourced by bootstrap and by the stages of scripts/ci. Needs `root`.
# shellcheck shell=bash disable=SC2154

# What optional parts rest on, as far as it is here.
optional_libraries() {
    local name here
    for name in criterion assimp sqlite3 $(awk '!/^#/ && NF { gsub(/:[^,]*|,/, " ", $3); print $3 }' "$root/contenders/packaged.txt"); do
        case $name in
            *@*) here=$("${CC:-cc}" -E -include "${name#*@}" -x c /dev/null >/dev/null 2>&1 && echo there || echo none) ;;
            *) here=$(pkg-config --modversion "$name" 2>/dev/null || echo none) ;;
        esac
        printf '%s %s ' "$name" "$here"
    done
    command -v "${CXX:-c++}" || true
}

# configure DIR [MESON-OPTION...]: a build folder that fits what is asked for.
# meson reads CC and its kin only when a folder is new, looks for optional
# libraries only when it configures, and a folder moved with its clone still
# points to the old place: any such change starts it afresh.
configure() {
    local dir=$1 stamp wanted
    shift
    stamp=$dir/configured-with
    wanted="$root|${CC-}|${CXX-}|${CFLAGS-}|${CXXFLAGS-}|${LDFLAGS-}|$*|$(optional_libraries)"
    if [ -f "$dir/build.ninja" ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
        return 0
    fi
    # A folder configured by hand is kept as long as nothing else is asked for.
    if [ -f "$dir/build.ninja" ] && [ ! -f "$stamp" ] && [ -z "${CC-}${CXX-}${CFLAGS-}${CXXFLAGS-}${LDFLAGS-}" ] &&
        grep -qF "\"source\": \"$root\"" "$dir/meson-info/meson-info.json" 2>/dev/null; then
        return 0
    fi
    if [ -d "$dir" ] && [ -n "$(ls -A "$dir")" ]; then
        [ -d "$dir/meson-private" ] || { echo "bootstrap: $dir is not a build folder; move it away" >&2; return 2; }
        rm -rf -- "$dir"
    fi
    meson setup "$dir" "$root" "$@" >"$root/.configure.log" 2>&1 </dev/null || {
        tail -n 20 "$root/.configure.log" >&2
        echo "bootstrap: configuring $dir failed; all of it: $root/.configure.log" >&2
        return 2
    }
    mv "$root/.configure.log" "$dir/configure.log"
    printf '%s\n' "$wanted" >"$stamp"
}

# compile DIR [TARGET...]
compile() {
    local dir=$1
    shift
    ninja -C "$dir" ${JOBS:+-j "$JOBS"} "$@" </dev/null
}

# The same for people: progress on a terminal, else nothing but failures.
compile_quietly() {
    local log=$1/compile.log
    if [ -t 2 ]; then
        compile "$@" >&2
    elif ! compile "$@" >"$log" 2>&1; then
        grep -v '^\[' "$log" | tail -n 40 >&2
        echo "bootstrap: building in $1 failed; all of it: $log" >&2
        return 1
    fi
}

# The program inside a build folder.
program_of() {
    local path
    for path in "$1/gjkbench" "$1/cli/gjkbench"; do
        if [ -f "$path" ] && [ -x "$path" ]; then
            printf '%s\n' "$path"
            return 0
        fi
    done
    return 1
}
