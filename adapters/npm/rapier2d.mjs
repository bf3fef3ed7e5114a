// Rapier 0.21 in the plane: see rapier.mjs. Capsules lie along y in a frame of their own. The hull of a polygon is
// Rapier's own work.
import R from '@dimforge/rapier2d-compat';
import { asXY, capsule } from './common.mjs';
import { rapier } from './rapier.mjs';

function make({ kind, rows, radius }) {
  if (kind === 'point') return { shape: new R.Ball(radius), frame: { t: rows[0], r: { c: 1, s: 0 } } };
  if (kind === 'segment' && radius > 0) {
    const frame = capsule(rows, 'y');
    return { shape: new R.Capsule(frame.half, radius), frame };
  }
  if (kind === 'segment') return { shape: new R.Segment(...rows.map(asXY)) };
  if (kind === 'box') return { shape: radius > 0 ? new R.RoundCuboid(...rows[0], radius) : new R.Cuboid(...rows[0]) };
  const points = new Float32Array(rows.flat());
  return { shape: radius > 0 ? new R.RoundConvexPolygon(points, radius, false) : new R.ConvexPolygon(points, false) };
}

await rapier('@dimforge/rapier2d-compat', R, 2, { kinds: ['point', 'segment', 'polygon', 'box'] }, make);
