// planck 1.4: a port of Box2D 2.4 to JavaScript, in double.
//
// intersect, distance: planck.Distance (GJK, at most 20 iterations, and no word if it stops there), on proxies made
// by setVertices, of any number of vertices and with our radius. It gives no normal. planck.testOverlap calls a
// distance below 10 EPSILON (1e-8) an overlap, and so do both here: that is their tau. testOverlap itself
// counts the skin of 0.01 that planck's polygons have (Settings.polygonRadius), so it is not asked.
//
// penetration, manifold: planck.CollidePolygons and its kin, on PolygonShape, CircleShape and EdgeShape.
// getWorldManifold is given our radii, 0 of what is sharp, so that separations are those of the sharp shapes. It
// keeps contacts up to the skin of both apart; those beyond the margin are left out. The normal points from A to B. A
// world point lies half way between both surfaces: penetration takes it for no pair of witness points.
// A face of the second polygon counts only if it is better by a tenth of Settings.linearSlop (0.0005, tau),
// and with an edge by 0.001 (tau of manifold, with what clipping adds at the ends of a face: the skin of both, 0.02).
// PolygonShape takes at most 12 vertices (Settings.maxPolygonVertices), and welds those within half of linearSlop: what
// it would change is unsupported.
//
// toi: planck.TimeOfImpact on the same proxies, A where it is and B as A sees it move. It stops within a quarter
// of linearSlop of a target of max(linearSlop, both radii - 3 linearSlop): 3.25 linearSlop is tau. No normal,
// no points. "May miss some intermediate, non-tunneling collisions", says its comment.
import { adapt, answerOf, asXY, corners, HIT, LIMIT, OVERLAPPING, polygon, SEPARATED, xy } from './common.mjs';
import * as planck from 'planck';

const { Settings } = planck, TOUCHING = 1e-8, SLOP = Settings.linearSlop, SKIN = 2 * Settings.polygonRadius;
const ORDER = ['edge', 'polygon', 'circle'];
const COLLIDE = {
  'edge polygon': planck.CollideEdgePolygon, 'edge circle': planck.CollideEdgeCircle,
  'polygon polygon': planck.CollidePolygons, 'polygon circle': planck.CollidePolygonCircle,
  'circle circle': planck.CollideCircles,
};

// PolygonShape, if it keeps all corners.
function polygonShape(shape) {
  const kept = polygon(shape);
  if (kept.length < 3 || kept.length > Settings.maxPolygonVertices) return null;
  const made = new planck.PolygonShape(kept.map(asXY)), proxy = new planck.DistanceProxy();
  proxy.set(made, 0);
  const has = new Set([...Array(proxy.getVertexCount()).keys()].map(i => String(xy(proxy.getVertex(i)))));
  return has.size === kept.length && kept.every(v => has.has(String(v))) ? made : null;
}

function prepare(shape) {
  const vertices = (shape.kind === 'box' ? corners(shape.rows[0]) : shape.rows).map(asXY);
  const made = { vertices, radius: shape.radius };
  if (shape.kind === 'point')
    Object.assign(made, { sort: 'circle', shape: new planck.CircleShape(vertices[0], shape.radius) });
  else if (shape.kind === 'segment' && shape.radius === 0 && String(shape.rows[0]) !== String(shape.rows[1]))
    Object.assign(made, { sort: 'edge', shape: new planck.EdgeShape(...vertices) });
  else if (polygonShape(shape)) Object.assign(made, { sort: 'polygon', shape: polygonShape(shape) });
  return made;
}

function transform({ t, r }) {
  const made = new planck.Transform();
  made.p.x = t[0];
  made.p.y = t[1];
  made.q.c = r.c;
  made.q.s = r.s;
  return made;
}

