// Rapier 2D: a capsule and a box, in tenths of a millimetre, "intersect" with a gap as wide as the box.
import R from '@dimforge/rapier2d-compat';

await R.init({});
const unit = 1e-4, capsule = new R.Capsule(2 * unit, unit), box = new R.Cuboid(unit, unit); // the capsule is along y
const hit = capsule.intersectsShape({ x: 0, y: 0 }, 0, box, { x: -4 * unit, y: unit }, 0);
console.log(`intersect ${hit}, in truth 2 units apart along x: 4 less 1 of each`);
process.exit(hit ? 0 : 1);
