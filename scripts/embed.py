#!/usr/bin/env python3
"""Writes a file's bytes as a C array. usage: embed.py FILE OUT.c NAME"""
import sys

data = open(sys.argv[1], 'rb').read()
with open(sys.argv[2], 'w') as out:
    out.write('#include <stddef.h>\n\nextern const unsigned char %s[];\nextern const size_t %s_size;\n' % ((sys.argv[3],) * 2))
    out.write('const size_t %s_size = %d;\nconst unsigned char %s[] = {\n' % (sys.argv[3], len(data), sys.argv[3]))
    for i in range(0, len(data), 32):
        out.write(','.join(map(str, data[i:i + 32])) + ',\n')
    out.write('};\n')
