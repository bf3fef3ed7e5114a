# Sourced by bootstrap: the stages of `./bootstrap test`, one row each, run in
# this order; each is a program scripts/ci/STAGE.sh. A stage exits 0, 1, or 77
# for "cannot run here", and its last line of output says why it did not pass.
# A stage that counts more than itself writes "PASSED FAILED SKIPPED" to the
# file named by $COUNTS.
# shellcheck shell=bash disable=SC2154

# Stage, groups of packages (joined by commas; `packaged`: those of contenders/libraries/packaged.txt), what it shows. The time that
# each may take stands in CONTRIBUTING.md.
stages='
native    tests,count,draw,packaged,meshes,models,history,archive,examples,slurm    unit and property tests, release build
isa       isa            no object holds instructions that its backend may not use
backends  -              every backend of this CPU, forced in turn, gives the same fingerprints
clang     clang,packaged,meshes,models,history,archive    the other compiler gives the same fingerprints
sanitize  tests,draw,clang,packaged,meshes,models,history,archive    the tests under the sanitizers
oldcpu    qemu           emulated CPUs without AVX-512, AVX2, AVX, SSE4.1 give the same fingerprints
aarch64   aarch64        NEON gives the same fingerprints (cross build, emulated)
'
# What takes hours: run by name or as `nightly`, and by no other word.
nightly='
native-long   tests,count,draw,packaged,meshes,models,history,archive,examples,slurm    the long tests, whole
campaign      -            ours answer a million pairs a dimension and precision right
grids         -            ours answer pairs of a grid in 3D right, all of it in 208 nights
manifolds     -            which of ten million contact manifolds of ours are wrong
emulated      qemu         emulated CPUs give the same fingerprints on all backends that they have, of more pairs
sanitize-long tests,draw,clang,packaged,meshes,models,history,archive    the long tests under the sanitizers
coverage      tests,coverage    95% of the lines of simd and reference run
mutants       -            every fault made by hand is noticed; which of 260 made by rule are not, its log lists
'

stage_names() { awk 'NF { print $1 }' <<<"$1"; }
list_stages() { awk 'NF { n = $1; $1 = $2 = ""; sub(/^ +/, ""); printf "%-13s %s\n", n, $0 }' <<<"$1"; }
now() { date +%s; }

# The table at the end: lines of "SECONDS WORDS" go in, the share of all comes out too.
table_of_times() {
    awk '{ n[NR] = $1; $1 = ""; what[NR] = $0; all += n[NR] }
        END { for (i = 1; i <= NR; i++) printf "%6d s  %3d%% %s\n", n[i], all ? 100 * n[i] / all + 0.5 : 0, what[i]
              printf "%6d s  all\n", all }' <<<"$1"
}

run_tests() {
    local stage groups about wanted='' known daily name times='' started installing
    daily=$(stage_names "$stages")
    known=$(stage_names "$stages$nightly")
    for name in "$@"; do
        case $name in
            --list) list_stages "$stages"; printf '\nnightly, by name or all by the word:\n'; list_stages "$nightly"; return 0 ;;
            quick) wanted="$wanted native" ;;
            nightly) wanted="$wanted $(stage_names "$nightly" | paste -sd ' ')" ;;
            *) grep -qx -- "$name" <<<"$known" ||
                die "unknown stage '$name' (one of: quick nightly $(paste -sd ' ' <<<"$known"))"
               wanted="$wanted $name" ;;
        esac
    done
    [ -n "$wanted" ] || wanted=$(paste -sd ' ' <<<"$daily")

    local need=ccache
    while read -r stage groups about; do
        if [[ -n $stage && " $wanted " == *" $stage "* && $groups != - ]]; then need="$need ${groups//,/ }"; fi
    done <<<"$stages$nightly"
    need=${need//packaged/$(packaged_groups | paste -sd ' ')}
    started=$(now)
    # shellcheck disable=SC2046  # a list of groups
    install_missing $(tr -s ' ' '\n' <<<"$need" | awk 'NF && !seen[$0]++')

    real_hulls once
    installing=$(($(now) - started)) started=$(now)
    configure "$build" --buildtype=release
    # Tests are compiled for the stage that runs them.
    local targets=()
    [[ " $wanted " == *" native"* ]] || targets=("$program_target")
    compile_quietly "$build" "${targets[@]}" || { echo "0 passed, 1 failed, 0 skipped"; exit 1; }
    times="$(($(now) - started)) build"

    local program
    if program=$(program_of "$build"); then real_hulls import "$program"; fi

    local passed=0 failed=0 skipped=0 log status p f s why seconds
    mkdir -p "$build/ci"
    rm -f "$build/ci/"*.testlog.json
    export ROOT=$root COUNTS=$build/ci/counts
    while read -r stage groups about; do
        [[ -n $stage && " $wanted " == *" $stage "* ]] || continue
        log=$build/ci/$stage.log status=0 started=$(now)
        rm -f "$COUNTS"
        export STAGE=$stage
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
        seconds=$(($(now) - started))
        times="$times"$'\n'"$seconds $stage"
        printf '%-9s %s (%d passed, %d failed, %d skipped; %d s)\n\n' '' "$why" "$p" "$f" "$s" "$seconds"
        passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    done <<<"$stages$nightly"
    echo "Time by stage (apart from $installing s to install packages):"
    table_of_times "$times"
    python3 "$root/scripts/ci/slowest.py" "$build/ci" || true
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
}
