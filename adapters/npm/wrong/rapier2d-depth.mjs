// Rapier 2D: a capsule and a box overlap by 4, and part if moved apart by 4 along x or y, and by no less. It says 3.41.
import R from '@dimforge/rapier2d-compat';

await R.init({});
const capsule = new R.Capsule(2, 2), box = new R.Cuboid(3, 1); // the capsule is along y, and 4 wide
const found = capsule.contactShape({ x: 0, y: 0 }, 0, box, { x: -1, y: 1 }, 0, 10);
const { x, y } = found.normal1, apart = capsule.intersectsShape({ x: 0, y: 0 }, 0, box, { x: -1 - x * found.distance, y: 1 - y * found.distance }, 0);
console.log(`depth ${-found.distance} along (${x}, ${y}), in truth 4; moved by it they still overlap: ${apart}`);
process.exit(found.distance > -3.9 ? 0 : 1);
