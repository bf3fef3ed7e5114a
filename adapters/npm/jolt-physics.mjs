// jolt-physics 1.1: JoltPhysics, in float, compiled to WebAssembly.
//
// intersect, distance, penetration, signed_distance: TransformedShape.CollideShape, A being asked about and B being the
// transformed shape, so that A is Jolt's shape 1. Its mPenetrationAxis, "direction to move shape 2 out of collision",
// of any length, points from A to B. mPenetrationDepth is negative of shapes that are apart, by no more than
// mMaxSeparationDistance: depths are asked for without it, then distances with more than they can be. toi:
// TransformedShape.CastShape, A being cast at B as B sees it, for pairs that do not turn. Poses of Jolt are those of
// centres of mass.
//
// Within Jolt's shapes convex radii round corners off. They are set to 0, and boxes, hulls and cylinders have no radius
// here. mHullTolerance, how far points may lie outside of a hull, is set to 0 (the default is 0.001).
// mCollisionTolerance (1e-4, the default): "if objects are closer than this distance, they are considered to be
// colliding", hence tau. It is made for sizes of 0.1 to 10 m for what moves, and to 2000 m for what does not: shapes
// outside of 0.1 to 2000 are unsupported. Shapes so near give a cast no normal to rely on, so that of toi is not looked
// at. mPenetrationTolerance (1e-4, the default), "a factor that determines the accuracy of the penetration depth", ends
// the search for a depth if the squared depth changes by less than this share of it. Distances are depths, too: of a
// shape that mMaxSeparationDistance inflates. No depth exceeds the pair's size, so this factor is tau_relative of both.
import initJolt from 'jolt-physics';
import { adapt, add, answerOf, capsule, HIT, OVERLAPPING, reach, SEPARATED, turn3, within, Y_TO_Z } from './common.mjs';

const J = await initJolt(), TOLERANCE = 1e-4, FACTOR = 1e-4, upright = { t: [0, 0, 0], r: Y_TO_Z };
const numbers = v => [v.GetX(), v.GetY(), v.GetZ()];

// Jolt knows which shapes collide how once there is an interface, with one layer.
const settings = new J.JoltSettings(), broad = new J.BroadPhaseLayerInterfaceTable(1, 1);
broad.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0));
settings.mObjectLayerPairFilter = new J.ObjectLayerPairFilterTable(1);
settings.mBroadPhaseLayerInterface = broad;
settings.mObjectVsBroadPhaseLayerFilter =
  new J.ObjectVsBroadPhaseLayerFilterTable(broad, 1, settings.mObjectLayerPairFilter, 1);
new J.JoltInterface(settings);

// Objects of Jolt that are used again and again: JavaScript does not free them.
const point = new J.Vec3(0, 0, 0), one = new J.Vec3(1, 1, 1);
const every = new J.ShapeFilter(), target = new J.TransformedShape();
const zero = new J.RVec3(0, 0, 0), place = new J.RVec3(0, 0, 0), rotation = new J.Quat(0, 0, 0, 1);
const collide = new J.CollideShapeSettings(), collided = new J.CollideShapeClosestHitCollisionCollector();
const cast = new J.ShapeCastSettings(), impact = new J.CastShapeClosestHitCollisionCollector();
cast.mBackFaceModeConvex = J.EBackFaceMode_CollideWithBackFaces; // also overlaps that are being left

function hull(rows) {
  const hullOf = new J.ConvexHullShapeSettings();
  for (const [x, y, z] of rows) {
    point.Set(x, y, z);
    hullOf.mPoints.push_back(point);
  }
  hullOf.mMaxConvexRadius = 0;
  hullOf.mHullTolerance = 0;
  const made = hullOf.Create(); // also of flat ones, which Jolt takes
  return made.HasError() ? null : { shape: made.Get() };
}

