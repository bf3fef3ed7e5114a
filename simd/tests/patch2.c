/* Whether contacts of polygons in the plane are right, by docs/manifolds.md. */
#include "simd/tests/patch2.h"

#include <math.h>
#include <string.h>

typedef long double wide;

enum { MOST = 4096 };
static const wide sine = 1 / (wide)64;

patch2 patch2_read(const void *record, gjb_precision precision)
{
    patch2 p = {0};
    if (precision == GJB_F64) {
        gjb_manifold2d m;
        memcpy(&m, record, sizeof m);
        p.status = (gjb_status)m.head.status;
        p.count = m.count;
        memcpy(p.normal, m.normal, sizeof p.normal);
        memcpy(p.contact, m.contact, sizeof p.contact);
        return p;
    }
    gjb_manifold2f m;
    memcpy(&m, record, sizeof m);
    p.status = (gjb_status)m.head.status;
    p.count = m.count;
    for (int k = 0; k < 2; k++) {
        const gjb_contact2f *c = &m.contact[k];
        p.normal[k] = (double)m.normal[k];
        p.contact[k] = (gjb_contact2d){.point_a = {(double)c->point_a[0], (double)c->point_a[1]},
                                       .point_b = {(double)c->point_b[0], (double)c->point_b[1]},
                                       .separation = (double)c->separation,
                                       .feature = c->feature};
    }
    return p;
}

/* The side of a polygon that shows along a direction: corners by their places along the tangent. Heights of B's are
 * against the normal, and its places opposite. */
typedef struct side2 {
    wide place[MOST], height[MOST];
    uint32_t count;
    uint32_t first, last; /* of the corners that are extreme within the angle */
} side2;

static int by_place(const side2 *s, uint32_t k, wide place, wide height)
{
    return s->place[k] < place || (s->place[k] == place && s->height[k] < height);
}

/* Inserts a corner in order; a heap of them is sorted by insertion. */
static void add(side2 *s, wide place, wide height)
{
    uint32_t at = s->count++;
    for (; at > 0 && !by_place(s, at - 1, place, height); at--) {
        s->place[at] = s->place[at - 1];
        s->height[at] = s->height[at - 1];
    }
    s->place[at] = place;
    s->height[at] = height;
}

static wide turn(const side2 *s, uint32_t a, uint32_t b, wide place, wide height)
{
    return (s->place[b] - s->place[a]) * (height - s->height[a]) -
           (s->height[b] - s->height[a]) * (place - s->place[a]);
}

/* Upper hull of what was added. */
static void keep_upper(side2 *s)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        const wide place = s->place[k], height = s->height[k];
        if (n && s->place[n - 1] == place) /* the higher one comes last */
            n--;
        while (n >= 2 && turn(s, n - 2, n - 1, place, height) >= 0)
            n--;
        s->place[n] = place;
        s->height[n++] = height;
    }
    s->count = n;
}

static int level(const side2 *s, uint32_t k)
{
    const wide x = s->place[k + 1] - s->place[k], y = s->height[k + 1] - s->height[k];
    return fabsl(y) <= sine * hypotl(x, y);
}

/* Of a body moved by (dx, dy), along (nx, ny). */
static void find_side(side2 *s, const gjb_body2 *body, wide dx, wide dy, wide nx, wide ny)
{
    s->count = 0;
    for (uint32_t k = 0; k < body->count; k++) {
        const wide u = body->vertices[k][0], v = body->vertices[k][1], c = body->pose.c, d = body->pose.s;
        const wide x = c * u - d * v + dx, y = d * u + c * v + dy;
        add(s, nx * y - ny * x, nx * x + ny * y);
    }
    keep_upper(s);
    uint32_t top = 0;
    for (uint32_t k = 1; k < s->count; k++)
        top = s->height[k] > s->height[top] ? k : top;
    for (s->first = top; s->first > 0 && level(s, s->first - 1); s->first--)
        ;
    for (s->last = top; s->last + 1 < s->count && level(s, s->last); s->last++)
        ;
}

static wide height_at(const side2 *s, wide place)
{
    if (place <= s->place[0])
        return s->height[0];
    for (uint32_t k = 0; k + 1 < s->count; k++)
        if (place <= s->place[k + 1])
            return s->height[k] + (s->height[k + 1] - s->height[k]) * (place - s->place[k]) /
                                      (s->place[k + 1] - s->place[k]);
    return s->height[s->count - 1];
}

/* How far a point is from the side. */
static wide distance(const side2 *s, wide place, wide height)
{
    wide least = hypotl(place - s->place[0], height - s->height[0]);
    for (uint32_t k = 0; k + 1 < s->count; k++) {
        const wide x = s->place[k + 1] - s->place[k], y = s->height[k + 1] - s->height[k];
        wide t = ((place - s->place[k]) * x + (height - s->height[k]) * y) / (x * x + y * y);
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        least = fminl(least, hypotl(place - s->place[k] - t * x, height - s->height[k] - t * y));
    }
    return least;
}

typedef struct sides2 {
    side2 a, b;
    wide radii;
} sides2;

static wide separation(const sides2 *g, wide place)
{
    return -height_at(&g->b, -place) - height_at(&g->a, place) - g->radii;
}

/* The place of the least separation between lo and hi, of a convex function. */
static wide deepest(const sides2 *g, wide lo, wide hi)
{
    wide best = lo;
    for (int end = 0; end < 2; end++) {
        const side2 *s = end ? &g->b : &g->a;
        for (uint32_t k = 0; k < s->count; k++) {
            const wide at = end ? -s->place[k] : s->place[k];
            if (at >= lo && at <= hi && separation(g, at) < separation(g, best))
                best = at;
        }
    }
    return separation(g, hi) < separation(g, best) ? hi : best;
}

