// p2-es: a circle of radius 3 about the middle of a side of a triangle, and that covers a corner of it, "does not
// overlap" it.
import * as p2 from 'p2-es';

const circle = new p2.Body({ position: [2, 2] }), triangle = new p2.Body();
circle.addShape(new p2.Circle({ radius: 3 }));
triangle.addShape(new p2.Convex({ vertices: [[0, 0], [2, -1], [2, 7]] }));
const hit = new p2.Narrowphase().bodiesOverlap(circle, triangle);
console.log(`overlap ${hit}, in truth true`);
process.exit(hit ? 1 : 0);
