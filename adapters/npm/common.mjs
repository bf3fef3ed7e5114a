// What the adapters of this folder share: vectors, shapes as libraries want them, frames, and how answers are written.
//
// An adapter is given bodies { shape, t, r }: what its `prepare` made of the shape, its translation and its rotation,
// in 2D { c, s, angle }, in 3D a quaternion [x, y, z, w] as stored. Translations are relative to that of A, taken off
// in double: A lies at the origin, and a pair far from the world's origin loses nothing.
//
// It returns what gjkbench.mjs writes. Normals point from A to B; they get length 1 here, in double, since a library in
// float leaves them short by more than is granted.
import { readFileSync } from 'node:fs';
import { serve } from '../../examples/programs/gjkbench.mjs';

export const OVERLAPPING = 'overlapping', SEPARATED = 'separated', HIT = 'hit', LIMIT = 'iteration-limit';

// The file of a package that is installed here.
export const fileOf = (name, file) => new URL(`node_modules/${name}/${file}`, import.meta.url);

const described = name => JSON.parse(readFileSync(fileOf(name, 'package.json'), 'utf8'));

export const add = (a, b) => a.map((x, i) => x + b[i]);
export const sub = (a, b) => a.map((x, i) => x - b[i]);
export const scale = (k, a) => a.map(x => k * x);
export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = a => Math.hypot(...a);
export const xy = v => [v.x, v.y];
export const xyz = v => [v.x, v.y, v.z];
export const asXY = ([x, y]) => ({ x, y });
export const asXYZ = ([x, y, z]) => ({ x, y, z });

// Of length 1; 0 if it has no direction.
export function unit(a) {
  const most = Math.max(...a.map(Math.abs));
  if (!(most > 0 && most < Infinity)) return a.map(() => 0);
  const scaled = scale(1 / most, a);
  return scale(1 / length(scaled), scaled);
}

// The rotation q followed by p.
export const turnedBy = (p, q) => [
  p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
  p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
  p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
  p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2]];

// v turned, whatever the length of q.
export function turn3(q, v) {
  const inner = cross(q, v).map((x, i) => x + q[3] * v[i]);
  return add(v, scale(2 / dot(q, q), cross(q, inner)));
}

export const turn2 = (r, v) => [r.c * v[0] - r.s * v[1], r.s * v[0] + r.c * v[1]];

// The rotation that takes the axis y to `direction`.
export function fromY(direction) {
  const [x, y, z] = unit(direction);
  return y < -0.999 ? turnedBy([1, 0, 0, 0], fromY([x, -y, -z])) : unit([z, 0, -x, 1 + y]);
}
export const Y_TO_Z = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]; // cylinders stand along y elsewhere, and along z here

const rotation2 = (c, s) => ({ c, s, angle: Math.atan2(s, c) });

// A body whose shape lies in a frame of its own: where a library puts a capsule along y, or about its centre.
export function within(body, frame) {
  if (!frame) return body;
  if (frame.t.length === 3) return { ...body, t: add(body.t, turn3(body.r, frame.t)), r: turnedBy(body.r, frame.r) };
  const t = add(body.t, turn2(body.r, frame.t)), { c, s } = frame.r, r = body.r;
  return { ...body, t, r: rotation2(r.c * c - r.s * s, r.s * c + r.c * s) };
}

// The middle and half the length of a segment, and the rotation that takes the axis y (in 2D: x or y) to it.
export function capsule(rows, axis) {
  const along = sub(rows[1], rows[0]), half = 0.5 * length(along), t = scale(0.5, add(rows[0], rows[1]));
  if (t.length === 3) return { half, t, r: half > 0 ? fromY(along) : [0, 0, 0, 1] };
  const [x, y] = half > 0 ? unit(along) : [1, 0];
  return { half, t, r: axis === 'x' ? { c: x, s: y } : { c: y, s: -x } };
}

// The corners of a box, in 2D counter-clockwise.
export const corners = half => half.length === 2
  ? [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(sign => sign.map((s, i) => s * half[i]))
  : [...Array(8).keys()].map(n => half.map((h, i) => (n >> i & 1 ? h : -h)));

// The true corners of a convex polygon: without repeated vertices and those between two others. None if it is flat.
export function trueCorners(rows) {
  const doubled = (a, b, c) => (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]), kept = [];
  let start = 0;
  rows.forEach(([x, y], i) => {
    if (x > rows[start][0] || (x === rows[start][0] && y < rows[start][1])) start = i;
  });
  for (let i = 0; i <= rows.length; i++) {
    const v = rows[(start + i) % rows.length];
    while (kept.length > 1 && doubled(kept.at(-2), kept.at(-1), v) <= 0) kept.pop();
    kept.push(v);
  }
  kept.pop();
  return kept.length > 2 ? kept : [];
}

