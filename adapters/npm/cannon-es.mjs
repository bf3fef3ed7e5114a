// cannon-es 0.20, in double: separating axes of convex polyhedra, and spheres.
//
// intersect: ConvexPolyhedron.findSeparatingAxis of two polyhedra, boxes being given by their
// convexPolyhedronRepresentation; Narrowphase.sphereSphere, sphereConvex and sphereBox, with justTest, of pairs with a
// sphere.
//
// penetration: of two polyhedra the overlap depth that testSepAxis has along the axis that findSeparatingAxis leaves.
// Which way that axis points is not documented, and it comes with no points. With a sphere there is no depth: contact
// equations do not promise the least.
//
// Faces of hulls are computed here: cannon-es wants them, counter-clockwise seen from outside, and about an origin
// within the polyhedron, where hulls are moved to. Flat hulls are unsupported. No tolerance is documented.
import * as CANNON from 'cannon-es';
import { adapt, add, hullFaces, OVERLAPPING, scale, SEPARATED, sub, within } from './common.mjs';

const vec = v => new CANNON.Vec3(...v), narrow = new CANNON.Narrowphase(new CANNON.World());
const TEST = { 'sphere sphere': 'sphereSphere', 'sphere hull': 'sphereConvex', 'sphere box': 'sphereBox' };

function prepare({ kind, rows, radius }) {
  if (kind === 'point') {
    if (!(radius > 0)) return null;
    const shape = new CANNON.Sphere(radius);
    return { sort: 'sphere', shape, frame: { t: rows[0], r: [0, 0, 0, 1] } };
  }
  if (radius > 0) return null;
  if (kind === 'box') {
    if (!(Math.min(...rows[0]) > 0)) return null;
    const shape = new CANNON.Box(vec(rows[0]));
    return { sort: 'box', shape, hull: shape.convexPolyhedronRepresentation };
  }
  const t = scale(1 / rows.length, rows.reduce(add)), points = rows.map(row => sub(row, t)), faces = hullFaces(points);
  if (!faces) return null;
  const shape = new CANNON.ConvexPolyhedron({ vertices: points.map(vec), faces });
  return { sort: 'hull', shape, hull: shape, frame: { t, r: [0, 0, 0, 1] } };
}

function put(body) {
  const { shape, t, r } = within(body, body.shape.frame);
  return { ...shape, at: vec(t), turned: new CANNON.Quaternion(...r) };
}

function overlap(a, b) {
  const axis = new CANNON.Vec3();
  return a.hull.findSeparatingAxis(b.hull, a.at, a.turned, b.at, b.turned, axis) &&
    a.hull.testSepAxis(axis, b.hull, a.at, a.turned, b.at, b.turned);
}

function intersect(a, b) {
  const [one, two] = a.shape.sort === 'sphere' ? [put(a), put(b)] : [put(b), put(a)];
  if (one.sort !== 'sphere') return overlap(put(a), put(b)) !== false;
  const none = new CANNON.Body();
  const test = TEST[`sphere ${two.sort}`], places = [one.at, two.at, one.turned, two.turned];
  return Boolean(narrow[test](one.shape, two.shape, ...places, none, none, null, null, true));
}

function penetration(a, b) {
  if (!a.shape.hull || !b.shape.hull) return null;
  const depth = overlap(put(a), put(b));
  return depth === false ? { status: SEPARATED } : { status: OVERLAPPING, sigma: -depth };
}

adapt('cannon-es', {
  name: 'cannon-es', note: 'penetration of polyhedra only', dims: [3], kinds: ['point', 'box', 'hull'],
  precisions: ['f64'],
  max_vertices: 40, no_normal: ['penetration'], no_points: ['penetration'],
}, { prepare, intersect, penetration });
