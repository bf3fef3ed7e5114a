// What rapier2d.mjs and rapier3d.mjs share: Rapier 0.21, that is Parry, in float, compiled to WebAssembly.
//
// intersect: Collider.intersectsShape. distance, penetration, signed_distance: Collider.contactCollider, with a
// prediction that no distance exceeds. Its contact is in world space, and its distance is negative if shapes overlap.
// Of some that overlap it is 1e-8 or so: intersectsShape decides, and such a depth is 0.
// normal1 points out of the first shape, which is from A to B. toi: Collider.castCollider, for pairs that do not turn,
// with a target distance of 0; witnesses and normals of a hit are local to each shape. contactPair, which gives
// manifolds, needs a step of a whole world, and is not asked.
//
// Colliders keep their poses, so each shape has two, one to be A and one to be B. A shape that Rapier refuses (it makes
// no hull of flat points) is unsupported. Its documentation names no margin and no tolerance of these functions.
import { adapt, add, answerOf, asXY, asXYZ, HIT, OVERLAPPING, reach, SEPARATED, turn2, turn3, within, xy, xyz }
  from './common.mjs';

// `make(shape)`: a Rapier shape, as { shape, frame }.
export async function rapier(name, R, dim, header, make) {
  await R.init({});
  const flat = dim === 2, vector = flat ? asXY : asXYZ, array = flat ? xy : xyz, turn = flat ? turn2 : turn3;
  const rotation = r => (flat ? r.angle : { x: r[0], y: r[1], z: r[2], w: r[3] });
  const world = new R.World(vector([0, 0, 0]));
  const collider = shape => world.createCollider(new R.ColliderDesc(shape));

  function prepare(given) {
    try {
      const made = make(given);
      return made && { ...made, as: [collider(made.shape), collider(made.shape)], reach: reach(given) };
    } catch {
      return null;
    }
  }

  const put = (body, which) => {
    const { t, r } = within(body, body.shape.frame), placed = body.shape.as[which];
    placed.setTranslation(vector(t));
    placed.setRotation(rotation(r));
    return placed;
  };

  function intersect(a, b) {
    const { t, r } = within(b, b.shape.frame);
    return put(a, 0).intersectsShape(b.shape.shape, vector(t), rotation(r));
  }

  function contact(a, b, { query }) {
    const enough = 2 * (a.shape.reach + b.shape.reach + Math.hypot(...b.t));
    const found = put(a, 0).contactCollider(put(b, 1), enough);
    if (!found) return { status: SEPARATED };
    const overlapping = found.distance <= 0 || intersect(a, b);
    const sigma = overlapping ? Math.min(found.distance, 0) : found.distance;
    return answerOf(query, sigma, array(found.normal1), array(found.point1), array(found.point2), overlapping);
  }

  function toi(a, b, { shift, turning }) {
    if (turning) return null;
    const none = vector([0, 0, 0]), found = put(a, 0).castCollider(none, put(b, 1), vector(shift), 0, 1, true);
    if (!found) return { status: SEPARATED };
    if (!(found.time_of_impact > 0)) return { status: OVERLAPPING };
    const at = [within(a, a.shape.frame), within(b, b.shape.frame)];
    return { status: HIT, time: found.time_of_impact, normal: turn(at[0].r, array(found.normal1)),
      point_a: add(at[0].t, turn(at[0].r, array(found.witness1))),
      point_b: add(add(at[1].t, turn(at[1].r, array(found.witness2))), shift.map(x => x * found.time_of_impact)) };
  }

  adapt(name, { name: `rapier${dim}d`, dims: [dim], precisions: ['f32'], ...header },
    { prepare, intersect, distance: contact, penetration: contact, signed_distance: contact, toi });
}
