#!/usr/bin/env bash
# No object holds instructions that the CPUs it runs on may lack, and none
# holds a fused multiply-add, which would change results.
# usage: check-isa.sh BUILD-FOLDER   (x86-64; archives may be thin)
#
# An archive of kernels is known by the name of its backend between
# underscores (librun2_avx2_32.a); everything else must run on any x86-64.
set -euo pipefail
build=${1:?usage: check-isa.sh BUILD-FOLDER}

avx='%[yz]mm|%k[0-7]|[[:space:]]v[a-z]'
# What kernels use of SSE4.1, which a baseline x86-64 lacks.
sse4='[[:space:]](blendv?p[sd]|pblend(vb|w)|round[ps][sd]|p(max|min)(s[bd]|u[dw])|pmulld|ptest|insertps|extractps|p(insr|extr)[bdq]|dpp[sd]|packusdw|pcmpeqq|pmov[sz]x[a-z]+)[[:space:]]'
# 256-bit integers, gathers and broadcasts between registers came with AVX2.
avx2='[[:space:]]v(p(?!erm(il|2f128)|test)[a-z0-9]+[[:space:]].*%ymm|p?gather|(insert|extract)i128|broadcasts[sd][[:space:]]+%xmm)'
high='%zmm|%[xy]mm(1[6-9]|2[0-9]|3[01])|%k[0-7]'
fused='[[:space:]]v?fn?m(add|sub|addsub|subadd)[0-9]*[ps][sd]([[:space:]]|$)'

archives=0 bad=0
while read -r archive; do
    case ${archive##*/} in
        libgjkbench.a) continue ;; # the others' objects once more, of all backends
    esac
    archives=$((archives + 1))
    case ${archive##*/} in
        *_avx512[_.]* | *_avx512vl[_.]*) forbidden='' what='' ;;
        *_avx2[_.]* | *_single[_.]*) forbidden=$high what='AVX-512' ;;
        *_avx[_.]*) forbidden="$high|$avx2" what='AVX2 or AVX-512' ;;
        *_sse4[_.]*) forbidden=$avx what=AVX ;;
        *) forbidden="$avx|$sse4" what='SSE4.1 or AVX' ;;
    esac
    listing=$(objdump -d --no-show-raw-insn "$archive")
    # A function may be selected by the linker from any object that holds it,
    # so that every member counts, whoever calls it.
    for check in "$forbidden|$what instruction" "$fused|fused multiply-add"; do
        pattern=${check%|*}
        [ -n "$pattern" ] || continue
        found=$(grep -P -m 1 -- "$pattern" <<<"$listing" || true)
        [ -z "$found" ] && continue
        where=$(awk -v needle="$found" '/^[0-9a-f]+ <.*>:$/ { f = $2 } $0 == needle { print f; exit }' <<<"$listing")
        echo "${archive#"$build"/}: ${check##*|} in ${where%:}: $(tr -s '\t ' ' ' <<<"$found")"
        bad=$((bad + 1))
    done
done < <(find "$build" -name '*.a' | sort)
[ "$archives" -gt 0 ] || { echo "no archives under $build"; exit 77; }
[ "$bad" -eq 0 ] || { echo "$bad archives hold forbidden instructions"; exit 1; }
echo "$archives archives hold only what their CPUs have, and no fused multiply-add"
