// crashcat 0.0.5, in double: written in TypeScript after JoltPhysics.
//
// intersect, penetration: collideShapeVsShape. penetrationAxis is "direction to move shape B out of collision", of any
// length, from A to B; points are in world space. distance: gjkClosestPoints, since collideShapeVsShape takes a maximum
// separation of 1 at most. Its supports come from setShapeSupport without the convex radius, which is taken off here;
// the axis points from A to B. toi: castShapeVsShape, A being cast at B as B sees it, for pairs that do not turn.
//
// Convex radii round the corners of boxes, hulls and cylinders off. They are set to 0, and those shapes have no radius
// here. hullTolerance, how far points may lie outside of a hull, is set to 0 (the default is 0.001). collisionTolerance
// (1e-4, the default of collide; of casts it is set to that, from 0.01): "if objects are closer than this distance,
// they are considered to be colliding", hence tau. Shapes so near give a cast no normal to rely on, so that of toi is
// not looked at. penetrationTolerance (1e-4, the default), "a factor that determines the accuracy of the penetration
// depth", ends the search for a depth if the squared depth changes by less than this share of it. No depth exceeds the
// pair's size, so it is tau_relative of penetration.
import * as crashcat from 'crashcat';
import { adapt, add, answerOf, capsule, HIT, OVERLAPPING, scale, SEPARATED, sub, turn3, unit, within, Y_TO_Z }
  from './common.mjs';

crashcat.registerAll();
const TOLERANCE = 1e-4, upright = { t: [0, 0, 0], r: Y_TO_Z }, ONE = [1, 1, 1], WHOLE = crashcat.EMPTY_SUB_SHAPE_ID;
const collide = crashcat.createDefaultCollideShapeSettings(), cast = crashcat.createDefaultCastShapeSettings();
Object.assign(cast, { collisionTolerance: TOLERANCE, penetrationTolerance: TOLERANCE, collideWithBackfaces: true });

function prepare({ kind, rows, radius }) {
  const [first, second] = rows[0];
  if (kind === 'point')
    return radius > 0 ? { shape: crashcat.sphere.create({ radius }), frame: { t: rows[0], r: [0, 0, 0, 1] } } : null;
  if (kind === 'segment') {
    const frame = capsule(rows);
    if (!(radius > 0 && frame.half > 0)) return null;
    return { frame, shape: crashcat.capsule.create({ radius, halfHeightOfCylinder: frame.half }) };
  }
  if (radius > 0 || (kind !== 'hull' && !(Math.min(...rows[0].slice(0, kind === 'box' ? 3 : 2)) > 0))) return null;
  if (kind === 'box') return { shape: crashcat.box.create({ halfExtents: rows[0], convexRadius: 0 }) };
  if (kind === 'cylinder')
    return { shape: crashcat.cylinder.create({ halfHeight: second, radius: first, convexRadius: 0 }), frame: upright };
  try {
    return { shape: crashcat.convexHull.create({ positions: rows.flat(), convexRadius: 0, hullTolerance: 0 }) };
  } catch {
    return null; // no hull: flat points
  }
}

const placed = body => {
  const { shape, t, r } = within(body, body.shape.frame);
  return { shape: shape.shape, t, r: unit(r) };
};
const argumentsOf = ({ shape, t, r }, ...more) => [shape, WHOLE, 0, ...t, ...r, ...ONE, ...more];

function contact(a, b, { query }) {
  const found = crashcat.createClosestCollideShapeCollector();
  crashcat.collideShapeVsShape(found, collide, ...argumentsOf(placed(a)), ...argumentsOf(placed(b)));
  if (query === 'intersect') return found.hit !== null;
  if (!found.hit) return { status: SEPARATED };
  const { penetration, penetrationAxis, pointA, pointB } = found.hit;
  return answerOf(query, -penetration, [...penetrationAxis], [...pointA], [...pointB], true);
}

const WITHOUT_RADIUS = crashcat.SupportFunctionMode.EXCLUDE_CONVEX_RADIUS;
const supports = [0, 1].map(crashcat.createSupport), closest = crashcat.createGjkClosestPoints();


// In the frame of A.
function distance(a, b, { query }) {
  const [one, two] = [placed(a), placed(b)], back = [...scale(-1, one.r.slice(0, 3)), one.r[3]];
  [one, two].forEach(({ shape }, i) => crashcat.setShapeSupport(supports[i], shape, WITHOUT_RADIUS, ONE));
  supports[1].hasTransform = true;
  const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].flatMap(axis => [...turn3(back, turn3(two.r, axis)), 0]);
  const between = turn3(back, sub(two.t, one.t));
  [...axes, ...between, 1].forEach((x, i) => { supports[1].transform[i] = x; });
  const direction = Math.hypot(...between) > 0 ? between : [1, 0, 0];
  crashcat.gjkClosestPoints(closest, supports[0], supports[1], TOLERANCE, direction, Number.MAX_VALUE);
  const radii = supports.map(support => support.convexRadius);
  const sigma = Math.sqrt(closest.squaredDistance) - radii[0] - radii[1];
  const normal = turn3(one.r, unit(closest.penetrationAxis));
  const [pointA, pointB] = [closest.pointA, closest.pointB].map(p => add(one.t, turn3(one.r, [...p])));
  return answerOf(query, sigma, normal, add(pointA, scale(radii[0], normal)), sub(pointB, scale(radii[1], normal)));
}

function toi(a, b, { shift, turning }) {
  if (turning) return null;
  const found = crashcat.createClosestCastShapeCollector(), from = argumentsOf(placed(a), ...scale(-1, shift));
  crashcat.castShapeVsShape(found, cast, ...from, ...argumentsOf(placed(b)));
  const hit = found.hit;
  if (!hit || hit.status !== crashcat.CastShapeStatus.COLLIDING) return { status: SEPARATED };
  if (!(hit.fraction > 0)) return { status: OVERLAPPING };
  const back = scale(hit.fraction, shift);
  return { status: HIT, time: hit.fraction, normal: [...hit.penetrationAxis], point_a: add([...hit.pointA], back),
    point_b: add([...hit.pointB], back) };
}

adapt('crashcat', {
  name: 'crashcat', dims: [3], kinds: ['point', 'segment', 'box', 'hull', 'cylinder'], precisions: ['f64'],
  tau: TOLERANCE, tau_relative: { penetration: TOLERANCE }, no_normal: ['toi'],
}, { prepare, intersect: contact, distance, penetration: contact, toi });
