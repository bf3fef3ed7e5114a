# shellcheck shell=bash
# The tests that sanitize.sh leaves out, in the same build.
exec bash "$(dirname -- "$0")/sanitize.sh" long
