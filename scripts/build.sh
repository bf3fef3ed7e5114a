# Sourced by bootstrap and by the stages of scripts/ci. Needs `root`.
# shellcheck shell=bash disable=SC2154,SC2034

# One clone's objects are another's: paths below the clone are hashed relative to the build folder, and the folder itself is not.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-true}

# What the program is made of: no tests, no recorders, no fuzz targets, no library for others.
program_target=cli/gjkbench

# What optional parts rest on, as far as it is here.
optional_libraries() {
    local name here
    for name in criterion assimp expat sqlite3 $(awk '!/^#/ && NF { gsub(/:[^,]*|,/, " ", $3); print $3 }' "$root/contenders/libraries/packaged.txt"); do
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
# points to the old place: any such change configures it afresh. Objects stay,
# and ninja compiles again only those whose commands have changed.
configure() {
    local dir=$1 stamp wanted launcher=() caching=()
    shift
    stamp=$dir/configured-with
    wanted="$root|${CC-}|${CXX-}|${CFLAGS-}|${CXXFLAGS-}|${LDFLAGS-}|$*|$(optional_libraries)|$(command -v ccache || true)"
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
        rm -f -- "$dir/meson-private/coredata.dat" "$stamp"
    fi
    # meson finds ccache itself, but not for a compiler that it is given.
    if command -v ccache >/dev/null 2>&1; then
        [ -z "${CC-}" ] || [[ $CC == *ccache* ]] || launcher+=("CC=ccache $CC")
        [ -z "${CXX-}" ] || [[ $CXX == *ccache* ]] || launcher+=("CXX=ccache $CXX")
        [[ " $* " != *" --cross-file "* ]] || caching=(--cross-file "$root/cross/ccache.ini")
    fi
    env "${launcher[@]}" meson setup "$dir" "$root" "$@" "${caching[@]}" >"$root/.configure.log" 2>&1 </dev/null || {
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