/* From `beyond`, which is beyond the margin, towards `within`. */
static wide cut(const sides2 *g, wide beyond, wide within, wide margin)
{
    for (int k = 0; k < 100; k++) {
        const wide middle = (beyond + within) / 2;
        if (separation(g, middle) > margin)
            beyond = middle;
        else
            within = middle;
    }
    return within;
}

/* Rule 6: of what is wanted, and at least T within, all is spanned. If the deepest contact is inside, one of two has to
 * be there: half, less by what T of the margin may move an end. */
static const char *fault_of_cover(const sides2 *g, wide margin, wide T, wide least, wide most)
{
    const wide first = fmaxl(g->a.place[g->a.first], -g->b.place[g->b.last]);
    const wide last = fminl(g->a.place[g->a.last], -g->b.place[g->b.first]);
    if (first > last)
        return NULL;
    const wide at = deepest(g, first, last), s = separation(g, at);
    if (s > margin - T)
        return NULL;
    wide size[2], lo = first, hi = last;
    for (int tight = 0; tight < 2; tight++) {
        const wide m = tight ? margin - T : margin;
        lo = separation(g, first) > m ? cut(g, first, at, m) : first;
        hi = separation(g, last) > m ? cut(g, last, at, m) : last;
        size[tight] = hi - lo;
    }
    if (hi - lo <= 2 * T || (least - T <= lo + T && most + T >= hi - T))
        return NULL;
    if (!(s < fminl(separation(g, lo), separation(g, hi)) - T / 8))
        return "does not span the patch";
    const wide span = fminl(most, hi) - fmaxl(least, lo) + T;
    return span >= size[1] / 2 - (size[0] - size[1]) ? NULL : "spans less than half of the patch";
}

const char *patch2_fault(const gjb_pair *pair, double sigma, const patch2 *got, double unit)
{
    static _Thread_local sides2 g;
    const gjb_body2 *a = &pair->as.plane.a, *b = &pair->as.plane.b;
    const wide T = 32 * (wide)unit * gjb_pair_size(pair), margin = pair->margin;
    if (got->count == 0)
        return sigma < margin - T ? "no contact within the margin" : NULL;
    if (sigma > margin + T)
        return "a contact beyond the margin";
    const wide nx = got->normal[0], ny = got->normal[1];
    if (fabsl(hypotl(nx, ny) - 1) > 16 * (wide)unit)
        return "the normal is not of length 1";
    find_side(&g.a, a, 0, 0, nx, ny);
    find_side(&g.b, b, (wide)b->pose.x - a->pose.x, (wide)b->pose.y - a->pose.y, -nx, -ny);
    g.radii = (wide)a->radius + b->radius;
    wide deep = INFINITY, least = INFINITY, most = -INFINITY;
    for (uint32_t k = 0; k < got->count; k++) {
        const gjb_contact2d *c = &got->contact[k];
        const wide s = c->separation, ax = c->point_a[0], ay = c->point_a[1], bx = c->point_b[0], by = c->point_b[1];
        const wide place = nx * ay - ny * ax, up = nx * ax + ny * ay - a->radius, down = nx * bx + ny * by + b->radius;
        if (distance(&g.a, place, up) > T)
            return "a is not on A";
        if (distance(&g.b, -(nx * by - ny * bx), -down) > T)
            return "b is not on B";
        if (hypotl(bx - ax - s * nx, by - ay - s * ny) > T)
            return "b - a is not along the normal";
        if (s > margin + T)
            return "a separation is beyond the margin";
        deep = fminl(deep, s);
        least = fminl(least, place);
        most = fmaxl(most, place);
    }
    wide top_a = -INFINITY, top_b = -INFINITY;
    for (uint32_t k = 0; k < g.a.count; k++)
        top_a = fmaxl(top_a, g.a.height[k]);
    for (uint32_t k = 0; k < g.b.count; k++)
        top_b = fmaxl(top_b, g.b.height[k]);
    if (fabsl(deep - (-top_b - top_a - g.radii)) > T)
        return "the deepest contact is not there";
    return fault_of_cover(&g, margin, T, least, most);
}

static int is_minus_zero(double x)
{
    return x == 0 && signbit(x);
}

const char *patch2_untidy(const void *record, gjb_precision precision)
{
    const patch2 p = patch2_read(record, precision);
    if (p.count > GJB_CONTACTS_2D)
        return "too many contacts";
    const size_t size = precision == GJB_F32 ? sizeof(gjb_manifold2f) : sizeof(gjb_manifold2d);
    const size_t contact = precision == GJB_F32 ? sizeof(gjb_contact2f) : sizeof(gjb_contact2d);
    const size_t used = p.count ? size - (GJB_CONTACTS_2D - p.count) * contact : sizeof(gjb_head);
    for (size_t k = used; k < size; k++)
        if (((const char *)record)[k])
            return "an unused byte is not 0";
    if (is_minus_zero(p.normal[0]) || is_minus_zero(p.normal[1]))
        return "-0 in the normal";
    for (uint32_t k = 0; k < p.count; k++) {
        const gjb_contact2d *c = &p.contact[k];
        if (is_minus_zero(c->separation) || is_minus_zero(c->point_a[0]) || is_minus_zero(c->point_a[1]) ||
            is_minus_zero(c->point_b[0]) || is_minus_zero(c->point_b[1]))
            return "-0";
        if (c->zero || !c->feature || (k && c->feature == p.contact[0].feature))
            return "a feature's id";
    }
    return NULL;
}
