/* Box2D 2.4.1 as a contender (f32), and another with the skin that it ships with.
 *
 * intersect and distance: b2Distance (GJK, at most 20 iterations, and no word
 * when it stops there), on proxies that point at our vertices, of any number.
 * Its answers are world points and the features they lie on, and the normal is
 * drawn from these, as b2TimeOfImpact does it: drawn from the points alone it is
 * off by their rounding over the gap, which made 6% of near pairs wrong.
 * useRadii is off for intersect: the polygons of b2TestOverlap are fattened by a
 * skin of b2_polygonRadius each, 0.02 in all, which no sharp query wants, so the
 * core distance is held against our radii instead. b2TestOverlap calls less than 10
 * b2_epsilon an overlap, and so do both here, which is their tau: after a deep overlap
 * b2Distance is often left with 1e-7, and a normal drawn from points so near means nothing.
 * b2Distance promises no other accuracy: b2_linearSlop is a tolerance of the contact solver.
 *
 * penetration: the contact manifold as its engine computes it: separating axes,
 * then clipping to two points, so it does more than the query asks. It meets
 * polygons of at most 8 vertices and circles; everything else is unsupported.
 * The skin is taken off its polygons (m_radius 0), so that the depth is that of
 * the sharp shapes and clipping stays inside the reference face. Times are the
 * same with and without it; of 20,000 shallow pairs of octagons 8 are wrong
 * without and 197 with it (what is left are contacts of two corners that
 * clipping misses). The normal points from A to B, as ours. A face of the second
 * polygon becomes the reference only if it is better by 0.1 b2_linearSlop, so
 * that contacts do not flicker: a depth may be that much too large by design,
 * which is tau.
 *
 * manifold: the same, with edges, which meet polygons and circles and not each other. Its normal points from A to B;
 * world points lie half way between both surfaces, and separations are those of the surfaces, negative if they overlap.
 * It knows no margin: contacts are those within the sum of the radii, and so of overlaps alone. Clipping gives none
 * where features miss each other. With skin, the sides that clip are moved out by both radii, so that a contact may lie
 * beyond the end of a face by 0.02, which is more than its skin. Of an edge and a polygon the polygon's face counts only if it is better by 0.001
 * and 2% (k_absoluteTol and k_relativeTol), the first of which is tau.
 *
 * With skin, sharp polygons, boxes and segments have the radius b2_polygonRadius that its own shapes have, and
 * all queries count it. Shapes with a radius keep that.
 */
#include <algorithm>
#include <cstring>

#include <box2d/b2_collision.h>

#include "contenders/libraries/box2d.hpp"

using namespace gjb_box2d;

