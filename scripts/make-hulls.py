#!/usr/bin/env python3
"""Makes the hulls that ship: writes data/hulls/shipped.gjb by way of `GJKBENCH import`,
and prints the rows of the table in data/hulls/README.md.

usage: make-hulls.py GJKBENCH [OUT.gjb]

Every shape is given by a formula or a few measures; what looks random comes from
the generator below, so two runs write the same bytes. GJKBENCH needs assimp.
"""
import itertools
import math
import os
import re
import subprocess
import sys
import tempfile

TAU = 2 * math.pi
GOLDEN = (1 + 5 ** 0.5) / 2


def unit_noise(seed):
    """Numbers in [-1, 1) from a linear congruential generator (Knuth's MMIX)."""
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        yield (state >> 11) / 2 ** 52 - 1


def signs(point):
    """Every change of signs."""
    return {tuple(s * x for s, x in zip(sign, point)) for sign in itertools.product((1, -1), repeat=3)}


def cyclic(*seeds):
    """Every change of signs and even permutation: the pyritohedral orbits."""
    return sorted({p[i:] + p[:i] for seed in seeds for p in signs(seed) for i in range(3)})


def full(*seeds):
    """Every change of signs and permutation: the octahedral orbits."""
    return sorted({q for seed in seeds for p in signs(seed) for q in itertools.permutations(p)})


def even_signs(point):
    return [p for p in sorted(signs(point)) if p[0] * p[1] * p[2] > 0]


def snub_cube():
    t = 1.839286755214161  # t^3 = t^2 + t + 1
    even, odd = [(0, 1, 2), (1, 2, 0), (2, 0, 1)], [(0, 2, 1), (2, 1, 0), (1, 0, 2)]
    seed, points = (1, 1 / t, t), []
    for sign in itertools.product((1, -1), repeat=3):
        plus = sum(s > 0 for s in sign)
        for order in odd if plus % 2 == 0 else even:
            points.append(tuple(sign[k] * seed[order[k]] for k in range(3)))
    return points


def geodesic(frequency, radius=lambda u: 1.0):
    """An icosahedron's faces, each edge divided by frequency, out to a sphere:
    10 f^2 + 2 vertices. radius(u) moves the vertex of direction u."""
    corners = cyclic((0, 1, GOLDEN))
    near = lambda a, b: abs(sum((x - y) ** 2 for x, y in zip(a, b)) - 4) < 1e-9
    points = {}
    for a, b, c in itertools.combinations(corners, 3):
        if not (near(a, b) and near(b, c) and near(a, c)):
            continue
        for i in range(frequency + 1):
            for j in range(frequency + 1 - i):
                k = frequency - i - j
                p = [(i * x + j * y + k * z) / frequency for x, y, z in zip(a, b, c)]
                length = math.sqrt(sum(x * x for x in p))
                u = tuple(x / length for x in p)
                points[tuple(round(x, 9) for x in u)] = u
    return [tuple(x * radius(u) for x in u) for u in points.values()]


def ring(n, r, z, turn=0.0, squash=1.0):
    return [(r * math.cos(TAU * (k + turn) / n), squash * r * math.sin(TAU * (k + turn) / n), z) for k in range(n)]


def revolved(n, *profile):
    """A profile of (radius, z) turned about z in n steps; radius 0 is a tip."""
    points = []
    for r, z in profile:
        points += ring(n, r, z) if r else [(0.0, 0.0, z)]
    return points


def chamfered_box(x, y, z, c):
    return full_box(x - c, y, z) + full_box(x, y - c, z) + full_box(x, y, z - c)


def full_box(x, y, z):
    return sorted(signs((x, y, z)))


def superellipsoid(n, m, exponent, axes=(1, 1, 1)):
    power = lambda v: math.copysign(abs(v) ** exponent, v)
    points = [(0, 0, axes[2]), (0, 0, -axes[2])]
    for i in range(1, m):
        latitude = math.pi * (i / m - 0.5)
        for k in range(n):
            a = TAU * k / n
            points.append((axes[0] * power(math.cos(latitude)) * power(math.cos(a)),
                           axes[1] * power(math.cos(latitude)) * power(math.sin(a)), axes[2] * power(math.sin(latitude))))
    return points


def wing(stations):
    """NACA 4-digit sections, 12% thick, 30 points each (Jacobs, Ward, Pinkerton 1933)."""
    points = []
    for y, chord, sweep in stations:
        for k in range(30):
            a = TAU * (k + 0.5) / 30
            x = (1 - math.cos(a)) / 2
            t = 0.6 * (0.2969 * x ** 0.5 - 0.126 * x - 0.3516 * x ** 2 + 0.2843 * x ** 3 - 0.1036 * x ** 4)
            points.append((sweep + chord * x, y, math.copysign(chord * t, math.sin(a))))
    return points