// The corners of a polygon or a box without a radius, counter-clockwise; none of what else, or flat.
export const polygon = shape => shape.radius > 0 ? [] : shape.kind === 'box' ? trueCorners(corners(shape.rows[0]))
  : shape.kind === 'polygon' ? trueCorners(shape.rows) : [];

// The faces of a convex hull of few points, each a list of indices of vertices, counter-clockwise seen from outside;
// null if it is flat. Of coplanar points those within a face are left out.
export function hullFaces(points) {
  const size = Math.max(...points.map(length)), near = 1e-12 * size, faces = [], seen = new Set();
  for (let i = 0; i < points.length; i++)
    for (let j = i + 1; j < points.length; j++)
      for (let k = j + 1; k < points.length; k++) {
        let normal = cross(sub(points[j], points[i]), sub(points[k], points[i]));
        if (!(length(normal) > 1e-9 * size * size)) continue;
        normal = unit(normal);
        const heights = points.map(p => dot(normal, sub(p, points[i])));
        const above = Math.max(...heights), below = Math.min(...heights);
        if (above > near && below < -near) continue;
        if (above <= near && below >= -near) return null;
        if (above > near) normal = scale(-1, normal);
        const on = [...points.keys()].filter(n => Math.abs(heights[n]) <= near);
        if (seen.has(String(on))) continue;
        seen.add(String(on));
        const u = unit(sub(points[on[1]], points[on[0]])), v = cross(normal, u);
        const flat = on.map(n => Object.assign([dot(u, points[n]), dot(v, points[n])], { n }));
        const middle = scale(1 / flat.length, flat.reduce(add));
        const ring = flat.map(p => ({ p, angle: Math.atan2(...sub(p, middle).reverse()) }))
          .sort((a, b) => a.angle - b.angle).map(({ p }) => p);
        faces.push(trueCorners(ring).map(p => p.n));
      }
  return faces.length > 3 ? faces : null;
}

// How thick a set of points is: 0 if it lies in one plane, in double.
export function thickness(points) {
  const far = (from, measure) => from.reduce((best, p) => (measure(p) > measure(best) ? p : best));
  const first = points[0], second = far(points, p => length(sub(p, first))), along = unit(sub(second, first));
  const third = far(points, p => length(cross(along, sub(p, first)))), normal = unit(cross(along, sub(third, first)));
  return Math.max(...points.map(p => Math.abs(dot(normal, sub(p, first)))));
}

// No point of the shape is further from its origin.
export const reach = shape => shape.radius + Math.max(...shape.rows.map(length));

// The answer to a query, from the signed distance (negative: the depth) and what goes with it.
export function answerOf(query, sigma, normal, point_a, point_b, overlapping = sigma <= 0) {
  const status = overlapping ? OVERLAPPING : SEPARATED, defined = query === 'signed_distance' ||
    overlapping === (query === 'penetration');
  return defined ? { status, sigma, normal, point_a, point_b } : { status };
}

function bodyOf(shape, pose, origin) {
  const t = [pose.x - origin.x, pose.y - origin.y];
  if (!('qw' in pose)) return { shape, t, r: rotation2(pose.c, pose.s) };
  return { shape, t: [...t, pose.z - origin.z], r: [pose.qx, pose.qy, pose.qz, pose.qw] };
}

// How B moves as A sees it, and the turns of both.
function motionOf([a, b]) {
  const flat = 'angle' in a, shift = flat ? [b.x - a.x, b.y - a.y] : [b.x - a.x, b.y - a.y, b.z - a.z];
  const turns = [a, b].map(m => (flat ? m.angle : [m.wx, m.wy, m.wz])), turning = turns.flat().some(x => x !== 0);
  return { shift, turns, turning };
}

// Serves an adapter: `header` as in docs/programs.md, `prepare` (null: not this shape), and a function a query
// (A, B, params), whose params have `query`, `margin` and, if bodies move, `shift`, `turns` and `turning`. Nothing
// returned means that the pair is not supported.
export function adapt(packageName, header, { prepare, ...queries }) {
  const { version, license } = described(packageName);
  const ask = answer => (a, poseA, b, poseB, params) => {
    if (!a || !b) return null;
    const motion = params.motions ? motionOf(params.motions) : {};
    const given = answer(bodyOf(a, poseA, poseA), bodyOf(b, poseB, poseA), { ...params, ...motion });
    return given && typeof given === 'object' && given.normal ? { ...given, normal: unit(given.normal) } : given;
  };
  serve({ version, licence: license, ...header }, { prepare,
    ...Object.fromEntries(Object.entries(queries).map(([query, answer]) => [query, ask(answer)])) });
}
