// Speaks gjkbench's protocol for a contender in JavaScript: copy it next to yours (docs/programs.md).
//
//     import { serve } from './gjkbench.mjs';
//     serve({ name, version, licence, dims, kinds, precisions },
//       { prepare(shape) { ... }, distance(a, poseA, b, poseB, params) { ... } });
//
// Standard output is the protocol's: what is logged goes to standard error. With --json as an argument, frames are JSON.
import { readSync, writeSync } from 'node:fs';
console.log = console.info = console.error;
const KINDS = ['point', 'segment', 'polygon', 'box', 'triangle', 'hull', 'aabb', 'ellipse', 'superellipse', 'ellipsoid',
  'superellipsoid', 'cylinder', 'cone', 'halfspace'];
const QUERIES = ['intersect', 'distance', 'penetration', 'signed_distance', 'sweep', 'toi', 'manifold'];
const STATUSES = ['', 'separated', 'overlapping', 'iteration-limit', 'invalid-input', 'unsupported', 'hit'];
const SHAPES = 1, READY = 2, ASK = 3, ANSWERS = 4, CHUNK = 64;
const POSE = { 2: ['x', 'y', 'c', 's'], 3: ['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'] };
const MOTION = { 2: ['x', 'y', 'angle'], 3: ['x', 'y', 'z', 'wx', 'wy', 'wz'] };

// A point of a shape in world axes, relative to the translation of `origin`: pose * point - origin's translation.
export function place(pose, point, origin) {
  if (point.length === 2)
    return [pose.c * point[0] - pose.s * point[1] + (pose.x - origin.x),
      pose.s * point[0] + pose.c * point[1] + (pose.y - origin.y)];
  const { qx: x, qy: y, qz: z, qw: w } = pose, f = 2 / (x * x + y * y + z * z + w * w), [a, b, c] = point;
  return [
    a - f * ((y * y + z * z) * a - (x * y - w * z) * b - (x * z + w * y) * c) + (pose.x - origin.x),
    b - f * ((x * x + z * z) * b - (x * y + w * z) * a - (y * z - w * x) * c) + (pose.y - origin.y),
    c - f * ((x * x + y * y) * c - (x * z - w * y) * a - (y * z + w * x) * b) + (pose.z - origin.z)];
}

const named = (names, numbers) => Object.fromEntries(names.map((name, i) => [name, numbers[i]]));

function readSome(most) {
  const buffer = Buffer.allocUnsafe(Math.min(most, 65536)), got = readSync(0, buffer);
  return got > 0 ? buffer.subarray(0, got) : process.exit(0); // gjkbench has closed its end
}

function readAll(size) {
  const parts = [];
  for (let got = 0; got < size; got += parts.at(-1).length) parts.push(readSome(size - got));
  return Buffer.concat(parts);
}

function writeAll(buffer) {
  for (let sent = 0; sent < buffer.length;) sent += writeSync(1, buffer, sent);
}

