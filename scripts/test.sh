# Sourced by bootstrap: the stages of `./bootstrap test`, one row each, run in
# this order; each is a program scripts/ci/STAGE.sh. A stage exits 0, 1, or 77
# for "cannot run here", and its last line of output says why it did not pass.
# A stage that counts more than itself writes "PASSED FAILED SKIPPED" to the
# file named by $COUNTS.
# shellcheck shell=bash disable=SC2154

# Stage, groups of packages (joined by commas; `packaged`: those of contenders/packaged.txt), what it shows.
stages='
native    tests,packaged,meshes,history,archive,examples,slurm    unit and property tests, release build
isa       isa            no object holds instructions that its backend may not use
backends  -              every backend of this CPU, forced in turn, gives the same fingerprints
clang     clang,packaged,meshes,history,archive    the other compiler gives the same fingerprints
sanitize  tests,clang,packaged,meshes,history,archive    the tests under AddressSanitizer and UndefinedBehaviorSanitizer
oldcpu    qemu           emulated CPUs without AVX-512, AVX2, AVX, SSE4.1 give the same fingerprints
aarch64   aarch64        NEON gives the same fingerprints (cross build, emulated)
'

stage_names() { awk 'NF { print $1 }' <<<"$stages"; }

run_tests() {
    local stage groups about wanted='' known name
    known=$(stage_names)
    for name in "$@"; do
        case $name in
            --list) awk 'NF { n = $1; $1 = $2 = ""; sub(/^ +/, ""); printf "%-9s %s\n", n, $0 }' <<<"$stages"; return 0 ;;
            quick) wanted="$wanted native" ;;
            *) grep -qx -- "$name" <<<"$known" ||
                die "unknown stage '$name' (one of: quick $(paste -sd ' ' <<<"$known"))"
               wanted="$wanted $name" ;;
        esac
    done
    [ -n "$wanted" ] || wanted=$(paste -sd ' ' <<<"$known")

    local need=''
    while read -r stage groups about; do
        if [[ -n $stage && " $wanted " == *" $stage "* && $groups != - ]]; then need="$need ${groups//,/ }"; fi
    done <<<"$stages"
    need=${need//packaged/$(packaged_groups | paste -sd ' ')}
    # shellcheck disable=SC2046  # a list of groups
    install_missing $(tr -s ' ' '\n' <<<"$need" | awk 'NF && !seen[$0]++')

    real_hulls once
    configure "$build" --buildtype=release
    compile_quietly "$build" || { echo "0 passed, 1 failed, 0 skipped"; exit 1; }

    local program
    if program=$(program_of "$build"); then real_hulls import "$program"; fi

    local passed=0 failed=0 skipped=0 log status started p f s why
    mkdir -p "$build/ci"
    export ROOT=$root COUNTS=$build/ci/counts
    while read -r stage groups about; do
        [[ -n $stage && " $wanted " == *" $stage "* ]] || continue
        log=$build/ci/$stage.log status=0 started=$SECONDS
        rm -f "$COUNTS"
        printf '%-9s %s\n' "$stage" "$about"
        bash "$root/scripts/ci/$stage.sh" >"$log" 2>&1 </dev/null || status=$?
        p=0 f=0 s=0
        [ ! -s "$COUNTS" ] || read -r p f s <"$COUNTS"
        why=$(tail -n 1 "$log")
        case $status in
            0) [ $((p + f + s)) -gt 0 ] || p=1; why=passed ;;
            77) s=$((s + 1)); why="SKIPPED: $why" ;;
            *) [ "$f" -gt 0 ] || f=1; tail -n 40 "$log" | sed 's/^/    | /'; why="FAILED: $why" ;;
        esac
        printf '%-9s %s (%d passed, %d failed, %d skipped; %d s)\n\n' '' "$why" "$p" "$f" "$s" $((SECONDS - started))
        passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    done <<<"$stages"
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
}
