// p2-es 1.2, in float: its vectors are Float32Arrays, as they are unless P2_ARRAY_TYPE says otherwise.
//
// intersect: Narrowphase.bodiesOverlap, of bodies with one shape each. Convex wants its vertices counter-clockwise, and
// has no radius; Capsule lies along x about its own origin, hence an offset and an angle of the shape. Lines are left
// out, since those of its tests that take two of them, or one and a capsule, are marked as to do and always say no. Its
// contacts do not promise the least depth, so no penetration is asked. Flat polygons are unsupported. No tolerance is
// documented.
import * as p2 from 'p2-es';
import { adapt, capsule, polygon } from './common.mjs';

const narrow = new p2.Narrowphase();

function made(shape) {
  const { kind, rows, radius } = shape;
  if (kind === 'point') return { shape: new p2.Circle({ radius }), t: rows[0], angle: 0 };
  if (kind === 'segment') {
    const { half, t, r } = capsule(rows, 'x');
    if (!(radius > 0 && half > 0)) return null;
    return { shape: new p2.Capsule({ length: 2 * half, radius }), t, angle: Math.atan2(r.s, r.c) };
  }
  if (kind === 'box' && radius === 0 && Math.min(...rows[0]) > 0)
    return { shape: new p2.Box({ width: 2 * rows[0][0], height: 2 * rows[0][1] }), t: [0, 0], angle: 0 };
  const vertices = polygon(shape);
  return vertices.length > 0 ? { shape: new p2.Convex({ vertices }), t: [0, 0], angle: 0 } : null;
}

// A body to be A and one to be B.
function prepare(shape) {
  const bodies = [0, 1].map(() => {
    const one = made(shape), body = new p2.Body();
    if (one) body.addShape(one.shape, one.t, one.angle);
    return one && body;
  });
  return bodies[0] && bodies;
}

function put({ shape, t, r }, which) {
  p2.vec2.set(shape[which].position, ...t);
  shape[which].angle = r.angle;
  return shape[which];
}

adapt('p2-es', { name: 'p2-es', dims: [2], kinds: ['point', 'segment', 'polygon', 'box'], precisions: ['f32'] },
  { prepare, intersect: (a, b) => narrow.bodiesOverlap(put(a, 0), put(b, 1)) });
