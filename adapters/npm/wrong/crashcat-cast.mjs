// crashcat: a box that is cast at another hits it, it says, when they are 0.036 apart along an axis of the second box.
import * as crashcat from 'crashcat';

crashcat.registerAll();
const [first, second] = [[2, 1, 2], [2, 2, 3]].map(halfExtents => crashcat.box.create({ halfExtents, convexRadius: 0 }));
const found = crashcat.createClosestCastShapeCollector(), settings = crashcat.createDefaultCastShapeSettings();
Object.assign(settings, { collisionTolerance: 1e-4, penetrationTolerance: 1e-4, collideWithBackfaces: true });
const whole = crashcat.EMPTY_SUB_SHAPE_ID, size = [1, 1, 1], way = [-34, -26, 50];
crashcat.castShapeVsShape(found, settings, first, whole, 0, 0, 0, 0, 0, 0, 0, 1, ...size, ...way,
  second, whole, 0, -30, -20, 40, 2 / 3, -2 / 3, 0, 1 / 3, ...size);
// The second box's axis y is (-8, 1, 4) / 9. Along it the centres are 380 / 9 apart at first, which shrinks by 446 / 9 in
// all; one box reaches (2 * 8 + 1 + 2 * 4) / 9, the other 2.
const time = found.hit?.fraction, gap = (380 - 446 * time) / 9 - 25 / 9 - 2;
console.log(`hit at ${time}, in truth ${gap} apart then`);
process.exit(gap > 0.03 ? 0 : 1);