def pebble(frequency, seed, axes, roughness):
    noise = unit_noise(seed)
    waves = [[next(noise) * 3 for _ in range(3)] + [next(noise) * math.pi] for _ in range(6)]
    lump = lambda u: 1 + roughness * sum(math.sin(w[0] * u[0] + w[1] * u[1] + w[2] * u[2] + w[3]) for w in waves) / 6
    return [tuple(a * x for a, x in zip(axes, p)) for p in geodesic(frequency, lump)]


def scatter(count, seed, axes):
    """Shards: points anywhere in a box."""
    noise = unit_noise(seed)
    return [tuple(a * next(noise) for a in axes) for _ in range(count)]


def brilliant():
    """A round brilliant: table, crown and pavilion mains, girdle, culet."""
    return (ring(8, 0.53, 0.16, 0.5) + ring(8, 0.78, 0.10) + ring(16, 1.0, 0.02) + ring(16, 1.0, -0.02) +
            ring(8, 0.25, -0.70, 0.5) + [(0.0, 0.0, -0.86)])


def knurled(n, m):
    """A knob with a crowned, knurled rim."""
    points = []
    for j in range(m):
        z = j / (m - 1) - 0.5
        points += ring(n, 1.0 + 0.08 * (0.25 - z * z), z, 0.5 * (j % 2))
    return points


def crystal():
    """Quartz: a hexagonal prism with uneven pyramids."""
    return ring(6, 1, -1.6) + ring(6, 1, 1.4) + [(0.08, 0.02, 2.5), (-0.05, 0.03, -2.6)]


def stairs():
    return [(x, y, z) for y in (0, 2) for x, z in ((0, 0), (4, 0), (4, 1), (0, 4), (0.5, 4))]


