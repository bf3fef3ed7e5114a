// SAT.js 0.9, in double: separating axes of circles and convex polygons in the plane.
//
// intersect, penetration: SAT.testPolygonPolygon and its kin. A Response has the depth `overlap` and its axis
// `overlapN`, of length 1: A moved by -overlap * overlapN no longer collides, so the axis points from A to B. It
// names no points. Polygons are given counter-clockwise, without a radius, and keep their pose: each shape has two.
// Flat ones are no convex polygons, and unsupported. No margin or tolerance is documented.
import { createRequire } from 'node:module';
import { adapt, answerOf, polygon, SEPARATED, turn2, xy } from './common.mjs';

const SAT = createRequire(import.meta.url)('sat'), at = v => new SAT.Vector(...v);
const TEST = {
  'circle circle': SAT.testCircleCircle, 'circle polygon': SAT.testCirclePolygon,
  'polygon circle': SAT.testPolygonCircle, 'polygon polygon': SAT.testPolygonPolygon,
};

function prepare(shape) {
  if (shape.kind === 'point') return { sort: 'circle', centre: shape.rows[0], radius: shape.radius };
  const points = polygon(shape);
  if (points.length === 0) return null;
  return { sort: 'polygon', as: [0, 1].map(() => new SAT.Polygon(at([0, 0]), points.map(at))) };
}

function put({ shape, t, r }, which) {
  if (shape.sort === 'circle') return new SAT.Circle(at(turn2(r, shape.centre).map((x, i) => x + t[i])), shape.radius);
  shape.as[which].pos = at(t);
  return shape.as[which].setAngle(r.angle);
}

function ask(a, b, { query }) {
  const response = new SAT.Response(), test = TEST[`${a.shape.sort} ${b.shape.sort}`];
  const hit = test(put(a, 0), put(b, 1), response);
  if (query === 'intersect') return hit;
  // Of what merely touches the axis may point either way.
  if (!hit || response.overlap === 0) return { status: SEPARATED };
  return answerOf(query, -response.overlap, xy(response.overlapN), undefined, undefined, true);
}

adapt('sat', {
  name: 'sat', dims: [2], kinds: ['point', 'polygon', 'box'], precisions: ['f64'], no_points: ['penetration'],
}, { prepare, intersect: ask, penetration: ask });
