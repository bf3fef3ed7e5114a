// PhysX: the distance of two thin tetrahedra is off by half a percent: two of their points are nearer than that.
import { readFileSync } from 'node:fs';
import PhysX from 'physx-js-webidl';

const { process } = globalThis; // the package is built for browsers alone
Object.assign(globalThis, { window: globalThis, process: undefined });
const P = await PhysX({ wasmBinary: readFileSync(new URL('../node_modules/physx-js-webidl/physx-js-webidl.wasm', import.meta.url)) });
Object.assign(globalThis, { window: undefined, process });

P.CreatePhysics(P.PHYSICS_VERSION, P.CreateFoundation(P.PHYSICS_VERSION, new P.PxDefaultAllocator(), new P.PxDefaultErrorCallback()),
  new P.PxTolerancesScale());
const cooking = new P.PxCookingParams(new P.PxTolerancesScale()), [first, second] = [
  [[49, 1, 2], [2, 2, 0], [-2, 2, 1], [-100, 2, 0]], [[-84, -1, 2], [55, -2, 2], [24, 1, -2], [95, 0, -1]],
].map(rows => {
  const points = new P.PxArray_PxVec3(rows.length), desc = new P.PxConvexMeshDesc();
  rows.forEach(([x, y, z], i) => Object.assign(points.get(i), { x, y, z }));
  desc.flags = new P.PxConvexFlags(P.PxConvexFlagEnum.eCOMPUTE_CONVEX);
  Object.assign(desc.points, { count: rows.length, stride: 12, data: points.begin() });
  return new P.ConvexMeshSupport(P.CreateConvexMesh(cooking, desc), new P.PxVec3(1, 1, 1), new P.PxQuat(0, 0, 0, 1), 0);
});
const places = [0, 1].map(() => new P.PxTransform(P.PxIDENTITYEnum.PxIdentity)), found = new P.PxGjkQueryProximityInfoResult();
Object.assign(places[1].p, { x: 29, y: 4, z: -2 });
P.PxGjkQuery.prototype.proximityInfo(first, second, ...places, 1000, 100, found);
const truth = (139 - 57) / Math.hypot(139, 1); // from (2, 2, 0) to the edge from (-55, 3, 0) to (84, 2, 0)
console.log(`distance ${found.separation}, in truth no more than ${truth}`);
process.exit(found.separation - truth > 0.002 ? 0 : 1);
