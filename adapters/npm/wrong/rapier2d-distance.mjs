// Rapier 2D: the distance of a capsule and a box is off by a thousandth.
import R from '@dimforge/rapier2d-compat';

await R.init({});
const found = new R.Capsule(1, 1).contactShape({ x: 0, y: 0 }, 0, new R.Cuboid(3, 1), { x: 4, y: -7 }, 0, 100);
const truth = Math.hypot(1, 5) - 1; // from the capsule's end (0, -1) to the corner (1, -6), less the radius
console.log(`distance ${found.distance}, in truth ${truth}`);
process.exit(found.distance - truth > 0.002 ? 0 : 1);
