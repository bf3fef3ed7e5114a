// crashcat: a capsule within a box, which parts from it if moved by 2 along z, and by no less, is said to be 1.31 deep.
import * as crashcat from 'crashcat';

crashcat.registerAll();
const capsule = crashcat.capsule.create({ radius: 1, halfHeightOfCylinder: 3 }); // along y
const box = crashcat.box.create({ halfExtents: [3, 1, 1], convexRadius: 0 });
const found = crashcat.createClosestCollideShapeCollector(), whole = crashcat.EMPTY_SUB_SHAPE_ID, rest = [0, 0, 0, 1, 1, 1, 1];
crashcat.collideShapeVsShape(found, crashcat.createDefaultCollideShapeSettings(), capsule, whole, 0, 0, 0, 0, ...rest,
  box, whole, 0, -1, -2, 0, ...rest);
console.log(`depth ${found.hit.penetration}, in truth 2`);
process.exit(found.hit.penetration < 1.9 ? 0 : 1);
