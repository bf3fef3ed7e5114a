// planck: of a circle about an edge's end the normal points along the edge, so that moving by the depth does not part them.
import * as planck from 'planck';

const found = new planck.Manifold(), still = () => new planck.Transform(), circle = new planck.CircleShape(new planck.Vec2(0, 0), 1);
const edge = new planck.EdgeShape(new planck.Vec2(0, 0), new planck.Vec2(4, 0));
planck.CollideEdgeCircle(found, edge, still(), circle, still());
const { normal, separations } = found.getWorldManifold(null, still(), 0, still(), 1), x = normal.x * -separations[0];
console.log(`depth ${-separations[0]} along (${normal.x}, ${normal.y}), where the circle's centre is on the edge still, at (${x}, 0)`);
process.exit(normal.x > 0.9 && normal.y === 0 ? 0 : 1);
