#!/bin/sh
# The tables of a page as LaTeX, in a document that loads no package. usage: latex.sh GJKBENCH WRITE_SAMPLE
set -eu
command -v pdflatex >/dev/null || { echo "pdflatex is not installed: nothing is set" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$2" "$folder"
GJKBENCH_GNUPLOT=none "$1" report "$folder"/*.json --out "$folder/page" >/dev/null 2>&1
cd "$folder/page/tables"
{
    printf '%s\n' '\documentclass{article}\begin{document}\tiny'
    printf '\\input{%s}\\par\n' *.tex
    printf '%s\n' '\end{document}'
} >../all.tex
tables=$(ls -- *.tex | wc -l)
[ "$tables" -gt 20 ] || { echo "$tables tables" >&2; exit 1; }
pdflatex -interaction=nonstopmode -halt-on-error -output-directory .. ../all.tex >../log 2>&1 || {
    grep -A5 '^!' ../log >&2
    exit 1
}
echo "$tables tables, set"
