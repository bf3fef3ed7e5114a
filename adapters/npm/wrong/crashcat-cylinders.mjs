// crashcat: two cylinders collide, but no longer if one is moved by 0.0035 towards the other's centre.
import * as crashcat from 'crashcat';

crashcat.registerAll();
const [first, second] = [[1, 2], [3, 5]].map(([radius, halfHeight]) => crashcat.cylinder.create({ radius, halfHeight, convexRadius: 0 }));
const turned = [0, -1, -1, 2].map(x => x / Math.sqrt(6)), size = [1, 1, 1], whole = crashcat.EMPTY_SUB_SHAPE_ID;
const hit = far => {
  const found = crashcat.createClosestCollideShapeCollector(), settings = crashcat.createDefaultCollideShapeSettings();
  crashcat.collideShapeVsShape(found, settings, first, whole, 0, 0, 0, 0, 0, 0, 0, 1, ...size,
    second, whole, 0, -3 * far, -3 * far, far, ...turned, ...size);
  return found.hit !== null;
};
const [near, further] = [1.7747, 1.7755].map(hit);
console.log(`collide ${near} at 1.7747 (-3, -3, 1), ${further} further out at 1.7755 (-3, -3, 1): in truth at both, as they are convex`);
process.exit(!near && further ? 0 : 1);
