/* A C++ library as a contender of gjkbench: a plug-in to copy from. C++17 has no designated initialisers, so the table
 * is filled field by field; exceptions stay inside; shapes and poses are read by the helpers of gjkbench/adapter.h.
 *
 * The library is a toy: balls and capsules in space. It computes in double and reads floats. It gives the points of two
 * axes that are closest to each other; normals and depths are made of them here.
 */
#include <cmath>
#include <vector>

#include <gjkbench/adapter.h>

/* --- the library ------------------------------------------------------------- */

namespace toy {

struct vec {
    double x, y, z;
};

vec operator+(vec a, vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
vec operator-(vec a, vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
vec operator*(double s, vec a) { return {s * a.x, s * a.y, s * a.z}; }
double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(vec a) { return std::sqrt(dot(a, a)); }
vec cross(vec a, vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

struct capsule {
    vec from, to; /* of its axis; equal: a ball */
    double radius;
};

struct closest {
    vec on_a, on_b;
};

double clamp(double t) { return t > 0 ? t < 1 ? t : 1 : 0; } /* also not a number */

vec nearest_on(const capsule &c, vec p)
{
    const vec way = c.to - c.from;
    return c.from + clamp(dot(p - c.from, way) / dot(way, way)) * way;
}

/* The closest points are an end and what is nearest to it, or lie inside both axes. */
closest find(const capsule &a, const capsule &b)
{
    const vec u = a.to - a.from, v = b.to - b.from, w = b.from - a.from, n = cross(u, v);
    const double square = dot(n, n), s = dot(cross(w, v), n) / square, t = dot(cross(w, u), n) / square;
    closest candidates[] = {{a.from, nearest_on(b, a.from)}, {a.to, nearest_on(b, a.to)},
                            {nearest_on(a, b.from), b.from}, {nearest_on(a, b.to), b.to},
                            {a.from + clamp(s) * u, b.from + clamp(t) * v}};
    closest best = candidates[0];
    for (const closest &c : candidates)
        if (length(c.on_b - c.on_a) < length(best.on_b - best.on_a))
            best = c;
    return best;
}

/* A direction across both axes. */
vec across(const capsule &a, const capsule &b)
{
    const vec u = a.to - a.from, v = b.to - b.from, way = length(u) < length(v) ? v : u;
    const vec n = cross(u, v);
    const bool parallel = !(length(n) > 1e-9 * length(u) * length(v));
    const vec any = std::fabs(way.x) < std::fabs(way.y) ? vec{1, 0, 0} : vec{0, 1, 0};
    const vec found = parallel ? cross(way, any) : n;
    return length(found) > 0 ? (1 / length(found)) * found : vec{1, 0, 0};
}

} // namespace toy

/* --- the adapter ------------------------------------------------------------- */

namespace {

using library = std::vector<toy::capsule>;

void *prepare(const gjb_shapes *shapes, const char *)
try {
    auto *all = new library(shapes->count);
    for (uint32_t i = 0; i < shapes->count; i++) {
        double from[3] = {}, to[3] = {};
        const uint32_t count = gjb_shape_vertex_count(shapes, i); /* 0 of a kind without vertices */
        if (count > 0) {
            gjb_shape_vertex(shapes, i, 0, from);
            gjb_shape_vertex(shapes, i, count - 1, to);
        }
        (*all)[i] = {{from[0], from[1], from[2]}, {to[0], to[1], to[2]}, gjb_shape_radius(shapes, i)};
    }
    return all;
} catch (...) {
    return nullptr; /* out of memory */
}

void release(void *prepared)
{
    delete static_cast<library *>(prepared);
}

toy::vec placed(const gjb_placing &placing, toy::vec v)
{
    const double local[3] = {v.x, v.y, v.z};
    double world[3];
    gjb_place_point(&placing, local, world);
    return {world[0], world[1], world[2]};
}

/* A's translation is subtracted from both, which is what points of answers are relative to. */
toy::capsule body(const library &all, const gjb_batch *batch, uint32_t index, const gjb_pose3d &origin)
{
    const gjb_pose3d pose = gjb_batch_pose3d(batch, index);
    const gjb_placing placing = gjb_place(&pose, &origin);
    toy::capsule c = all[gjb_batch_shape(batch, index)];
    c.from = placed(placing, c.from);
    c.to = placed(placing, c.to);
    return c;
}

void answer(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const auto &all = *static_cast<const library *>(prepared);
    const gjb_pose3d origin = gjb_batch_pose3d(batch, pair[0]);
    const toy::capsule a = body(all, batch, pair[0], origin), b = body(all, batch, pair[1], origin);
    const toy::closest found = toy::find(a, b);
    const toy::vec way = found.on_b - found.on_a;
    const double apart = toy::length(way), size = toy::length(a.from) + toy::length(a.to) + toy::length(b.from);
    const bool crossing = apart <= 1e-12 * size; /* only rounding says which way */
    const toy::vec n = crossing ? toy::across(a, b) : (1 / apart) * way;

    /* Touching is overlapping. A library that finds a distance of 1e-8 for shapes that overlap has a threshold of its
     * own, or a test of its own: these say which shapes overlap, not `sigma > 0`. */
    answer->sigma = apart - a.radius - b.radius;
    answer->status = answer->sigma > 0 ? GJB_SEPARATED : GJB_OVERLAPPING;
    const double normal[3] = {n.x, n.y, n.z};
    const toy::vec on_a = found.on_a + a.radius * n, on_b = found.on_b - b.radius * n;
    const double points[2][3] = {{on_a.x, on_a.y, on_a.z}, {on_b.x, on_b.y, on_b.z}};
    memcpy(answer->normal, normal, sizeof normal); /* from A to B */
    gjb_unit(answer->normal);                      /* a float library's is seldom of length 1 */
    memcpy(answer->point_a, points[0], sizeof points[0]);
    memcpy(answer->point_b, points[1], sizeof points[1]);
}

void run(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F32, 3, answer);
}

gjb_contender table()
{
    gjb_contender t = {};
    t.abi_version = GJB_CONTENDER_ABI;
    t.struct_size = sizeof t;
    t.name = "toy-capsules";
    t.version = "1.0";
    t.licence = "MIT";
    t.note = "";
    t.dims = 1u << 3;
    t.kinds = 1u << GJB_POINT | 1u << GJB_SEGMENT;
    t.queries = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_PENETRATION | 1u << GJB_SIGNED_DISTANCE;
    t.precisions = 1u << GJB_F32;
    t.max_vertices = GJB_NO_VERTEX_LIMIT;
    t.prepare = prepare;
    t.workspace_size = gjb_no_workspace;
    t.run = run;
    t.release = release;
    return t;
}

} // namespace

extern "C" GJB_PLUGIN_EXPORT const gjb_contender *const *gjb_plugin(const char *, char *, size_t)
{
    static const gjb_contender capsules = table();
    static const gjb_contender *const tables[] = {&capsules, nullptr};
    return tables;
}
