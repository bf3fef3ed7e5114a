#!/bin/sh
# Writes docs/known-failures.md: which library fails which known failure.
#
# usage: scripts/known-failures.sh GJKBENCH [CONTENDERS]
#
# CONTENDERS is 'all' unless given; columns of libraries depend on the versions that the build found.
set -eu
cd "$(dirname "$0")/.."
program=$1
cat <<'HEAD'
# Which library fails which known failure

For users and authors of a library: pairs that some library once answered wrongly, and what each
library answers today. [known-failures](../data/known-failures/README.md) are on record with public
libraries. This project found the [wrong-answers](../data/wrong-answers/README.md) in packaged ones.

Every contender is asked, in every configuration and precision that it has. An answer is wrong if it
is off by more than the contender's own documentation grants. Many depths are wrong by design:
portal refinement (`*-mpr*`) promises no least depth. `fcl-libccd` uses it for general pairs, which
its documentation does not say.

The command `scripts/known-failures.sh build/cli/gjkbench >docs/known-failures.md` writes this page.
Its tables come from

    gjkbench replay data/known-failures data/wrong-answers --contender all --table markdown

The test `known-failures-page` compares their cases, and the columns of ours.
HEAD
"$program" replay data/known-failures data/wrong-answers --contender "${2:-all}" --table markdown
