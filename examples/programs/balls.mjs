// A contender of a few lines: circles and spheres. Try: gjkbench verify --contender-program "node balls.mjs"
import { place, serve } from './gjkbench.mjs';

// A ball is a point with a radius. Points are relative to the translation of A.
function balls(a, poseA, b, poseB) {
  const from = place(poseA, a.rows[0], poseA), to = place(poseB, b.rows[0], poseA);
  const between = to.map((x, i) => x - from[i]), length = Math.hypot(...between), sigma = length - a.radius - b.radius;
  // Of balls at one place any normal will do.
  const normal = between.map((x, i) => (length > 0 ? x / length : Number(i === 0)));
  const point_a = from.map((x, i) => x + a.radius * normal[i]), point_b = to.map((x, i) => x - b.radius * normal[i]);
  return { status: sigma > 0 ? 'separated' : 'overlapping', sigma, normal, point_a, point_b };
}

serve({ name: 'js-balls', version: '1', licence: 'MIT', dims: [2, 3], kinds: ['point'], precisions: ['f64'] }, {
  intersect: (a, poseA, b, poseB, params) => balls(a, poseA, b, poseB, params).sigma <= 0,
  distance: balls,
  penetration: balls,
  signed_distance: balls,
});
