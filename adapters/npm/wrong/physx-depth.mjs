// PhysX: a sphere and a box around its centre overlap by 4, and part if moved apart by 4 along y, and by no less.
import { readFileSync } from 'node:fs';
import PhysX from 'physx-js-webidl';

const { process } = globalThis; // the package is built for browsers alone
Object.assign(globalThis, { window: globalThis, process: undefined });
const P = await PhysX({ wasmBinary: readFileSync(new URL('../node_modules/physx-js-webidl/physx-js-webidl.wasm', import.meta.url)) });
Object.assign(globalThis, { window: undefined, process });

const places = [0, 1].map(() => new P.PxTransform(P.PxIDENTITYEnum.PxIdentity)), found = new P.PxGjkQueryProximityInfoResult();
places[1].p.x = 1;
P.PxGjkQuery.prototype.proximityInfo(new P.SphereSupport(3), new P.BoxSupport(new P.PxVec3(3, 1, 2), 0), ...places, 100, 4, found);
console.log(`depth ${-found.separation}, in truth 4`);
process.exit(found.separation > -3.9 ? 0 : 1);
