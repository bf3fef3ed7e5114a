// Rapier 3D: the distance of a capsule and a box is off by half a percent.
import R from '@dimforge/rapier3d-compat';

await R.init({});
const turned = { x: 0, y: 0, z: 0, w: 1 };
const found = new R.Capsule(1, 2).contactShape({ x: 0, y: 0, z: 0 }, turned, new R.Cuboid(1, 2, 1), { x: 2, y: 5, z: 2 }, turned, 10);
const truth = Math.hypot(1, 2, 1) - 2; // from the capsule's end (0, 1, 0) to the corner (1, 3, 1), less the radius
console.log(`distance ${found.distance}, in truth ${truth}`);
process.exit(found.distance - truth > 0.002 ? 0 : 1);
