// physx-js-webidl 2.7: PhysX 5.6, in float, compiled to WebAssembly.
//
// intersect: PxGjkQuery.overlap. distance, penetration, signed_distance: PxGjkQuery.proximityInfo, with a contact
// distance that no distance exceeds, and the reach of the larger shape as tolerance length, which scales its own
// thresholds. toi: PxGjkQuery.sweep, for pairs that do not turn. Shapes are SphereSupport, CapsuleSupport (along x),
// BoxSupport, and ConvexMeshSupport of a mesh that PhysX cooks, of at most 255 vertices; a margin rounds the last two.
// The package is built for browsers alone, which its own check of versions insists on: while it loads it does not see
// that it runs in Node.js. The separating axis points from B to A: B translated by separation * axis touches A. Points
// are in world space.
import PhysX from 'physx-js-webidl';
import { readFileSync } from 'node:fs';
import { adapt, answerOf, capsule, fileOf, HIT, length, OVERLAPPING, reach, scale, SEPARATED, thickness, turnedBy,
  within, xyz } from './common.mjs';

const { process } = globalThis, wasmBinary = readFileSync(fileOf('physx-js-webidl', 'physx-js-webidl.wasm'));
Object.assign(globalThis, { window: globalThis, process: undefined });
const P = await PhysX({ wasmBinary });
Object.assign(globalThis, { window: undefined, process });
const X_TO_Y = [0, 0, Math.SQRT1_2, Math.SQRT1_2]; // a capsule's frame takes y to its segment
const foundation = P.CreateFoundation(P.PHYSICS_VERSION, new P.PxDefaultAllocator(), new P.PxDefaultErrorCallback());
const tolerances = new P.PxTolerancesScale(), physics = P.CreatePhysics(P.PHYSICS_VERSION, foundation, tolerances);
const cooking = new P.PxCookingParams(tolerances), vec = v => new P.PxVec3(...v);
cooking.planeTolerance = 0; // all points are kept
const found = new P.PxGjkQueryProximityInfoResult(), swept = new P.PxGjkQuerySweepResult();
const places = [0, 1].map(() => new P.PxTransform(P.PxIDENTITYEnum.PxIdentity));

// The mesh is cooked at a size of about 1, since cooking loses points of tiny hulls, and gets its size, a power of two,
// from the scale of the support, which scales the margin, too.
function hull(rows, radius) {
  const most = Math.max(...rows.map(length)), size = 2 ** Math.round(Math.log2(most));
  if (!(thickness(rows) > 1e-5 * most)) return null;
  const points = new P.PxArray_PxVec3(rows.length), desc = new P.PxConvexMeshDesc(), one = vec([0, 0, 0]);
  rows.forEach(([x, y, z], i) => {
    const at = points.get(i);
    at.x = x / size;
    at.y = y / size;
    at.z = z / size;
  });
  desc.flags = new P.PxConvexFlags(P.PxConvexFlagEnum.eCOMPUTE_CONVEX);
  desc.points.count = rows.length;
  desc.points.stride = 12;
  desc.points.data = points.begin();
  const mesh = P.CreateConvexMesh(cooking, desc);
  if (!mesh || !P.getPointer(mesh)) return null;
  return { support: new P.ConvexMeshSupport(mesh, vec([size, size, size]), new P.PxQuat(0, 0, 0, 1), radius / size) };
}

function supportOf({ kind, rows, radius }) {
  if (kind === 'point')
    return radius > 0 ? { support: new P.SphereSupport(radius), frame: { t: rows[0], r: [0, 0, 0, 1] } } : null;
  if (kind === 'segment') {
    const { half, t, r } = capsule(rows);
    return radius > 0 ? { support: new P.CapsuleSupport(radius, half), frame: { t, r: turnedBy(r, X_TO_Y) } } : null;
  }
  return kind === 'box' ? { support: new P.BoxSupport(vec(rows[0]), radius) } : hull(rows, radius);
}

function prepare(shape) {
  const made = supportOf(shape);
  return made && { ...made, reach: reach(shape) };
}

function put(a, b) {
  [a, b].forEach((body, i) => {
    const { t, r } = within(body, body.shape.frame), place = places[i];
    [place.p.x, place.p.y, place.p.z] = t;
    [place.q.x, place.q.y, place.q.z, place.q.w] = r;
  });
  return [a.shape.support, b.shape.support, ...places];
}

const intersect = (a, b) => P.PxGjkQuery.prototype.overlap(...put(a, b));

function contact(a, b, { query }) {
  const enough = 2 * (a.shape.reach + b.shape.reach + Math.hypot(...b.t));
  const size = Math.max(a.shape.reach, b.shape.reach);
  const near = P.PxGjkQuery.prototype.proximityInfo(...put(a, b), enough, size, found);
  if (!near) return { status: SEPARATED };
  return answerOf(query, found.separation, scale(-1, xyz(found.separatingAxis)), xyz(found.pointA), xyz(found.pointB));
}

function toi(a, b, { shift, turning }) {
  if (turning) return null;
  const far = Math.hypot(...shift), way = vec(far > 0 ? scale(1 / far, shift) : [1, 0, 0]);
  const hit = P.PxGjkQuery.prototype.sweep(...put(a, b), way, far, swept);
  P.destroy(way);
  if (!hit) return { status: SEPARATED };
  if (!(swept.t > 0)) return { status: OVERLAPPING };
  return { status: HIT, time: swept.t / far, normal: xyz(swept.n), point_a: xyz(swept.p), point_b: xyz(swept.p) };
}

adapt('physx-js-webidl', {
  name: 'physx', dims: [3], kinds: ['point', 'segment', 'box', 'hull'], precisions: ['f32'], max_vertices: 255,
}, { prepare, intersect, distance: contact, penetration: contact, signed_distance: contact, toi });