// Both forms read a frame as { frame, ... } as the JSON form has it.
const binary = {
  read() {
    const head = readAll(8), bytes = readAll(head.readUInt32LE(4));
    let at = 0;
    const u32 = () => bytes.readUInt32LE((at += 4) - 4), f64 = () => bytes.readDoubleLE((at += 8) - 8);
    const some = (count, one) => Array.from({ length: count }, one);
    if (head.readUInt32LE(0) === SHAPES) {
      const dim = this.dim = u32(), precision = ['f32', 'f64'][u32()], count = u32();
      const shapes = some(u32(), () => {
        const [index, kind, rows] = some(4, u32);
        return { index, kind: KINDS[kind], radius: f64(), rows: some(rows, () => some(dim, f64)) };
      });
      return { frame: 'shapes', dim, precision, count, shapes };
    }
    const [id, query, count, moving, leaving] = some(6, u32);
    const ask = { frame: 'ask', id, query: QUERIES[query], leaving: ['hit', 'ignore'][leaving], margin: f64() };
    ask.pairs = some(count, () => {
      const pair = { shapes: some(2, u32), bodies: some(2, u32) };
      pair.poses = some(2, () => some(POSE[this.dim].length, f64));
      if (moving) pair.motions = some(2, () => some(MOTION[this.dim].length, f64));
      return pair;
    });
    return ask;
  },
  frame(kind, size, ns) {
    const bytes = Buffer.alloc(8 + size);
    bytes.writeBigUInt64LE(ns, bytes.writeUInt32LE(size, bytes.writeUInt32LE(kind, 0)));
    return bytes;
  },
  ready(ns) { writeAll(this.frame(READY, 8, ns)); },
  answers(ask, first, ns, results) {
    const manifold = ask.query === 'manifold', size = manifold ? 296 : 96;
    const bytes = this.frame(ANSWERS, 24 + size * results.length, ns);
    let at = 16;
    const u32 = (...numbers) => numbers.forEach(number => { at = bytes.writeUInt32LE(number >>> 0, at); });
    const f64 = (...numbers) => numbers.forEach(number => { at = bytes.writeDoubleLE(number, at); });
    const vectors = (...all) => all.forEach(v => f64(v?.[0] ?? 0, v?.[1] ?? 0, v?.[2] ?? 0));
    u32(ask.id, first, results.length, 0);
    results.forEach((result, i) => {
      const contacts = result.contacts ?? [];
      at = 32 + size * i;
      u32(Math.max(0, STATUSES.indexOf(result.status)), result.iterations ?? 0);
      if (manifold) {
        u32(contacts.length, 0);
        vectors(result.normal);
        contacts.slice(0, 4).forEach((contact, feature) => {
          vectors(contact.point_a, contact.point_b);
          f64(contact.separation);
          u32(contact.feature ?? feature, 0);
        });
      } else {
        f64(result.sigma ?? result.time ?? 0, result.last ?? 0);
        vectors(result.normal, result.point_a, result.point_b);
      }
    });
    writeAll(bytes);
  },
};

const json = {
  rest: '',
  read() {
    let end;
    while ((end = this.rest.indexOf('\n')) < 0) this.rest += readSome(65536).toString('latin1'); // frames are ASCII
    const frame = JSON.parse(this.rest.slice(0, end));
    this.rest = this.rest.slice(end + 1);
    return frame.margin === null ? { ...frame, margin: Infinity } : frame;
  },
  write(frame) { writeAll(Buffer.from(JSON.stringify(frame) + '\n')); },
  ready(ns) { this.write({ frame: 'ready', ns: Number(ns) }); },
  answers(ask, first, ns, answers) { this.write({ frame: 'answers', id: ask.id, first, ns: Number(ns), answers }); },
};

const complete = result => typeof result === 'boolean' ? { status: result ? 'overlapping' : 'separated' }
  : result ?? { status: 'unsupported' };

export function serve(header, functions) {
  const { prepare = shape => shape, ...answers } = functions;
  const form = process.argv.includes('--json') ? json : binary, queries = Object.keys(answers);
  let shapes, dim;
  json.write({ gjkbench: 1, form: form === json ? 'json' : 'binary', queries, ...header });
  for (;;) {
    const frame = form.read(), began = process.hrtime.bigint();
    if (frame.frame === 'shapes') {
      dim = frame.dim;
      shapes = new Map(frame.shapes.map(shape => [shape.index, prepare(shape, dim)]));
      form.ready(process.hrtime.bigint() - began);
      continue;
    }
    const answer = answers[frame.query], { query, margin, leaving } = frame, pairs = frame.pairs.map(pair => {
      const [a, b] = pair.shapes, [poseA, poseB] = pair.poses.map(pose => named(POSE[dim], pose));
      const motions = pair.motions?.map(motion => named(MOTION[dim], motion)) ?? null;
      return [shapes.get(a), poseA, shapes.get(b), poseB, { query, dim, margin, leaving, motions, bodies: pair.bodies }];
    });
    for (let first = 0; first < pairs.length; first += CHUNK) { // what is answered is known if a later pair fails
      const results = [], before = process.hrtime.bigint();
      for (const pair of pairs.slice(first, first + CHUNK)) results.push(answer(...pair));
      const ns = process.hrtime.bigint() - before;
      form.answers(frame, first, ns, results.map(complete));
    }
  }
}
