// matter-js: two polygons with a gap of 0.1 between them "collide". Axes.fromVertices keeps one of two normals whose
// gradients are equal to three decimals, so the one that separates them is never tried.
import { createRequire } from 'node:module';

const { Body, Collision, Vertices } = createRequire(import.meta.url)('matter-js');
const body = points => {
  const vertices = points.map(([x, y]) => ({ x, y }));
  return Body.create({ vertices, position: Vertices.centre(vertices) });
};
const wedge = body([[0, 0], [1000, 0], [0, 0.4]]); // y >= 0
const diamond = body([[990, -0.1], [985, -5.1], [990, -10.1], [995, -5.1]]); // y <= -0.1
const found = Collision.collides(wedge, diamond);
console.log(found ? `collides, ${found.depth} deep, in truth 0.1 apart` : 'no collision, as in truth');
process.exit(found ? 0 : 1);
