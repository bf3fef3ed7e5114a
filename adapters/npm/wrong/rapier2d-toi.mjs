// Rapier 2D: the right side of a box meets a ball at 2/3 of its way. castShape stops 0.0009 before.
import R from '@dimforge/rapier2d-compat';

await R.init({});
const zero = { x: 0, y: 0 }, ball = new R.Ball(1), box = new R.Cuboid(1, 3);
const hit = ball.castShape(zero, 0, zero, box, { x: -4, y: 4 }, 0, { x: 3, y: -5 }, 0, 1, true);
// The box's right side is at x = -3 + 3 t, and the ball's left end at (-1, 0), where the box is from y = -7/3 to 11/3.
console.log(`time ${hit.time_of_impact}, in truth ${2 / 3}`);
process.exit(2 / 3 - hit.time_of_impact > 1e-4 ? 0 : 1);