function shapeOf({ kind, rows, radius }) {
  const [first, second] = rows[0];
  if (kind === 'point')
    return radius > 0 ? { shape: new J.SphereShape(radius), frame: { t: rows[0], r: [0, 0, 0, 1] } } : null;
  if (kind === 'segment') {
    const frame = capsule(rows);
    return radius > 0 && frame.half > 0 ? { shape: new J.CapsuleShape(frame.half, radius), frame } : null;
  }
  if (radius > 0 || (kind !== 'hull' && !(Math.min(...rows[0].slice(0, kind === 'box' ? 3 : 2)) > 0))) return null;
  point.Set(...rows[0]);
  if (kind === 'box') return { shape: new J.BoxShape(point, 0) };
  return kind === 'cylinder' ? { shape: new J.CylinderShape(second, first, 0), frame: upright } : hull(rows);
}

function prepare(shape) {
  const size = 2 * reach(shape), made = size >= 0.1 && size <= 2000 ? shapeOf(shape) : null;
  if (!made) return null;
  made.shape.AddRef();
  return { ...made, centre: numbers(made.shape.GetCenterOfMass()) };
}

// Puts B where CollideShape and CastShape look for it; returns where A is, which holds until the next call.
function put(a, b) {
  for (const body of [b, a]) {
    const { t, r } = within(body, body.shape.frame);
    rotation.Set(...r);
    if (body === b) {
      place.Set(...t);
      target.mShape = b.shape.shape;
      target.SetWorldTransform(place, rotation, one);
    } else place.Set(...add(t, turn3(r, a.shape.centre)));
  }
  return J.RMat44.prototype.sRotationTranslation(rotation, place);
}

// The answer if contacts up to `most` apart are looked for; null if there is none.
function near(a, b, query, most) {
  collide.mMaxSeparationDistance = most;
  collided.Reset();
  target.CollideShape(a.shape.shape, one, put(a, b), collide, zero, collided, every);
  if (!collided.HadHit()) return null;
  const hit = collided.mHit;
  return answerOf(query, -hit.mPenetrationDepth, numbers(hit.mPenetrationAxis), numbers(hit.mContactPointOn1),
    numbers(hit.mContactPointOn2));
}

// Depths come without a separation, which costs them digits. No distance exceeds that of the centres of mass.
function contact(a, b, { query }) {
  const touching = query === 'distance' ? null : near(a, b, query, 0);
  if (touching || query === 'intersect' || query === 'penetration') return touching ?? { status: SEPARATED };
  const centres = [a, b].map(body => within(body, body.shape.frame))
    .map(({ shape, t, r }) => add(t, turn3(r, shape.centre)));
  const most = 1.001 * Math.hypot(...centres[0].map((x, i) => x - centres[1][i]));
  return near(a, b, query, most) ?? { status: SEPARATED };
}

function toi(a, b, { shift, turning }) {
  if (turning) return null;
  const from = put(a, b);
  point.Set(...shift.map(x => -x));
  const moving = new J.RShapeCast(a.shape.shape, one, from, point);
  impact.Reset();
  target.CastShape(moving, cast, zero, impact, every);
  J.destroy(moving);
  if (!impact.HadHit()) return { status: SEPARATED };
  const hit = impact.mHit, time = hit.mFraction, back = shift.map(x => x * time);
  if (!(time > 0)) return { status: OVERLAPPING };
  return { status: HIT, time, normal: numbers(hit.mPenetrationAxis), point_a: add(numbers(hit.mContactPointOn1), back),
    point_b: add(numbers(hit.mContactPointOn2), back) };
}

adapt('jolt-physics', {
  name: 'jolt-physics', dims: [3], kinds: ['point', 'segment', 'box', 'hull', 'cylinder'], precisions: ['f32'],
  tau: TOLERANCE, tau_relative: { distance: FACTOR, penetration: FACTOR, signed_distance: FACTOR }, no_normal: ['toi'],
}, { prepare, intersect: contact, distance: contact, penetration: contact, signed_distance: contact, toi });
