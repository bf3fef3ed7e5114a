/* A step of GJK for a single pair: the three edges of the simplex, and its three faces, side by side in a register. The
 * operations on each are those of gjk3.h in the same order, so the bits are too. Included by gjk3.h. */
#ifndef GJB_SIMD_GJK_SINGLE3_H
#define GJB_SIMD_GJK_SINGLE3_H

LANE_FN four3 four3_spread(v3 p) { return (four3){four_set(p.x), four_set(p.y), four_set(p.z)}; }

LANE_FN four3 simplex_points(const simplex3 *s)
{
    const v3 p = point_of(&s->c[0]), q = point_of(&s->c[1]), r = point_of(&s->c[2]);
    return (four3){four_of(p.x, q.x, r.x), four_of(p.y, q.y, r.y), four_of(p.z, q.z, r.z)};
}

/* As try_edge, of three edges. */
LANE_FN four try_edges3(four3 w, four3 e, four3 c, four ee)
{
    const four ahead = four_neg(four3_dot(w, e));
    const four in = four_and(four_gt(ahead, four_set(0)), four_gt(ee, ahead));
    return four_sel(in, FOUR_OP(div)(four3_dot(c, c), ee), four_set(REAL_MAX));
}

/* As try_face, of three faces: between each edge and the next. */
LANE_FN four try_faces3(four3 n, four h, four3 c, four ee, four open)
{
    const four zero = four_set(0), nn = four3_dot(n, n), along = four3_dot(n, c), back = four3_dot(n, four3_next(c));
    four in = four_and(four_and(four_gt(along, zero), four_gt(zero, back)), four_gt(four_add(nn, back), along));
    const four flat = four_mul(four_set(FLAT_SQUARED), four_mul(ee, four_next(ee)));
    in = four_and(four_and(in, open), four_gt(nn, flat));
    return four_sel(in, FOUR_OP(div)(four_mul(h, h), nn), four_set(REAL_MAX));
}

LANE_FN v3 pick3(four3 p, unsigned k)
{
    real x[4], y[4], z[4];
    four_store(x, p.x);
    four_store(y, p.y);
    four_store(z, p.z);
    return (v3){x[k], y[k], z[k]};
}

/* The nearest point of the plane of e and f, sides of a face with normal n. */
LANE_FN v3 face_point(v3 n, v3 e, v3 f, v3 w)
{
    const vr ee = v3_dot(e, e), ff = v3_dot(f, f);
    const int longer = ff > ee;
    const v3 side = longer ? f : e, m = v3_sub(n, v3_mul(side, v_div(v3_dot(n, side), longer ? ff : ee)));
    return v3_mul(m, v_div(v3_dot(m, w), v3_dot(m, m)));
}

/* 1 if w is a corner of the simplex. */
LANE_FN vm is_corner(const simplex3 *s, v3 w)
{
    const four3 p = simplex_points(s), at = four3_spread(w);
    return four_bits(four_and(four_and(four_eq(at.x, p.x), four_eq(at.y, p.y)), four_eq(at.z, p.z))) != 0;
}

/* As advance in gjk3.h, of one lane that is alive. */
LANE_FN vm advance(simplex3 *s, int N, const corner3 *corner, vm alive, vr before, vr *dd, vm *lost, choice3 *kept)
{
    (void)N, (void)alive, (void)kept;
    const v3 w = point_of(corner);
    const four zero = four_set(0), doubt = four_set(VOLUME_DOUBT);
    const four3 at = four3_spread(w), e = four3_sub(simplex_points(s), at), f = four3_next(e), n = four3_cross(e, f);
    const four volume = four_first(four3_dot(n, four3_next(f))), h = four3_dot(n, at);
    const four side = four_sel(four_gt(zero, volume), h, four_neg(h));
    const four open = four_or(four_ge(doubt, four_abs(volume)), four_ge(doubt, side));
    const four ee = four3_dot(e, e);
    const four3 c = four3_cross(at, e);
    const four edges = try_edges3(at, e, c, ee), faces = try_faces3(n, h, c, ee, open);
    const vr ww = v3_dot(w, w), edge = four_least(edges), face = four_least(faces);
    const vr least = v_min(v_min(edge, ww), face);
    const int on_face = face < v_min(edge, ww), alone = v_min(edge, face) >= ww;
    corner3 first = *corner, second = *corner;
    v3 v = w;
    if (!alone && on_face) {
        const unsigned k = (unsigned)__builtin_ctz(four_bits(four_eq(faces, four_set(face))));
        const unsigned next = k == 2 ? 0 : k + 1;
        v = face_point(pick3(n, k), pick3(e, k), pick3(e, next), w);
        first = s->c[k];
        second = s->c[next];
    } else if (!alone) {
        const unsigned k = (unsigned)__builtin_ctz(four_bits(four_eq(edges, four_set(edge))));
        const v3 side_k = pick3(e, k);
        v = v3_mul(v3_cross(side_k, pick3(c, k)), v_div(v_set(1), v3_dot(side_k, side_k)));
        first = second = s->c[k];
    }
    s->c[0] = *corner;
    s->c[1] = first;
    s->c[2] = second;
    s->v = v;
    *dd = v3_dot(v, v);
    *lost = least >= before || !(*dd >= 0); /* NaN too */
    return four_bits(open) == 0;
}

#endif
