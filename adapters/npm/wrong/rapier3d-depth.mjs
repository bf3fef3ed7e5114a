// Rapier 3D: a capsule within a box, which parts from it if moved by 4, touches it only, by its contact.
import R from '@dimforge/rapier3d-compat';

await R.init({});
const turned = { x: 0, y: 0, z: 0, w: 1 }; // along y the box is 2 thick, and the capsule 6 long
const found = new R.Capsule(1, 2).contactShape({ x: 0, y: 0, z: 0 }, turned, new R.Cuboid(4, 1, 3), { x: 0, y: 0, z: -1 }, turned, 10);
console.log(`depth ${-found.distance}, in truth 4`);
process.exit(found.distance > -0.1 ? 0 : 1);