function apart(a, b, { query }) {
  const input = new planck.DistanceInput(), output = new planck.DistanceOutput();
  [[input.proxyA, a, input.transformA], [input.proxyB, b, input.transformB]].forEach(([proxy, body, at]) => {
    proxy.setVertices(body.shape.vertices, body.shape.vertices.length, body.shape.radius);
    at.p.x = body.t[0];
    at.p.y = body.t[1];
    at.q.c = body.r.c;
    at.q.s = body.r.s;
  });
  input.useRadii = query === 'distance' && a.shape.radius + b.shape.radius > 0;
  planck.Distance(output, new planck.SimplexCache(), input);
  const distance = output.distance - (input.useRadii ? 0 : a.shape.radius + b.shape.radius);
  if (query === 'intersect') return distance < TOUCHING;
  return answerOf(query, distance, [0, 0], xy(output.pointA), xy(output.pointB), distance < TOUCHING);
}

// Separations and points half way between both surfaces, the normal from A to B; null if planck has no such pair.
function collided(a, b) {
  const swapped = ORDER.indexOf(a.shape.sort) > ORDER.indexOf(b.shape.sort), [one, two] = swapped ? [b, a] : [a, b];
  const collide = COLLIDE[`${one.shape.sort} ${two.shape.sort}`];
  if (!collide) return null;
  const found = new planck.Manifold(), at = [one, two].map(transform);
  collide(found, one.shape.shape, at[0], two.shape.shape, at[1]);
  const world = found.getWorldManifold(null, at[0], one.shape.radius, at[1], two.shape.radius);
  const normal = world ? xy(world.normal).map(x => (swapped ? -x : x)) : [0, 0];
  const contacts = [...Array(found.pointCount).keys()].map(i =>
    ({ at: xy(world.points[i]), separation: world.separations[i], feature: found.points[i].id.key }));
  return { normal, contacts };
}

function penetration(a, b, { query }) {
  if (a.shape.sort === 'edge' || b.shape.sort === 'edge') return null;
  const found = collided(a, b);
  if (!found) return null;
  const deepest = Math.min(...found.contacts.map(contact => contact.separation), Infinity);
  return deepest <= 0 ? answerOf(query, deepest, found.normal) : { status: SEPARATED };
}

function manifold(a, b, { margin }) {
  const found = collided(a, b);
  if (!found) return null;
  const kept = found.contacts.filter(contact => contact.separation <= margin);
  return {
    status: kept.some(contact => contact.separation <= 0) ? OVERLAPPING : SEPARATED,
    normal: kept.length > 0 ? found.normal : [0, 0],
    contacts: kept.map(({ at, separation, feature }) => ({ separation, feature,
      point_a: at.map((x, i) => x - 0.5 * separation * found.normal[i]),
      point_b: at.map((x, i) => x + 0.5 * separation * found.normal[i]) })),
  };
}

function toi(a, b, { shift, turns }) {
  const input = new planck.TOIInput(), output = new planck.TOIOutput();
  [[input.proxyA, input.sweepA, a, [0, 0], turns[0]], [input.proxyB, input.sweepB, b, shift, turns[1]]]
    .forEach(([proxy, sweep, body, by, turn]) => {
      proxy.setVertices(body.shape.vertices, body.shape.vertices.length, body.shape.radius);
      sweep.c0.set(body.t[0], body.t[1]);
      sweep.c.set(body.t[0] + by[0], body.t[1] + by[1]);
      sweep.a0 = body.r.angle;
      sweep.a = body.r.angle + turn;
    });
  input.tMax = 1;
  planck.TimeOfImpact(output, input);
  const { e_separated, e_touching, e_overlapped } = planck.TOIOutputState;
  if (output.state === e_touching) return output.t > 0 ? { status: HIT, time: output.t } : { status: OVERLAPPING };
  return { status: output.state === e_separated ? SEPARATED : output.state === e_overlapped ? OVERLAPPING : LIMIT };
}

adapt('planck', {
  name: 'planck', note: 'penetration is its contact manifold', dims: [2], precisions: ['f64'],
  kinds: ['point', 'segment', 'polygon', 'box'], does_more: ['penetration'],
  tau: { intersect: TOUCHING, distance: TOUCHING, penetration: 0.1 * SLOP, toi: 3.25 * SLOP, manifold: 0.001 + SKIN },
  no_normal: ['distance', 'toi'], no_points: ['penetration', 'toi'],
}, { prepare, intersect: apart, distance: apart, penetration, manifold, toi });
