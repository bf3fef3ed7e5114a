// Rapier 3D: a capsule and a box, in millimetres, "intersect" with a gap of 1 between them.
import R from '@dimforge/rapier3d-compat';

await R.init({});
const turned = { x: 0, y: 0, z: 0, w: 1 }, unit = 1e-3, box = new R.Cuboid(2 * unit, unit, unit);
const hit = new R.Capsule(2 * unit, unit).intersectsShape({ x: 0, y: 0, z: 0 }, turned, box, { x: 0, y: 0, z: -3 * unit }, turned);
console.log(`intersect ${hit}, in truth 1 mm apart along z: 3 less 1 of each`);
process.exit(hit ? 0 : 1);
