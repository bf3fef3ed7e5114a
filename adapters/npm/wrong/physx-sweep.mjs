// PhysX: a box that is swept past a sphere, with a gap of 0.11 at its nearest, hits it.
import { readFileSync } from 'node:fs';
import PhysX from 'physx-js-webidl';

const { process } = globalThis; // the package is built for browsers alone
Object.assign(globalThis, { window: globalThis, process: undefined });
const P = await PhysX({ wasmBinary: readFileSync(new URL('../node_modules/physx-js-webidl/physx-js-webidl.wasm', import.meta.url)) });
Object.assign(globalThis, { window: undefined, process });

const places = [0, 1].map(() => new P.PxTransform(P.PxIDENTITYEnum.PxIdentity)), found = new P.PxGjkQuerySweepResult();
const sphere = new P.SphereSupport(1), box = new P.BoxSupport(new P.PxVec3(1, 4, 2), 0), far = Math.hypot(10, 4);
[places[1].p.x, places[1].p.z] = [1, 4];
const hit = P.PxGjkQuery.prototype.sweep(sphere, box, ...places, new P.PxVec3(-10 / far, 0, -4 / far), far, found), time = found.t / far;
// The box's near edge is at x = 2 - 10 t, z = 2 - 4 t: from the sphere's centre it is never nearer than this.
const edge = Math.abs(2 * 10 - 2 * 4) / far - 1;
console.log(`hit ${hit}, at ${time}, in truth ${edge} apart`);
process.exit(hit ? 0 : 1);
