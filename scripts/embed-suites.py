#!/usr/bin/env python3
"""Writes suites, and the files of pairs that they name, as C arrays with a table. A file that grew still has the cases of a
suite, which names them one by one. usage: embed-suites.py OUT.c DEPENDENCIES DATA-FOLDER"""
import json
import pathlib
import sys

out, dependencies, data = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
suites = sorted((data / 'suites').glob('*.json'))
named = {name for suite in suites for name in json.loads(suite.read_text(encoding='utf-8'))['cases']}
files = [*suites, *(data / name for name in sorted(named))]
with open(out, 'w', encoding='utf-8') as c:
    c.write('#include "verify/suite/suite_files.h"\n\n')
    for i, path in enumerate(files):
        c.write(f'static const unsigned char bytes{i}[] = {{\n')
        content = path.read_bytes()
        for at in range(0, len(content), 32):
            c.write(','.join(map(str, content[at:at + 32])) + ',\n')
        c.write('};\n')
    c.write('const gjb_suite_file gjb_suite_files[] = {\n')
    for i, path in enumerate(files):
        c.write(f'    {{"{path.relative_to(data).as_posix()}", bytes{i}, sizeof bytes{i}}},\n')
    c.write('    {0},\n};\n')
with open(dependencies, 'w', encoding='utf-8') as d:
    d.write(f'{out}: {" ".join(str(path) for path in files)}\n')
