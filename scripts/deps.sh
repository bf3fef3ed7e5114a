# Sourced by bootstrap. What the project needs, how to see that it is there,
# and how to get it. Needs `root`, `die` and `say`.
# shellcheck shell=bash

# One row a need: group, how to probe, what to probe for, Debian's package.
# The group `build` is a must. Others may stay missing: what rests on them is
# then left out, and said to be.
needs='
build    compiler -                   gcc
build    command  meson               meson
build    command  ninja               ninja-build
build    command  pkg-config          pkg-config
build    header   stdio.h             libc6-dev
build    module   sleef               libsleef-dev
build    module   gmp                 libgmp-dev
build    module   mpfr                libmpfr-dev
build    module   jansson             libjansson-dev
build    module   libxxhash           libxxhash-dev
build    module   qhull_r             libqhull-dev
build    header   Random123/philox.h  librandom123-dev
draw     command  gnuplot             gnuplot-nox
draw     file     /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf  fonts-dejavu-core
browser  command  chromium            chromium
browser  command  chromedriver        chromium-driver
meshes   module   assimp              libassimp-dev
models   module   expat               libexpat1-dev
history  module   sqlite3             libsqlite3-dev
archive  module   libarchive          libarchive-dev
count    command  valgrind            valgrind
count    header   valgrind/callgrind.h  valgrind
tests    module   criterion           libcriterion-dev
tests    command  mandoc              mandoc
tests    command  pdflatex            texlive-latex-base
tests    command  clang-format        clang-format
examples module   geos                libgeos-dev
slurm    command  slurmctld           slurmctld
slurm    command  slurmd              slurmd
slurm    command  sbatch              slurm-client
slurm    command  munged              munge
ccache   command  ccache              ccache
coverage command  gcovr               gcovr
isa      command  objdump             binutils
clang    command  clang               clang
clang    runtime  address             libclang-rt-14-dev
qemu     command  qemu-x86_64         qemu-user
aarch64  command  qemu-aarch64        qemu-user
aarch64  command  aarch64-linux-gnu-gcc         gcc-aarch64-linux-gnu
aarch64  command  aarch64-linux-gnu-pkg-config  pkgconf:arm64
aarch64  file     /usr/aarch64-linux-gnu/include/stdio.h             libc6-dev-arm64-cross
aarch64  file     /usr/lib/aarch64-linux-gnu/pkgconfig/sleef.pc      libsleef-dev:arm64
aarch64  file     /usr/lib/aarch64-linux-gnu/pkgconfig/gmp.pc        libgmp-dev:arm64
aarch64  file     /usr/lib/aarch64-linux-gnu/pkgconfig/mpfr.pc       libmpfr-dev:arm64
aarch64  file     /usr/lib/aarch64-linux-gnu/pkgconfig/jansson.pc    libjansson-dev:arm64
aarch64  file     /usr/lib/aarch64-linux-gnu/pkgconfig/libxxhash.pc  libxxhash-dev:arm64
aarch64  file     /usr/lib/aarch64-linux-gnu/pkgconfig/qhull_r.pc    libqhull-dev:arm64
'

# Packaged libraries come from their own table: a line for each thing that a row needs and each package that it names.
packaged_needs() {
    awk '!/^#/ && NF {
        if ($2 ~ /\.cpp$/) print $1, "command", "c++", "g++"
        count = split($3, wanted, ","); packages = split($4, package, ",")
        for (i = 1; i <= count; i++) {
            at = index(wanted[i], "@")
            name = substr(wanted[i], at + 1)
            how = (at ? "header " : "module ") substr(name, 1, index(name ":", ":") - 1)
            for (p = 1; p <= packages; p++) print $1, how, package[p]
        }
    }' "$root/contenders/libraries/packaged.txt"
}
packaged_groups() { awk '!/^#/ && NF { print $1 }' "$root/contenders/libraries/packaged.txt"; }
needs="$needs$(packaged_needs)"

have() { command -v "$1" >/dev/null 2>&1; }

compiler() {
    local name
    if [ -n "${CC-}" ]; then
        printf '%s\n' "$CC"
        return
    fi
    for name in cc gcc clang; do
        if have "$name"; then
            printf '%s\n' "$name"
            return
        fi
    done
    return 1
}

# Probes ask for the thing, not for its package: a compiler built by hand is
# as good as a packaged one, and other systems name their packages otherwise.
# shellcheck disable=SC2086  # CC may hold a launcher and options
probe() {
    local how=$1 what=$2 cc
    case $how in
        command) have "$what" ;;
        compiler) cc=$(compiler) && have "${cc%% *}" ;;
        module) have pkg-config && pkg-config --exists "$what" ;;
        header) cc=$(compiler) && printf '#include <%s>\n' "$what" | $cc -E -x c - >/dev/null 2>&1 ;;
        runtime) printf 'int main(void) { return 0; }\n' |
            clang -fsanitize="$what" -x c - -o /dev/null >/dev/null 2>&1 ;;
        file) [ -e "$what" ] ;;
    esac
}

