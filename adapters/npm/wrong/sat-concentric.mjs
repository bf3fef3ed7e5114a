// SAT.js: of two circles about one point, overlapN, documented as a unit vector, is 0, so that overlapV separates
// nothing.
import { createRequire } from 'node:module';

const SAT = createRequire(import.meta.url)('sat'), at = () => new SAT.Vector(0, 0), response = new SAT.Response();
const hit = SAT.testCircleCircle(new SAT.Circle(at(), 1), new SAT.Circle(at(), 2), response);
console.log(`overlap ${response.overlap} along (${response.overlapN.x}, ${response.overlapN.y}), in truth of length 1`);
process.exit(hit && response.overlapN.len() === 0 ? 0 : 1);
