// Rapier 0.21 in space: see rapier.mjs. Capsules, cylinders and cones stand along y in a frame of their own. Hulls of
// points are Rapier's own work.
import R from '@dimforge/rapier3d-compat';
import { asXYZ, capsule, Y_TO_Z } from './common.mjs';
import { rapier } from './rapier.mjs';

const upright = { t: [0, 0, 0], r: Y_TO_Z };

function make({ kind, rows, radius }) {
  const round = radius > 0, points = rows.map(asXYZ), [first, second] = rows[0];
  switch (kind) {
    case 'point': return { shape: new R.Ball(radius), frame: { t: rows[0], r: [0, 0, 0, 1] } };
    case 'segment': {
      const frame = capsule(rows);
      return round ? { shape: new R.Capsule(frame.half, radius), frame } : { shape: new R.Segment(...points) };
    }
    case 'triangle': return { shape: round ? new R.RoundTriangle(...points, radius) : new R.Triangle(...points) };
    case 'box': return { shape: round ? new R.RoundCuboid(...rows[0], radius) : new R.Cuboid(...rows[0]) };
    case 'cylinder':
      return { frame: upright,
        shape: round ? new R.RoundCylinder(second, first, radius) : new R.Cylinder(second, first) };
    case 'cone':
      return { shape: round ? new R.RoundCone(second, first, radius) : new R.Cone(second, first), frame: upright };
    default: {
      const all = new Float32Array(rows.flat());
      return { shape: round ? new R.RoundConvexPolyhedron(all, null, radius) : new R.ConvexPolyhedron(all, null) };
    }
  }
}

await rapier('@dimforge/rapier3d-compat', R, 3,
  { kinds: ['point', 'segment', 'triangle', 'box', 'hull', 'cylinder', 'cone'] }, make);
