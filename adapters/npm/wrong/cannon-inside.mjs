// cannon-es: a sphere whose centre lies within a convex polyhedron, and that reaches none of its corners, is not found.
import * as CANNON from 'cannon-es';

const box = new CANNON.Box(new CANNON.Vec3(1, 1, 1)).convexPolyhedronRepresentation, sphere = new CANNON.Sphere(0.5);
const at = [new CANNON.Vec3(0.25, 0, 0), new CANNON.Vec3()], turned = [0, 1].map(() => new CANNON.Quaternion());
const bodies = [0, 1].map(() => new CANNON.Body()), narrow = new CANNON.Narrowphase(new CANNON.World());
const hit = narrow.sphereConvex(sphere, box, ...at, ...turned, ...bodies, null, null, true);
console.log(`sphere within a box of half extent 1: overlap ${Boolean(hit)}, in truth true`);
process.exit(hit ? 1 : 0);
