// Rapier 3D: a box meets a capsule's side at 1/4 of its way. castShape stops 0.0017 before.
import R from '@dimforge/rapier3d-compat';

await R.init({});
const zero = { x: 0, y: 0, z: 0 }, turned = { ...zero, w: 1 }, box = new R.Cuboid(4, 1, 1);
const hit = new R.Capsule(3, 1).castShape(zero, turned, zero, box, { x: 1, y: -4, z: 3 }, turned, { x: -10, y: 9, z: -4 }, 0, 1, true);
// The box's near side is at z = 2 - 4 t, and the capsule's at z = 1, where the box is in front of it in x and y.
console.log(`time ${hit.time_of_impact}, in truth 0.25`);
process.exit(0.25 - hit.time_of_impact > 1e-4 ? 0 : 1);
