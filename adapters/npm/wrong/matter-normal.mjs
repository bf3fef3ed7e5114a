// matter-js: the normal follows the centroids. Of a wedge and a bar, the least way out is through the wedge's base in
// both cases below, the same way; matter-js turns its normal round as the bar's centre passes the wedge's centroid.
import { createRequire } from 'node:module';

const { Body, Collision, Vertices } = createRequire(import.meta.url)('matter-js');
const body = points => {
  const vertices = points.map(([x, y]) => ({ x, y }));
  return Body.create({ vertices, position: Vertices.centre(vertices) });
};
const wedge = body([[0, 0], [30, 0], [0, 3]]); // its base is y = 0, its centroid (10, 1)
const bar = (low, high) => body([[-3, low], [3, low], [3, high], [-3, high]]);
const normals = [bar(0.5, 1), bar(1, 1.5)].map(other => Collision.collides(wedge, other)).map(({ depth, normal }) => {
  console.log(`depth ${depth}, normal (${normal.x}, ${normal.y})`);
  return normal.y;
});
process.exit(normals[0] * normals[1] < 0 ? 0 : 1);
