// detect-collisions: of two circles about one point the axis of the response is 0, so that moving along it parts
// nothing.
import { createRequire } from 'node:module';

const { Circle, Response, System } = createRequire(import.meta.url)('detect-collisions'), system = new System(), response = new Response();
const circles = [1, 2].map(radius => new Circle({ x: 0, y: 0 }, radius));
circles.forEach(circle => system.insert(circle));
const hit = system.checkCollision(...circles, response), { x, y } = response.overlapN;
console.log(`overlap ${response.overlap} along (${x}, ${y}), in truth of length 1`);
process.exit(hit && x === 0 && y === 0 ? 0 : 1);
