// PhysX: two cubes, in tenths of a millimetre, "overlap" with a gap of 1 between them.
import { readFileSync } from 'node:fs';
import PhysX from 'physx-js-webidl';

const { process } = globalThis; // the package is built for browsers alone
Object.assign(globalThis, { window: globalThis, process: undefined });
const P = await PhysX({ wasmBinary: readFileSync(new URL('../node_modules/physx-js-webidl/physx-js-webidl.wasm', import.meta.url)) });
Object.assign(globalThis, { window: undefined, process });

const unit = 1e-4, cubes = [1, 2].map(half => new P.BoxSupport(new P.PxVec3(half * unit, half * unit, half * unit), 0));
const places = [0, 1].map(() => new P.PxTransform(P.PxIDENTITYEnum.PxIdentity)), at = places[1].p;
[at.x, at.y, at.z] = [4, -2, 1].map(x => x * unit);
const overlap = P.PxGjkQuery.prototype.overlap(...cubes, ...places);
console.log(`overlap ${overlap}, in truth 1 unit apart along x: 4 less 1 and 2`);
process.exit(overlap ? 0 : 1);
