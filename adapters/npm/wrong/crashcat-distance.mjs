// crashcat: gjkClosestPoints says that two boxes with a gap of 1 are colliding (squaredDistance 0).
import * as crashcat from 'crashcat';

crashcat.registerAll();
const { box, createGjkClosestPoints, createSupport, gjkClosestPoints, setShapeSupport, SupportFunctionMode } = crashcat;
const supports = [[1, 1, 229], [1, 398, 434]].map(halfExtents => {
  const support = createSupport();
  setShapeSupport(support, box.create({ halfExtents, convexRadius: 0 }), SupportFunctionMode.EXCLUDE_CONVEX_RADIUS, [1, 1, 1]);
  return support;
});
supports[1].hasTransform = true;
supports[1].transform = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 664, 1]; // along z: 664 - 229 - 434 = 1
const found = createGjkClosestPoints();
gjkClosestPoints(found, ...supports, 1e-4, [0, 0, 664], Number.MAX_VALUE);
console.log(`squared distance ${found.squaredDistance}, in truth 1`);
process.exit(found.squaredDistance === 0 ? 0 : 1);
