// detect-collisions 10.10, that is check2d 9.36, in double: circles and polygons over SAT.js.
//
// intersect, penetration: System.checkCollision of two bodies, with a Response of SAT.js: A moved by
// -overlap * overlapN no longer collides, so that axis points from A to B; it names no points. Polygons are given
// counter-clockwise, without a radius. Bodies keep their pose, so each
// shape has two, in one System. Flat polygons are unsupported. No tolerance is documented.
import { createRequire } from 'node:module';
import { adapt, add, answerOf, asXY, polygon, SEPARATED, turn2, xy } from './common.mjs';

const { Circle, Polygon, Response, System } = createRequire(import.meta.url)('detect-collisions');
const system = new System();

function inserted(body) {
  system.insert(body);
  return body;
}

function prepare(shape) {
  const { kind, radius, rows } = shape;
  if (kind === 'point' && !(radius > 0)) return null;
  if (kind === 'point') return { centre: rows[0], as: [0, 1].map(() => inserted(new Circle({ x: 0, y: 0 }, radius))) };
  const points = polygon(shape);
  return points.length > 0 ? { as: [0, 1].map(() => inserted(new Polygon({ x: 0, y: 0 }, points.map(asXY)))) } : null;
}

function put({ shape, t, r }, which) {
  const body = shape.as[which], [x, y] = shape.centre ? add(t, turn2(r, shape.centre)) : t;
  if (!shape.centre) body.setAngle(r.angle, false);
  body.setPosition(x, y);
  return body;
}

function ask(a, b, { query }) {
  const response = new Response(), hit = system.checkCollision(put(a, 0), put(b, 1), response);
  if (query === 'intersect') return hit;
  // Of what merely touches the axis may point either way.
  if (!hit || response.overlap === 0) return { status: SEPARATED };
  return answerOf(query, -response.overlap, xy(response.overlapN), undefined, undefined, true);
}

adapt('detect-collisions', {
  name: 'detect-collisions', dims: [2], kinds: ['point', 'polygon', 'box'], precisions: ['f64'],
  no_points: ['penetration'],
}, { prepare, intersect: ask, penetration: ask });