namespace {

/* Twice the area of a triangle, positive if it turns left. */
double turn(const b2Vec2 &a, const b2Vec2 &b, const b2Vec2 &c)
{
    return (double(b.x) - a.x) * (double(c.y) - b.y) - (double(b.y) - a.y) * (double(c.x) - b.x);
}

/* True corners only, the rightmost first, as b2PolygonShape::Set would have them: a repeated vertex has no
 * edge normal, one between two others splits the edge that clipping clips, and which of two edges alike comes
 * first decides a contact. Set would also weld vertices within 0.0025, so it would answer for
 * another shape than the one asked about. */
std::vector<b2Vec2> corners(const Core &core)
{
    int32 start = 0;
    for (int32 i = 1; i < core.count; i++) {
        const b2Vec2 v = core.vertices[i], last = core.vertices[start];
        if (v.x > last.x || (v.x == last.x && v.y < last.y))
            start = i;
    }
    std::vector<b2Vec2> kept;
    for (int32 i = 0; i <= core.count; i++) {
        const b2Vec2 v = core.vertices[(start + i) % core.count];
        while (kept.size() > 1 && turn(kept[kept.size() - 2], kept.back(), v) <= 0)
            kept.pop_back();
        kept.push_back(v);
    }
    kept.pop_back();
    return kept;
}

/* Sharp polygons only: a manifold's depth at a rounded corner is not its distance. Box2D asserts that
 * the area is above b2_epsilon. */
bool fill_polygon(const Core &core, b2PolygonShape *polygon)
{
    if (core.count < 3)
        return false;
    const std::vector<b2Vec2> kept = corners(core);
    if (kept.size() < 3 || kept.size() > b2_maxPolygonVertices)
        return false;
    const int32 count = int32(kept.size());
    std::copy(kept.begin(), kept.end(), polygon->m_vertices);
    double area = 0, x = 0, y = 0;
    const b2Vec2 o = kept.front();
    for (int32 i = 0; i < count; i++) {
        const b2Vec2 a = kept[size_t(i)], b = kept[size_t(i + 1 < count ? i + 1 : 0)];
        const double ax = double(a.x) - o.x, ay = double(a.y) - o.y, bx = double(b.x) - o.x,
                     by = double(b.y) - o.y, cross = ax * by - ay * bx;
        area += cross;
        x += cross * (ax + bx);
        y += cross * (ay + by);
        polygon->m_normals[i] = b2Cross(b - a, 1.0f);
        polygon->m_normals[i].Normalize();
    }
    if (!(0.5 * area > double(b2_epsilon)))
        return false;
    polygon->m_count = count;
    polygon->m_radius = core.radius;
    polygon->m_centroid.Set(float(o.x + x / (3 * area)), float(o.y + y / (3 * area)));
    return true;
}

/* `skin`: the radius of what has edges and none of its own. */
void add_shape(Prepared *prepared, const gjb_shapes *shapes, uint32_t index, float skin)
{
    const float *row = static_cast<const float *>(shapes->rows) + 2 * size_t(shapes->first[index]);
    const auto kind = gjb_kind(shapes->kind[index]);
    const b2Vec2 *first = prepared->vertices.data() + prepared->vertices.size();
    if (kind == GJB_BOX) {
        const float hx = row[0], hy = row[1];
        for (const b2Vec2 &corner : {b2Vec2(-hx, -hy), b2Vec2(hx, -hy), b2Vec2(hx, hy), b2Vec2(-hx, hy)})
            prepared->vertices.push_back(corner);
    } else {
        for (uint32_t i = 0; i < shapes->row_count[index]; i++)
            prepared->vertices.emplace_back(row[2 * i], row[2 * i + 1]);
    }
    const float radius = static_cast<const float *>(shapes->radius)[index];
    Core core = {first, int32(prepared->vertices.data() + prepared->vertices.size() - first),
                 radius == 0.0f && kind != GJB_POINT ? skin : radius, nullptr, nullptr};
    b2PolygonShape polygon;
    if (kind == GJB_POINT) {
        b2CircleShape circle;
        circle.m_p = core.vertices[0];
        circle.m_radius = core.radius;
        prepared->circles.push_back(circle);
        core.shape = &prepared->circles.back();
    } else if (radius == 0.0f && fill_polygon(core, &polygon)) {
        prepared->polygons.push_back(polygon);
        core.shape = &prepared->polygons.back();
    }
    core.touching = core.shape;
    if (kind == GJB_SEGMENT && radius == 0.0f && core.vertices[0] != core.vertices[1]) {
        b2EdgeShape edge;
        edge.SetTwoSided(core.vertices[0], core.vertices[1]);
        edge.m_radius = core.radius;
        prepared->edges.push_back(edge);
        core.touching = &prepared->edges.back();
    }
    prepared->cores.push_back(core);
}

/* Reserved in full beforehand: cores keep pointers into the other arrays. */
} // namespace

template <bool Skinned> void gjb_box2d::fill(const gjb_shapes *shapes, Prepared *prepared)
{
    size_t vertices = 0, circles = 0, polygons = 0, edges = 0;
    for (uint32_t i = 0; i < shapes->count; i++) {
        const bool box = shapes->kind[i] == GJB_BOX, point = shapes->kind[i] == GJB_POINT;
        vertices += box ? 4 : shapes->row_count[i];
        circles += point;
        polygons += !point && shapes->kind[i] != GJB_SEGMENT;
        edges += shapes->kind[i] == GJB_SEGMENT;
    }
    prepared->cores.reserve(shapes->count);
    prepared->vertices.reserve(vertices);
    prepared->circles.reserve(circles);
    prepared->polygons.reserve(polygons);
    prepared->edges.reserve(edges);
    for (uint32_t i = 0; i < shapes->count; i++)
        add_shape(prepared, shapes, i, Skinned ? b2_polygonRadius : 0.0f);
}

template void gjb_box2d::fill<false>(const gjb_shapes *, Prepared *);
template void gjb_box2d::fill<true>(const gjb_shapes *, Prepared *);

Body gjb_box2d::body(const Prepared &prepared, const gjb_batch *batch, uint32_t index)
{
    gjb_pose2f pose;
    std::memcpy(&pose, gjb_batch_pose(batch, index), sizeof pose);
    Body b;
    b.core = &prepared.cores[gjb_batch_shape(batch, index)];
    b.pose.p.Set(pose.x, pose.y);
    b.pose.q.s = pose.s;
    b.pose.q.c = pose.c;
    return b;
}

void gjb_box2d::set_proxy(b2DistanceProxy *proxy, const Core &core)
{
    proxy->m_vertices = core.vertices;
    proxy->m_count = core.count;
    proxy->m_radius = core.radius;
}

