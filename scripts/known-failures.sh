#!/bin/sh
# Writes docs/known-failures.md: who fails which known failure.
#
# usage: scripts/known-failures.sh GJKBENCH [CONTENDERS]
#
# CONTENDERS is 'all' unless given; columns of libraries depend on the versions that the build found.
set -eu
cd "$(dirname "$0")/.."
program=$1
cat <<'HEAD'
# Who fails which known failure

Pairs that somebody answered wrongly once ([known-failures](../data/known-failures/README.md): on record with public
libraries; [wrong-answers](../data/wrong-answers/README.md): found by this project in packaged ones), asked of every
contender, in every configuration and precision that it has. Wrong is what is off by more than the contender's own documentation grants. That
so many of the depths are wrong has a reason of design in places: portal refinement (`*-mpr*`, and `fcl-libccd` on general pairs, whose documentation does not say so) promises no least depth.

This page is what `scripts/known-failures.sh build/cli/gjkbench >docs/known-failures.md` writes; the table is
`gjkbench replay data/known-failures data/wrong-answers --contender all --table markdown`. A test
(`known-failures-page`) holds the cases and the columns of ours against it.
HEAD
"$program" replay data/known-failures data/wrong-answers --contender "${2:-all}" --table markdown