# name, points, how it is made
SHAPES = [
    ('tetrahedron', even_signs((1, 1, 1)), 'Platonic'),
    ('octahedron', full((0, 0, 1)), 'Platonic'),
    ('icosahedron', cyclic((0, 1, GOLDEN)), 'Platonic'),
    ('dodecahedron', cyclic((1, 1, 1), (0, 1 / GOLDEN, GOLDEN)), 'Platonic'),
    ('truncated-tetrahedron', sorted({q for p in itertools.permutations((3, 1, 1)) for q in even_signs(p)}), 'Archimedean'),
    ('cuboctahedron', full((1, 1, 0)), 'Archimedean'),
    ('truncated-cube', full((2 ** 0.5 - 1, 1, 1)), 'Archimedean'),
    ('truncated-octahedron', full((0, 1, 2)), 'Archimedean'),
    ('rhombicuboctahedron', full((1, 1, 1 + 2 ** 0.5)), 'Archimedean'),
    ('snub-cube', snub_cube(), 'Archimedean'),
    ('icosidodecahedron', cyclic((0, 0, 2 * GOLDEN), (1, GOLDEN, GOLDEN ** 2)), 'Archimedean'),
    ('truncated-cuboctahedron', full((1, 1 + 2 ** 0.5, 1 + 2 * 2 ** 0.5)), 'Archimedean'),
    ('football', cyclic((0, 1, 3 * GOLDEN), (1, 2 + GOLDEN, 2 * GOLDEN), (GOLDEN, 2, 2 * GOLDEN + 1)), 'Archimedean: truncated icosahedron'),
    ('truncated-icosidodecahedron',
     cyclic((1 / GOLDEN, 1 / GOLDEN, 3 + GOLDEN), (2 / GOLDEN, GOLDEN, 1 + 2 * GOLDEN), (1 / GOLDEN, GOLDEN ** 2, 3 * GOLDEN - 1),
            (2 * GOLDEN - 1, 2, 2 + GOLDEN), (GOLDEN, 3, 2 * GOLDEN)), 'Archimedean'),
    ('wedge', [(0, 0, 0), (4, 0, 0), (0, 0, 1), (0, 2, 0), (4, 2, 0), (0, 2, 1)], 'right prism over a triangle'),
    ('house', full_box(3, 2, 1.5) + [(-3.2, 0, 3), (3.2, 0, 3)], 'box and ridge'),
    ('stairs', stairs(), 'outline of a flight of steps'),
    ('pyramid', ring(4, 1, 0, 0.5) + [(0, 0, 0.9)], 'square base'),
    ('crystal', crystal(), 'hexagonal prism, uneven tips'),
    ('crate', full_box(0.6, 0.4, 0.35), 'box as a hull'),
    ('brick', chamfered_box(0.12, 0.06, 0.035, 0.004), 'box, all edges chamfered'),
    ('plank', chamfered_box(2.0, 0.1, 0.01, 0.002), 'plate-like: 1 to 200'),
    ('sheet', full_box(1.5, 1.0, 0.0005), 'plate-like: 1 to 3000'),
    ('blade', [(0, 0, 0), (0, 0.0001, 0.01), (0, -0.0001, 0.01), (1, 0, 0), (1.02, 0.0001, 0.01), (1.02, -0.0001, 0.01)], 'needle- and plate-like'),
    ('needle', revolved(6, (0, 0), (0.0004, 0.004), (0.0005, 0.05), (0, 0.0505)), 'needle-like: 1 to 50'),
    ('nail', revolved(12, (0, 0), (0.0015, 0.006), (0.0015, 0.06), (0.004, 0.061), (0.004, 0.062)), 'needle-like, with a head'),
    ('mast', ring(8, 0.15, 0) + ring(8, 0.05, 24), 'needle-like: 1 to 160'),
    ('hex-nut', ring(6, 0.0098, 0.0035) + ring(6, 0.0098, -0.0035) + ring(12, 0.0085, 0.0042) + ring(12, 0.0085, -0.0042), 'coplanar faces'),
    ('hex-bolt', ring(6, 0.0115, 0) + ring(6, 0.0115, 0.0064) + ring(24, 0.006, -0.05) + ring(24, 0.0054, -0.0505), 'coplanar faces: head and shank'),
    ('gear-blank', ring(72, 0.04, 0.006) + ring(72, 0.04, -0.006) + ring(72, 0.038, 0.008) + ring(72, 0.038, -0.008), 'coplanar faces: two of 72 vertices'),
    ('coin', ring(96, 0.012, 0.001) + ring(96, 0.012, -0.001), 'plate-like, faces of 96 vertices'),
    ('drum', ring(32, 0.3, 0.45) + ring(32, 0.3, -0.45), 'cylinder'),
    ('cone', revolved(40, (0, 1), (0.5, 0)), 'cone'),
    ('funnel', ring(24, 0.1, 0) + ring(24, 0.02, 0.15), 'frustum'),
    ('bottle', revolved(20, (0.035, 0), (0.04, 0.01), (0.04, 0.18), (0.034, 0.22), (0.015, 0.28), (0.015, 0.3)), 'turned profile'),
    ('pill', revolved(16, *[(0.4 * math.sin(math.pi * k / 12), -0.4 * math.cos(math.pi * k / 12) + (0.5 if k > 6 else -0.5))
                            for k in range(13) if k != 6], (0.4, -0.5), (0.4, 0.5)), 'capsule'),
    ('brilliant', brilliant(), 'gem stone'),
    ('die', superellipsoid(24, 13, 0.3), 'rounded cube: superellipsoid'),
    ('bean', superellipsoid(18, 10, 1.0, (1.6, 0.8, 0.6)), 'ellipsoid by latitude: poles of 18 triangles'),
    ('egg', revolved(24, (0, -1.3), *[(math.sin(math.pi * k / 10) * (1 + 0.12 * math.cos(math.pi * k / 10)), -1.3 * math.cos(math.pi * k / 10))
                                      for k in range(1, 10)], (0, 1.3)), 'turned profile'),
    ('wing', wing([(0, 1.6, 0), (4, 0.8, 0.9), (4.3, 0.3, 1.3)]), 'plate-like: NACA 0012 sections'),
    ('splinter', scatter(12, 5, (1, 0.05, 0.03)), 'random points in a long box'),
    ('shard', scatter(40, 6, (1, 0.7, 0.2)), 'random points in a flat box'),
    ('rubble', scatter(300, 7, (1, 0.8, 0.9)), 'random points in a box'),
    ('pebble', pebble(4, 11, (1, 0.8, 0.5), 0.05), 'waves on a geodesic sphere of 162'),
    ('boulder', pebble(8, 12, (1, 0.9, 0.7), 0.06), 'waves on a geodesic sphere of 642'),
    ('asteroid', pebble(14, 13, (1.3, 0.9, 0.8), 0.4), 'large waves on one of 1,962: partly hollow'),
    ('knob', knurled(96, 12), 'rim of 12 rings of 96'),
    ('ball-92', geodesic(3), 'geodesic sphere'),
    ('ball-362', geodesic(6), 'geodesic sphere'),
    ('ball-1002', geodesic(10), 'geodesic sphere'),
    ('ball-2562', geodesic(16), 'geodesic sphere'),
]


def main():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    out = sys.argv[2] if len(sys.argv) == 3 else os.path.join(root, 'data/hulls/shipped.gjb')
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, points, _ in SHAPES:
            files.append(os.path.join(folder, name + '.obj'))
            with open(files[-1], 'w') as stream:
                stream.writelines('v %.9g %.9g %.9g\n' % p for p in points)
        said = subprocess.run([sys.argv[1], 'import', *files, '--pairs', 'next', '--name', 'real', '--out', out],
                              check=True, capture_output=True, text=True).stdout
    vertices = re.findall(r'hull of (\d+) vertices', said)
    for count, (name, _, how) in zip(vertices, SHAPES, strict=True):
        print('| `%s` | %s | %s |' % (name, count, how))


if __name__ == '__main__':
    main()