void gjb_box2d::core_distance(const Body &a, const Body &b, bool radii, b2DistanceOutput *output,
                              b2SimplexCache *cache)
{
    b2DistanceInput input;
    set_proxy(&input.proxyA, *a.core);
    set_proxy(&input.proxyB, *b.core);
    input.transformA = a.pose;
    input.transformB = b.pose;
    input.useRadii = radii;
    cache->count = 0;
    b2Distance(output, cache, &input);
}

namespace {

/* Adding 0 makes -0 into +0, as records promise. */
void store(float target[2], const b2Vec2 &v)
{
    target[0] = v.x + 0.0f;
    target[1] = v.y + 0.0f;
}

int intersect(const Body &a, const Body &b, char *record)
{
    b2DistanceOutput output;
    b2SimplexCache cache;
    core_distance(a, b, false, &output, &cache);
    const bool apart = output.distance - (a.core->radius + b.core->radius) >= touching;
    const gjb_head head = {uint16_t(apart ? GJB_SEPARATED : GJB_OVERLAPPING), uint16_t(output.iterations)};
    std::memcpy(record, &head, sizeof head);
    return output.iterations;
}

/* Perpendicular to the closest edge if the cache tells of one, as
 * b2TimeOfImpact does, else along the gap between the closest points. */
b2Vec2 normal_of(const Body &a, const Body &b, const b2SimplexCache &cache, const b2Vec2 &gap)
{
    b2Vec2 along = gap;
    if (cache.count == 2) {
        const bool of_a = cache.indexA[0] != cache.indexA[1];
        const Body &body = of_a ? a : b;
        const uint8 *index = of_a ? cache.indexA : cache.indexB;
        const b2Vec2 edge =
            b2Mul(body.pose.q, body.core->vertices[index[1]] - body.core->vertices[index[0]]);
        const b2Vec2 across(edge.y, -edge.x);
        const float side = b2Dot(across, gap);
        if (body.core->count <= max_cached && side != 0.0f)
            along = side > 0.0f ? across : -across;
    }
    const float length = along.Length();
    return length > 0.0f ? (1.0f / length) * along : b2Vec2(0.0f, 0.0f);
}

int distance(const Body &a, const Body &b, char *record)
{
    b2DistanceOutput output;
    b2SimplexCache cache;
    core_distance(a, b, a.core->radius + b.core->radius > 0.0f, &output, &cache);
    gjb_result2f r = {};
    r.head.iterations = uint16_t(output.iterations);
    r.head.status = GJB_OVERLAPPING;
    if (output.distance >= touching) {
        r.head.status = GJB_SEPARATED;
        r.value = output.distance;
        store(r.normal, normal_of(a, b, cache, output.pointB - output.pointA));
        store(r.point_a, output.pointA - a.pose.p);
        store(r.point_b, output.pointB - a.pose.p);
    }
    std::memcpy(record, &r, sizeof r);
    return output.iterations;
}

/* Box2D's edge comes first, and a polygon before a circle. */
int place_of(const b2Shape *shape)
{
    return shape->m_type == b2Shape::e_edge ? 0 : shape->m_type == b2Shape::e_polygon ? 1 : 2;
}

const b2PolygonShape *polygon_of(const b2Shape *shape)
{
    return static_cast<const b2PolygonShape *>(shape);
}

const b2CircleShape *circle_of(const b2Shape *shape)
{
    return static_cast<const b2CircleShape *>(shape);
}

/* Of shapes in that order. False for two edges. */
bool collide_in_order(const b2Shape *one, const b2Transform &at_one, const b2Shape *two, const b2Transform &at_two,
                      b2Manifold *manifold)
{
    const int first = place_of(one), second = place_of(two);
    if (first == 0 && second == 1)
        b2CollideEdgeAndPolygon(manifold, static_cast<const b2EdgeShape *>(one), at_one, polygon_of(two), at_two);
    else if (first == 0 && second == 2)
        b2CollideEdgeAndCircle(manifold, static_cast<const b2EdgeShape *>(one), at_one, circle_of(two), at_two);
    else if (first == 1 && second == 1)
        b2CollidePolygons(manifold, polygon_of(one), at_one, polygon_of(two), at_two);
    else if (first == 1)
        b2CollidePolygonAndCircle(manifold, polygon_of(one), at_one, circle_of(two), at_two);
    else if (first == 2)
        b2CollideCircles(manifold, circle_of(one), at_one, circle_of(two), at_two);
    else
        return false;
    return true;
}

/* False for a pair that Box2D has no manifold for. `swapped` becomes 1 if that exchanged the pair. */
bool collide(const Body &a, const b2Shape *of_a, const Body &b, const b2Shape *of_b, b2Manifold *manifold,
             b2WorldManifold *world, bool *swapped)
{
    if (of_a == nullptr || of_b == nullptr)
        return false;
    *swapped = place_of(of_a) > place_of(of_b);
    const b2Shape *one = *swapped ? of_b : of_a, *two = *swapped ? of_a : of_b;
    const b2Transform &at_one = *swapped ? b.pose : a.pose, &at_two = *swapped ? a.pose : b.pose;
    if (!collide_in_order(one, at_one, two, at_two, manifold))
        return false;
    world->Initialize(manifold, at_one, one->m_radius, at_two, two->m_radius);
    return true;
}

/* The normal from A to B, of a pair that may have been exchanged. */
b2Vec2 from_a(const b2WorldManifold &world, bool swapped)
{
    return swapped ? -world.normal : world.normal;
}

int penetration(const Body &a, const Body &b, char *record)
{
    gjb_result2f r = {};
    r.head.status = GJB_UNSUPPORTED;
    b2Manifold manifold;
    b2WorldManifold world;
    bool swapped;
    if (collide(a, a.core->shape, b, b.core->shape, &manifold, &world, &swapped)) {
        int deepest = -1;
        for (int i = 0; i < manifold.pointCount; i++)
            if (deepest < 0 || world.separations[i] < world.separations[deepest])
                deepest = i;
        r.head.status = GJB_SEPARATED;
        if (deepest >= 0 && world.separations[deepest] <= 0.0f) {
            /* A world point lies half way between the two surfaces. */
            const float separation = world.separations[deepest];
            const b2Vec2 normal = from_a(world, swapped);
            const b2Vec2 middle = world.points[deepest] - a.pose.p;
            r.head.status = GJB_OVERLAPPING;
            r.value = -separation + 0.0f;
            store(r.normal, normal);
            store(r.point_a, middle - 0.5f * separation * normal);
            store(r.point_b, middle + 0.5f * separation * normal);
        }
    }
    std::memcpy(record, &r, sizeof r);
    return 0;
}

/* Contacts with a separation above 0 are roundings of touching ones. */
int manifold(const Body &a, const Body &b, char *record)
{
    gjb_manifold2f r = {};
    r.head.status = GJB_UNSUPPORTED;
    b2Manifold found;
    b2WorldManifold world;
    bool swapped;
    if (collide(a, a.core->touching, b, b.core->touching, &found, &world, &swapped)) {
        const b2Vec2 normal = from_a(world, swapped);
        r.head.status = GJB_SEPARATED;
        r.count = uint32_t(found.pointCount);
        if (r.count > 0)
            store(r.normal, normal);
        for (uint32_t i = 0; i < r.count; i++) {
            const float separation = world.separations[i];
            const b2Vec2 middle = world.points[i] - a.pose.p;
            gjb_contact2f &contact = r.contact[i];
            store(contact.point_a, middle - 0.5f * separation * normal);
            store(contact.point_b, middle + 0.5f * separation * normal);
            contact.separation = separation + 0.0f;
            contact.feature = found.points[i].id.key;
            if (separation <= 0.0f)
                r.head.status = GJB_OVERLAPPING;
        }
    }
    std::memcpy(record, &r, sizeof r);
    return 0;
}

template <int (*Answer)(const Body &, const Body &, char *)>
void answer_all(const Prepared &prepared, const gjb_batch *batch)
{
    char *record = static_cast<char *>(batch->results);
    for (size_t i = 0; i < batch->pair_count; i++, record += batch->result_stride) {
        const Body a = body(prepared, batch, batch->pairs[2 * i]);
        const Body b = body(prepared, batch, batch->pairs[2 * i + 1]);
        const int iterations = Answer(a, b, record);
        if (batch->stats != nullptr) {
            batch->stats->pairs++;
            batch->stats->iterations[iterations < 31 ? iterations : 31]++;
        }
    }
}

} // namespace

void gjb_box2d::run_still(const void *prepared, const gjb_batch *batch)
{
    const Prepared &p = *static_cast<const Prepared *>(prepared);
    switch (batch->query) {
    case GJB_INTERSECT:
        answer_all<intersect>(p, batch);
        break;
    case GJB_DISTANCE:
        answer_all<distance>(p, batch);
        break;
    case GJB_PENETRATION:
        answer_all<penetration>(p, batch);
        break;
    case GJB_MANIFOLD:
        answer_all<manifold>(p, batch);
        break;
    default:
        gjb_answer_all(prepared, batch, GJB_F32, 2, gjb_answer_unsupported);
    }
}
