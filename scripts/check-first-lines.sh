#!/usr/bin/env bash
# Source files begin with a comment whose first line says what the file is for. usage: check-first-lines.sh [SOURCE-FOLDER]
set -euo pipefail
cd -- "${1:-$(dirname -- "${BASH_SOURCE[0]}")/..}"

# Neither builds, nor what a search finds, nor inputs.
find . \( -path './.*' -o -path './build*' -o -path ./data -o -path ./failures -o -path ./fuzz/corpus \) -prune -o \
    -type f \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.inc' -o -name '*.inl' \) -print0 | sort -z |
    xargs -0 awk 'BEGIN {
        for (i = 1; i < ARGC; i++) {
            line = ""
            getline line < ARGV[i]
            close(ARGV[i])
            # Three words at least, and more than how it is compiled or what it implements.
            if (line ~ /^\/\* [^ *]+ [^ ]+ [^ *]/ && line !~ /^\/\* (Compiled|Included|Implementation) [^:]*$/)
                continue
            printf "%s:1: does not say what the file is for: %s\n", substr(ARGV[i], 3), line
            bad++
        }
        if (bad)
            print bad " files do not say what they are for"
        else if (ARGC > 1)
            print ARGC - 1 " files: each says what it is for"
        else
            print "no source files"
        exit bad > 0 || ARGC < 2
    }'
