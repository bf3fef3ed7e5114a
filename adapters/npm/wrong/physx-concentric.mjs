// PhysX: of two spheres about one point proximityInfo says "no", that is further apart than the contact distance.
import { readFileSync } from 'node:fs';
import PhysX from 'physx-js-webidl';

const { process } = globalThis; // the package is built for browsers alone
Object.assign(globalThis, { window: globalThis, process: undefined });
const P = await PhysX({ wasmBinary: readFileSync(new URL('../node_modules/physx-js-webidl/physx-js-webidl.wasm', import.meta.url)) });
Object.assign(globalThis, { window: undefined, process });

const spheres = [new P.SphereSupport(1), new P.SphereSupport(2)], places = [0, 1].map(() => new P.PxTransform(P.PxIDENTITYEnum.PxIdentity));
const query = P.PxGjkQuery.prototype, found = new P.PxGjkQueryProximityInfoResult();
const near = query.proximityInfo(...spheres, ...places, 100, 1, found), overlap = query.overlap(...spheres, ...places);
console.log(`proximityInfo ${near}, overlap ${overlap}, in truth 3 deep`);
process.exit(!near && overlap ? 0 : 1);
