/* What adapters in C++ share: preparing, during which a library may run out of memory. */
#ifndef GJB_CONTENDERS_ADAPTER_HPP
#define GJB_CONTENDERS_ADAPTER_HPP

#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "contenders/libraries/adapter.h"

/* `prepare` of the contract: a `Prepared` that `fill` made of the shapes; NULL out of memory. */
template <class Prepared, void (*fill)(const gjb_shapes *, Prepared *)>
void *gjb_prepare(const gjb_shapes *shapes, const char *)
{
    try {
        auto prepared = std::make_unique<Prepared>();
        fill(shapes, prepared.get());
        return prepared.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

template <class Prepared> void gjb_release(void *prepared)
{
    delete static_cast<Prepared *>(prepared);
}

/* `fill` for a vector with one element for each shape. */
template <class Prepared, typename Prepared::value_type (*make)(const gjb_shapes *, uint32_t)>
void gjb_fill_each(const gjb_shapes *shapes, Prepared *prepared)
{
    prepared->reserve(shapes->count);
    for (uint32_t i = 0; i < shapes->count; i++)
        prepared->push_back(make(shapes, i));
}

/* --- sweep by rays ------------------------------------------------------------ */

/* Unturned boxes and points in f32, for libraries that cast a ray at a box: B's translation, as A sees it
 * move, against the sum of A and the reflected B. */
struct gjb_corners {
    bool known; /* and sharp; else nothing that sweep is about */
    float low[3], high[3];
};

inline gjb_corners gjb_make_corners(const gjb_shapes *shapes, uint32_t index)
{
    const uint32_t dim = shapes->dim, kind = shapes->kind[index];
    const float *row = static_cast<const float *>(shapes->rows) + dim * size_t(shapes->first[index]);
    const bool known = kind == GJB_POINT || kind == GJB_BOX || kind == GJB_AABB;
    gjb_corners c = {known && static_cast<const float *>(shapes->radius)[index] == 0, {}, {}};
    for (uint32_t i = 0; c.known && i < dim; i++) {
        const float other = kind == GJB_AABB ? row[dim + i] : kind == GJB_BOX ? -row[i] : row[i];
        c.low[i] = std::fmin(row[i], other);
        c.high[i] = std::fmax(row[i], other);
    }
    return c;
}

using gjb_all_corners = std::vector<gjb_corners>;

struct gjb_ray {
    float from[3], to[3], low[3], high[3]; /* and the box that it meets */
};

/* Of a pair; false if it turns or is turned, or is not of boxes. */
template <uint32_t Dim>
bool gjb_ray_of(const gjb_all_corners &corners, const gjb_batch *batch, const uint32_t *pair, gjb_ray *ray)
{
    double motion_a[6], motion_b[6];
    float pose[2][7] = {};
    bool unturned = gjb_relative_motions(batch, GJB_F32, Dim, pair, motion_a, motion_b) == 0;
    for (int side = 0; side < 2; side++) {
        std::memcpy(pose[side], gjb_batch_pose(batch, pair[side]), (Dim == 2 ? 4 : 7) * sizeof(float));
        unturned = unturned && (Dim == 2 ? pose[side][2] == 1 && pose[side][3] == 0
                                         : pose[side][3] == 0 && pose[side][4] == 0 && pose[side][5] == 0);
    }
    const gjb_corners &a = corners[gjb_batch_shape(batch, pair[0])], &b = corners[gjb_batch_shape(batch, pair[1])];
    *ray = {};
    for (uint32_t i = 0; i < Dim; i++) {
        const double at = double(pose[1][i]) - double(pose[0][i]);
        ray->from[i] = float(at);
        ray->to[i] = float(at + motion_b[i]);
        ray->low[i] = a.low[i] - b.high[i];
        ray->high[i] = a.high[i] - b.low[i];
    }
    return unturned && a.known && b.known;
}

/* `Cast` finds where a ray meets its box, 0 and no normal if it starts inside; a second one, from the end,
 * finds the last contact. */
template <uint32_t Dim, bool (*Cast)(const gjb_ray &, float *fraction, float normal[3])>
void gjb_sweep_by_ray(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    gjb_ray ray;
    if (!gjb_ray_of<Dim>(*static_cast<const gjb_all_corners *>(prepared), batch, pair, &ray))
        return;
    float first = 0, back = 0, normal[3] = {}, unused[3] = {};
    answer->status = GJB_SEPARATED;
    if (!Cast(ray, &first, normal))
        return;
    const bool inside = normal[0] == 0 && normal[1] == 0 && normal[2] == 0;
    for (uint32_t i = 0; i < Dim; i++)
        std::swap(ray.from[i], ray.to[i]);
    answer->status = inside ? GJB_OVERLAPPING : GJB_HIT;
    answer->sigma = inside ? 0 : double(first);
    answer->last = Cast(ray, &back, unused) ? 1 - double(back) : answer->sigma;
    for (uint32_t i = 0; i < Dim; i++)
        answer->normal[i] = double(normal[i]);
}

/* Run by a contender of sweep alone. */
template <uint32_t Dim, bool (*Cast)(const gjb_ray &, float *, float *)>
void gjb_run_sweep_by_ray(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F32, Dim,
                   batch->query == GJB_SWEEP ? gjb_sweep_by_ray<Dim, Cast> : gjb_answer_unsupported);
}

#endif
