// matter-js 0.20, in double: separating axes of convex polygons in the plane. Its circles are polygons, and not asked.
//
// intersect, penetration: Collision.collides of two bodies, null if they do not collide. `depth` is documented as the
// minimum separating distance along `normal`, a normalised vector. The normal points from the second body to the
// first, the body with the lesser id coming first: the opposite of ours. It names vertices that lie within the other
// body, and no witness points. A body is made afresh for each answer: setAngle turns the vertices where they are, which
// would add up. Body.create puts the centroid of its vertices at its position. Shapes without area are unsupported. A
// body's `slop` belongs to the solver, so no tolerance of collides is documented.
import { createRequire } from 'node:module';
import { adapt, add, answerOf, asXY, polygon, scale, SEPARATED, turn2, xy } from './common.mjs';

const { Body, Collision, Vertices } = createRequire(import.meta.url)('matter-js');

function prepare(shape) {
  const points = polygon(shape);
  if (points.length === 0) return null;
  return { points, centre: xy(Vertices.centre(points.map(asXY))) };
}

function put({ shape, t, r }) {
  const body = Body.create({ vertices: shape.points.map(asXY), position: asXY(shape.centre) });
  Body.setPosition(body, asXY(add(t, turn2(r, shape.centre))));
  Body.setAngle(body, r.angle);
  return body;
}

function ask(a, b, { query }) {
  const first = put(a), found = Collision.collides(first, put(b));
  if (query === 'intersect') return found !== null;
  if (!found) return { status: SEPARATED };
  return answerOf(query, -found.depth, scale(-1, xy(found.normal)), undefined, undefined, true);
}

adapt('matter-js', {
  name: 'matter-js', dims: [2], kinds: ['polygon', 'box'], precisions: ['f64'], no_points: ['penetration'],
}, { prepare, intersect: ask, penetration: ask });
