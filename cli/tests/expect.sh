# Sourced by the shell tests: a folder of their own, `failed`, and what is complained of.
# shellcheck shell=sh disable=SC2034
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

fail() {
    echo "not ok: $*"
    failed=1
}

# expect CODE WORDS COMMAND...: the exit code, and WORDS in the one line on stderr
expect() {
    code=$1 words=$2
    shift 2
    "$@" >out 2>err
    got=$?
    lines=$(wc -l <err)
    if [ "$got" -ne "$code" ] || { [ -n "$words" ] && { [ "$lines" -ne 1 ] || ! grep -q -- "$words" err; }; }; then
        fail "$*: exit $got, wanted $code; stderr: $(cat err)"
    fi
}
