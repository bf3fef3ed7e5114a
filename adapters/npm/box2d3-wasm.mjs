// box2d3-wasm 5.2: Box2D v3, in float, compiled to WebAssembly. It offers queries of a world alone, and neither its
// distance nor its manifolds of two shapes.
//
// intersect: b2World_OverlapShape of A, as a proxy of points in world space with a radius, and of a world in which only
// the body of B is enabled. toi: b2World_CastShape of A, as B sees it move, for pairs that do not turn. The normal of a
// hit is that of B's surface, from B to A: the opposite of ours. Its one point lies between both surfaces, and is no
// pair of witness points.
//
// Shapes are circles, capsules, segments, and polygons of at most 8 corners with a radius, whose hull b2ComputeHull
// makes: what it refuses or changes, welding points within b2_linearSlop, is unsupported. That slop, 0.005 by default,
// is documented as "a small length used as a collision and constraint tolerance": it is tau, and a quarter more for
// toi, which stops within a quarter of it. B2_HUGE, 100,000, is documented as the limit of positions: what reaches beyond
// it is unsupported. There b2ComputeHull overflows the stack, which ends the module.
import { adapt, add, corners, fileOf, HIT, length, OVERLAPPING, reach, scale, SEPARATED, trueCorners, turn2, xy }
  from './common.mjs';

// The build without threads.
const { default: load } = await import(fileOf('box2d3-wasm', 'build/dist/es/compat/Box2D.compat.mjs'));
const B = await load(), SLOP = 0.005, MOST = 8, HUGE = 1e5;
const world = B.b2CreateWorld(B.b2DefaultWorldDef()), every = B.b2DefaultQueryFilter();
const definition = B.b2DefaultBodyDef(), shapeDefinition = B.b2DefaultShapeDef(), turned = new B.b2Rot();
const vec = ([x, y]) => new B.b2Vec2(x, y);

function freed(objects, result) {
  objects.forEach(object => object.delete());
  return result;
}

// Puts the shape on the body; its points if that worked.
function addTo(body, { kind, rows, radius }) {
  const points = kind === 'box' ? corners(rows[0]) : kind === 'polygon' ? trueCorners(rows) : rows;
  const all = points.map(vec), none = kind === 'segment' && String(rows[0]) === String(rows[1]);
  if (points.length === 0 || points.length > MOST || none) return null;
  if (points.length < 3) {
    const [sort, make] = kind === 'point' ? ['b2Circle', 'b2CreateCircleShape']
      : radius > 0 ? ['b2Capsule', 'b2CreateCapsuleShape'] : ['b2Segment', 'b2CreateSegmentShape'];
    const shape = new B[sort]();
    Object.assign(shape, kind === 'point' ? { center: all[0], radius }
      : radius > 0 ? { center1: all[0], center2: all[1], radius } : { point1: all[0], point2: all[1] });
    B[make](body, shapeDefinition, shape);
    return freed([shape, ...all], points);
  }
  const hull = B.b2ComputeHull(all);
  if (!hull || hull.count !== points.length) return freed(all, null);
  B.b2CreatePolygonShape(body, shapeDefinition, B.b2MakePolygon(hull, radius));
  return freed([hull, ...all], points);
}

function prepare(shape) {
  if (!(reach(shape) < HUGE)) return null;
  const body = B.b2CreateBody(world, definition), points = addTo(body, shape);
  B.b2Body_Disable(body);
  return points && { body, points, radius: shape.radius, reach: reach(shape) };
}

// Whether all of the pair, as A sees it, lies where Box2D may be asked.
const near = (a, b, shift = [0, 0]) => a.shape.reach + b.shape.reach + length(b.t) + length(shift) < HUGE;

// Asks the world in which B is, with A as a proxy: `ask(proxy)`.
function asked(a, b, ask) {
  const { t, r } = b, points = a.shape.points.map(point => vec(turn2(a.r, point))), at = vec(t);
  const proxy = B.b2MakeProxy(points[0], 1, a.shape.radius);
  proxy.count = points.length;
  points.forEach((point, i) => proxy.setPoint(i, point));
  [turned.c, turned.s] = [r.c, r.s];
  B.b2Body_Enable(b.shape.body);
  B.b2Body_SetTransform(b.shape.body, at, turned);
  ask(proxy);
  B.b2Body_Disable(b.shape.body);
  return freed([proxy, at, ...points]);
}

function intersect(a, b) {
  if (!near(a, b)) return null;
  let hit = false;
  asked(a, b, proxy => B.b2World_OverlapShape(world, proxy, every, () => {
    hit = true;
    return false;
  }));
  return hit;
}

function toi(a, b, { shift, turning }) {
  if (turning || !near(a, b, shift)) return null;
  let answer = { status: SEPARATED };
  const hit = ({ point, normal, fraction }) => {
    const at = add(xy(point), scale(fraction, shift));
    answer = fraction > 0 ? { status: HIT, time: fraction, normal: scale(-1, xy(normal)), point_a: at, point_b: at }
      : { status: OVERLAPPING };
    return fraction;
  };
  asked(a, b, proxy => B.b2World_CastShape(world, proxy, vec(scale(-1, shift)), every, hit));
  return answer;
}

adapt('box2d3-wasm', {
  name: 'box2d3-wasm', dims: [2], kinds: ['point', 'segment', 'polygon', 'box'], precisions: ['f32'],
  tau: { intersect: SLOP, toi: 1.25 * SLOP }, no_points: ['toi'],
}, { prepare, intersect, toi });
