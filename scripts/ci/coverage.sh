# shellcheck shell=bash
. "$(dirname -- "$0")/common.sh"
exec "$root/scripts/coverage.sh" --check