# Packages of a group whose probe fails, on one line.
missing_of() {
    local wanted=$1 group how what package list=
    while read -r group how what package; do
        [ "$group" = "$wanted" ] || continue
        probe "$how" "$what" || list="$list $package"
    done <<<"$needs"
    printf '%s' "${list# }"
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

# Quiet while it works; the last lines of what it said where it does not.
apt() {
    local log status=0
    log=$(mktemp)
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@" \
        >"$log" 2>&1 </dev/null || status=$?
    [ "$status" -eq 0 ] || tail -n 8 "$log" >&2
    rm -f "$log"
    return "$status"
}

apt_updated=
apt_update() {
    [ -n "$apt_updated" ] && return
    apt_updated=1
    apt update || say "apt-get update failed; going on with the package lists that are here"
}

apt_install() { apt_update; apt install -y --no-install-recommends "$@"; }

# Foreign packages need their architecture known. Where that breaks the
# package lists (mirrors that carry only one), it is taken back.
add_arm64() {
    if dpkg --print-foreign-architectures | grep -qx arm64; then
        return 0
    fi
    as_root dpkg --add-architecture arm64 || return 1
    if ! apt update; then
        as_root dpkg --remove-architecture arm64
        return 1
    fi
    apt_updated=1
}

# What a group is for, for the line that says that it stays missing.
purpose_of() {
    case $1 in
        draw) echo 'drawings in the report' ;;
        history) echo 'the history of runs' ;;
        meshes) echo 'the import of meshes' ;;
        models) echo 'the import of MJCF and URDF' ;;
        browser) echo 'the page as PDF, and the test of the page in a browser' ;;
        archive) echo 'runs as one file' ;;
        tests) echo 'unit and property tests' ;;
        isa) echo 'the instruction check' ;;
        clang) echo 'the clang and sanitizer tests' ;;
        qemu) echo 'the old-CPU test' ;;
        aarch64) echo 'the NEON test' ;;
        examples) echo 'the test of an example plug-in' ;;
        coverage) echo 'the coverage of lines' ;;
        ccache) echo 'a cache of objects, which compiles each once' ;;
        slurm) echo 'the test of campaigns on Slurm' ;;
        *) echo "the $1 contenders" ;;
    esac
}

# install_missing GROUP...: returns when all of `build` is there.
install_missing() {
    local group list must rest='' all
    if [ -n "${CC-}" ] && ! have "${CC%% *}"; then
        die "CC=$CC: no such compiler here"
    fi
    must=$(missing_of build)
    for group in "$@"; do
        [ "$group" = build ] && continue
        [ -z "$(missing_of "$group")" ] || rest="$rest $group"
    done
    [ -n "$must$rest" ] || return 0

    all=$must
    for group in $rest; do all="$all $(missing_of "$group")"; done
    all=$(tr -s ' ' '\n' <<<"${all# }" | sort -u | paste -sd ' ')

    if ! have apt-get; then
        cannot_install "there is no apt-get here; by Debian's names, install: $all" "$must" "$rest"
        return 0
    elif [ "$(id -u)" -ne 0 ] && ! have sudo; then
        cannot_install "neither root nor sudo; as root: apt-get install --no-install-recommends $all" "$must" "$rest"
        return 0
    fi

    if [ -n "$must" ]; then
        say "installing $must"
        # shellcheck disable=SC2086  # lists of packages
        apt_install $must || die "could not install: $must"
        must=$(missing_of build)
        [ -z "$must" ] || die "installed, but still not found: $must"
    fi
    for group in $rest; do
        list=$(missing_of "$group")
        [ -n "$list" ] || continue
        say "installing $list"
        if [ "$group" = aarch64 ] && ! add_arm64; then
            say "cannot install: $list; going on without $(purpose_of "$group")"
            continue
        fi
        # shellcheck disable=SC2086
        apt_install $list || say "cannot install: $list; going on without $(purpose_of "$group")"
    done
}

# Stops where the build needs something; only says so where it does not.
cannot_install() {
    local message=$1 must=$2 rest=$3 group
    say "$message"
    [ -z "$must" ] || exit 2
    for group in $rest; do say "going on without $(purpose_of "$group")"; done
}

# Other people's meshes and their hulls: nice to have, and never a reason to stop.
real_hulls() { "$root/scripts/fetch-hulls.sh" "$@" </dev/null || true; }
