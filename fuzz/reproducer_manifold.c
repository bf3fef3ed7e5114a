/* A manifold that fails as a C test: its contacts, what they are held to, and proofs about points and patch. */
#include <math.h>
#include <string.h>

#include "fuzz/reproducer_private.h"
#include "reference/patch/patch.h"

static uint32_t most_of(const writing *w)
{
    return w->pair->shapes.dim == 2 ? GJB_CONTACTS_2D : GJB_CONTACTS_3D;
}

static double dot(const double u[3], const double v[3])
{
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/* --- Proofs --- */

/* Rule 2: how far points are from being as far apart as they say. */
static double off_each_other(const gjb_result *r, uint32_t i)
{
    const gjb_contact3d *c = &r->contact[i];
    double off = 0;
    for (int k = 0; k < 3; k++) {
        const double by = c->point_b[k] - c->point_a[k] - c->separation * r->normal[k];
        off += by * by;
    }
    return sqrt(off);
}

static void prove_points(writing *w, const gjb_pair *pair)
{
    const gjb_result *r = &w->o->result;
    for (uint32_t i = 0; i < r->count && i < most_of(w); i++)
        for (int b = 0; b < 2; b++)
            if (!w->proven[b])
                w->proven[b] = gjb_find_way_out(w, pair, b, b ? r->contact[i].point_b : r->contact[i].point_a,
                                                w->out[b]);
}

/* The patch that is wanted within `near`, and how far it reaches along a direction. */
typedef struct reached {
    ref_patch patch;
    double middle[3];
} reached;

static void find_patch(const writing *w, const gjb_pair *pair, double near, reached *out)
{
    const double T = w->o->tolerance, *n = w->o->result.normal;
    const ref_patch_question question = {{n[0], n[1], n[2]}, REF_PATCH_SINE, pair->margin - T, near, T};
    ref_patch_find(pair, &question, &out->patch);
    memset(out->middle, 0, sizeof out->middle);
    for (uint32_t i = 0; i < out->patch.count; i++)
        for (int k = 0; k < 3; k++)
            out->middle[k] += out->patch.corners[i].point_a[k] / out->patch.count;
}

static double reach_of(const reached *of, const double along[3])
{
    double most = -INFINITY;
    for (uint32_t i = 0; i < of->patch.count; i++)
        most = fmax(most, dot(along, of->patch.corners[i].point_a));
    return most;
}

/* How far what is wanted reaches at least: of a polygon, made smaller about its middle by so much that it is T within;
 * of a segment, each end as it is if nothing is grown, and T within that. -INFINITY: unknown. */
static double wanted_reach(const writing *w, const reached *at_t, const reached *at_eighth,
                           const double along[3], double room)
{
    const double T = w->o->tolerance, whole = reach_of(at_t, along), middle = dot(at_t->middle, along);
    if (at_t->patch.count == 2)
        return at_eighth->patch.count == 2
                   ? reach_of(at_eighth, along) - (whole - reach_of(at_eighth, along)) / 7 - T
                   : -INFINITY;
    return room > 2 * T ? middle + (1 - T / room) * (whole - middle) : -INFINITY;
}

/* Across the normal, direction `i` of `count`. */
static void direction_of(const double n[3], uint32_t dim, int i, int count, double out[3])
{
    const double other[3] = {fabs(n[0]) < 0.5, fabs(n[0]) >= 0.5, 0}, angle = 6.283185307179586 * i / count;
    double e[3] = {-n[1], n[0], 0}, f[3];
    if (dim == 3)
        memcpy(e,
               (double[3]){n[1] * other[2] - n[2] * other[1], n[2] * other[0] - n[0] * other[2],
                           n[0] * other[1] - n[1] * other[0]},
               sizeof e);
    const double length = sqrt(dot(e, e));
    for (int k = 0; k < 3; k++)
        e[k] /= length;
    memcpy(f, (double[3]){n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2], n[0] * e[1] - n[1] * e[0]},
           sizeof f);
    const double c = cos(angle), s = dim == 3 ? sin(angle) : 0;
    for (int k = 0; k < 3; k++)
        out[k] = c * e[k] + s * f[k];
}

/* From the middle to the nearest side. */
static double room_of(const reached *of, const double n[3], uint32_t dim)
{
    enum { WAYS = 64 };
    double least = INFINITY, along[3];
    for (int i = 0; i < WAYS && of->patch.count > 2; i++) {
        direction_of(n, dim, i, WAYS, along);
        least = fmin(least, reach_of(of, along) - dot(of->middle, along));
    }
    return 0.5 * least; /* between directions it may be less */
}

/* Rule 6 of a patch whose corners fit: a way that the patch reaches farther than the contacts. */
static void prove_short(writing *w, const gjb_pair *pair, const reached *at_t)
{
    enum { WAYS = 48 };
    const gjb_result *r = &w->o->result;
    const double T = w->o->tolerance, room = room_of(at_t, r->normal, pair->dim);
    reached at_eighth = {.patch = {0}};
    double most = 0;
    find_patch(w, pair, T / 8, &at_eighth);
    for (int i = 0; i < WAYS; i++) {
        double along[3], got = -INFINITY;
        direction_of(r->normal, pair->dim, i, WAYS, along);
        for (uint32_t k = 0; k < r->count && k < most_of(w); k++)
            got = fmax(got, dot(along, r->contact[k].point_a));
        const double level = wanted_reach(w, at_t, &at_eighth, along, room) - T;
        if (level - got > most + 4 * w->error) {
            most = level - got;
            memcpy(w->beyond, along, sizeof along);
            w->level = level;
            w->uncovered = 1;
        }
    }
    ref_patch_free(&at_eighth.patch);
}

/* Of the hull of all points, seen along the normal: of two differences, its diagonals or a triangle's sides. */
static double area_of(const gjb_result *r)
{
    double most = 0;
    for (unsigned i = 0; i < 4 * 4 * 4 * 4; i++) {
        const unsigned of[4] = {i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6};
        double u[3], v[3];
        if (of[0] >= r->count || of[1] >= r->count || of[2] >= r->count || of[3] >= r->count)
            continue;
        for (int k = 0; k < 3; k++) {
            u[k] = r->contact[of[1]].point_a[k] - r->contact[of[0]].point_a[k];
            v[k] = r->contact[of[3]].point_a[k] - r->contact[of[2]].point_a[k];
        }
        const double w[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        most = fmax(most, fabs(dot(w, r->normal)) / 2);
    }
    return most;
}

/* From the line between two corners, seen along the normal. */
static double from_side(const double n[3], const double at[3], const double p[3], const double q[3])
{
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = q[k] - p[k];
        v[k] = at[k] - p[k];
    }
    const double up = dot(u, n), over = dot(v, n);
    for (int k = 0; k < 3; k++) {
        u[k] -= up * n[k];
        v[k] -= over * n[k];
    }
    const double t = fmax(0, fmin(1, dot(u, v) / dot(u, u)));
    for (int k = 0; k < 3; k++)
        v[k] -= t * u[k];
    return sqrt(dot(v, v));
}

/* Do corners fit, by number or since the best stand for all? Rounding makes corners. */
static int do_fit(const writing *w, const ref_patch *patch)
{
    int fit = 1;
    for (uint32_t i = 0; i < patch->count && patch->count > most_of(w); i++) {
        double least = INFINITY;
        for (uint32_t k = 0; k < patch->best_count; k++) {
            const ref_patch_corner *p = &patch->corners[patch->best[k]],
                                   *q = &patch->corners[patch->best[(k + 1) % patch->best_count]];
            least = fmin(least,
                         from_side(w->o->result.normal, patch->corners[i].point_a, p->point_a, q->point_a));
        }
        fit &= least <= w->o->tolerance;
    }
    return fit;
}

/* Rule 6. Of a patch of more corners than fit, half of what the best span; growing points by T adds less than is
 * taken off. */
static void prove_uncovered(writing *w, const gjb_pair *pair)
{
    reached at_t = {.patch = {0}};
    find_patch(w, pair, w->o->tolerance, &at_t);
    const ref_patch *patch = &at_t.patch;
    if (!do_fit(w, patch)) {
        const double area = REF_PATCH_SHARE * patch->share * patch->size - 16 * w->o->tolerance * w->o->size;
        w->area = area_of(&w->o->result) < area ? area : 0;
    } else if (patch->count > 1) {
        prove_short(w, pair, &at_t);
    }
    ref_patch_free(&at_t.patch);
}

void gjb_manifold_prove(writing *w, const gjb_pair *pair)
{
    const gjb_result *r = &w->o->result;
    if (w->o->symptom == GJB_FAULT_CONTACT && gjb_gives_points(w))
        prove_points(w, pair);
    if (w->o->symptom == GJB_FAULT_PATCH && r->count && !gjb_pair_curved(pair) &&
        !(w->ask->contender->touching_only >> w->ask->query & 1))
        prove_uncovered(w, pair);
}

int gjb_manifold_is_checked(const writing *w)
{
    const gjb_outcome *o = w->o;
    const gjb_result *r = &o->result;
    if (o->symptom == GJB_FAULT_FEATURE)
        return w->ask->contender->ours;
    if (o->symptom == GJB_FAULT_PATCH)
        return !r->count || o->lo > w->pair->margin + o->tolerance || w->uncovered || w->area > 0;
    for (uint32_t i = 0; i < r->count && i < most_of(w); i++)
        if (off_each_other(r, i) > o->tolerance + w->error ||
            r->contact[i].separation > w->pair->margin + o->tolerance + w->error)
            return 1;
    return w->proven[0] || w->proven[1];
}

/* --- The test --- */

static void write_form_check(FILE *f)
{
    fputs("    failed = failed || misses(who, \"normal\", a->normal, 3, a->count > 0);\n"
          "    for (unsigned i = 0; i < 4 && !failed; i++)\n"
          "        failed = misses(who, \"point a\", a->contact[i].a, 3, i < a->count) ||\n"
          "                 misses(who, \"point b\", a->contact[i].b, 3, i < a->count) ||\n"
          "                 misses(who, \"separation\", &a->contact[i].separation, 1, i < a->count);\n",
          f);
}

static void write_count_checks(FILE *f, const writing *w)
{
    const int touching = w->ask->contender->touching_only >> w->ask->query & 1;
    fprintf(f,
            "    if (a->count > %u)\n"
            "        failed = printf(\"%%s: %%u contacts\\n\", who, a->count);\n"
            "    if (!failed && !a->count && hi < %s)\n"
            "        failed = printf(\"%%s: no contacts, but they are wanted\\n\", who);\n"
            "    if (!failed && a->count && lo > margin + T)\n"
            "        failed = printf(\"%%s: contacts of shapes that are %%.17g apart\\n\", who, lo);\n",
            (unsigned)most_of(w), touching ? "-T" : "margin - T");
}

static void write_normal_check(FILE *f, const writing *w)
{
    fputs(
        "    const long double n[3] = {a->normal[0], a->normal[1], a->normal[2]}, back[3] = {-n[0], -n[1], -n[2]};\n"
        "    const long double length = sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);\n"
        "    const long double gap = -(reach(0, n) + reach(1, back)) / length;\n",
        f);
    if (gjb_gives_normal(w))
        fprintf(
            f,
            "    if (!(fabsl(length - 1) <= %a))\n"
            "        failed = printf(\"%%s: a normal of length %%.17Lg\\n\", who, length);\n"
            "    if (!((lo > T ? 0 : fmin(lo, T)) - gap <= T + rounding))\n"
            "        failed = printf(\"%%s: the gap along the normal is %%.17Lg, of %%.17g\\n\", who, gap, lo);\n",
            4 * w->o->epsilon);
}

static void write_contact_checks(FILE *f, const writing *w)
{
    fputs("    double least = INFINITY;\n"
          "    for (unsigned i = 0; i < a->count; i++) {\n"
          "        const struct contact *c = &a->contact[i];\n"
          "        least = fmin(least, c->separation);\n",
          f);
    if (gjb_gives_points(w))
        fputs(
            "        long double off = 0;\n"
            "        for (int k = 0; k < 3; k++) {\n"
            "            const long double by = (long double)c->b[k] - c->a[k] - c->separation * n[k];\n"
            "            off += by * by;\n"
            "        }\n"
            "        if (!(sqrtl(off) <= T + rounding))\n"
            "            failed = printf(\"%s: points %u are off by %.3Lg T\\n\", who, i, sqrtl(off) / T);\n"
            "        if (!(c->separation <= margin + T + rounding))\n"
            "            failed = printf(\"%s: points %u are %.17g apart\\n\", who, i, c->separation);\n",
            f);
    if (w->proven[0] || w->proven[1])
        fputs(
            "        for (int s = 0; s < 2; s++) {\n"
            "            const double *point = s ? c->b : c->a;\n"
            "            const long double *d = way_out[s];\n"
            "            if (!(d[0] * point[0] + d[1] * point[1] + d[2] * point[2] - reach(s, d) <= T + rounding))\n"
            "                failed = printf(\"%s: point %u of %c is off its shape\\n\", who, i, \"AB\"[s]);\n"
            "        }\n",
            f);
    if (w->ask->contender->ours)
        fputs("        for (unsigned j = 0; j < i; j++)\n"
              "            if (c->feature == a->contact[j].feature)\n"
              "                failed = printf(\"%s: contacts %u and %u have one id\\n\", who, i, j);\n",
              f);
    fputs(
        "    }\n"
        "    if (!(fabsl(least - gap) <= T + rounding))\n"
        "        failed = printf(\"%s: the deepest is %.17g, and the gap is %.17Lg\\n\", who, least, gap);\n",
        f);
}

void gjb_manifold_write_truth(FILE *f, const writing *w)
{
    fputs("/* Contacts are wanted up to this separation. */\nstatic const double margin = ", f);
    gjb_write_number(f, w->pair->margin);
    fprintf(f, ", rounding = %a;\n", w->error);
    if (!w->uncovered && !(w->area > 0))
        return;
    fprintf(f,
            "/* Along the normal that was answered, contacts have to %s. */\nstatic const double same[3] = ",
            w->uncovered ? "reach so far this way" : "span so much");
    gjb_write_vector(f, w->o->result.normal);
    if (w->uncovered) {
        fputs(", beyond[3] = ", f);
        gjb_write_vector(f, w->beyond);
        fprintf(f, ", level = %a;\n", w->level);
    } else {
        fprintf(f, ", area = %a;\n", w->area);
    }
}

/* Only along the normal that was answered is the patch known. */
static void write_cover_check(FILE *f)
{
    fputs("    long double most = -INFINITY;\n"
          "    for (unsigned i = 0; i < a->count; i++)\n"
          "        most = fmaxl(most, dot(beyond, a->contact[i].a));\n"
          "    if (memcmp(same, a->normal, sizeof same) == 0 && !(most >= level))\n"
          "        failed = printf(\"%s: contacts end %.17Lg short of the patch\\n\", who, level - most);\n",
          f);
}

/* The most that two of their differences span, which are the diagonals, or sides of a triangle. */
static void write_area_check(FILE *f)
{
    fputs(
        "    long double most = 0;\n"
        "    for (unsigned i = 0; i < 4 * 4 * 4 * 4; i++) {\n"
        "        const unsigned of[4] = {i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6};\n"
        "        double u[3], v[3];\n"
        "        if (of[0] >= a->count || of[1] >= a->count || of[2] >= a->count || of[3] >= a->count)\n"
        "            continue;\n"
        "        for (int k = 0; k < 3; k++) {\n"
        "            u[k] = a->contact[of[1]].a[k] - a->contact[of[0]].a[k];\n"
        "            v[k] = a->contact[of[3]].a[k] - a->contact[of[2]].a[k];\n"
        "        }\n"
        "        const double w[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], "
        "u[0] * v[1] - u[1] * v[0]};\n"
        "        most = fmaxl(most, fabsl(dot(w, a->normal)) / 2);\n"
        "    }\n"
        "    if (memcmp(same, a->normal, sizeof same) == 0 && !(most >= area))\n"
        "        failed = printf(\"%s: contacts span %.17Lg, less than half of what four can\\n\", who, most);\n",
        f);
}

void gjb_manifold_write_checks(FILE *f, const writing *w)
{
    gjb_write_support(f, w);
    fputs(
        "\nstruct contact {\n    double a[3], b[3], separation;\n    unsigned feature;\n};\n\n"
        "struct answer {\n    unsigned status, count;\n    double normal[3];\n    struct contact contact[4];\n};\n\n",
        f);
    gjb_write_misses(f, w);
    if (w->uncovered || w->area > 0)
        fputs(
            "static long double dot(const double u[3], const double v[3])\n{\n"
            "    return (long double)u[0] * v[0] + (long double)u[1] * v[1] + (long double)u[2] * v[2];\n}\n\n",
            f);
    fputs("static int check(const char *who, const struct answer *a)\n{\n    int failed = 0;\n", f);
    gjb_write_status_checks(f, w);
    write_count_checks(f, w);
    write_form_check(f);
    fputs("    if (failed || !a->count)\n        return failed;\n", f);
    write_normal_check(f, w);
    write_contact_checks(f, w);
    if (w->uncovered)
        write_cover_check(f);
    else if (w->area > 0)
        write_area_check(f);
    fputs("    return failed;\n}\n\n", f);
}

void gjb_manifold_write_reading(FILE *f, const writing *w)
{
    const unsigned dim = (unsigned)w->pair->shapes.dim;
    fprintf(f,
            "    a.status = result.head.status;\n    a.count = result.count;\n"
            "    for (int k = 0; k < %u; k++)\n        a.normal[k] = result.normal[k];\n"
            "    for (int i = 0; i < %u; i++) {\n"
            "        for (int k = 0; k < %u; k++) {\n"
            "            a.contact[i].a[k] = result.contact[i].point_a[k];\n"
            "            a.contact[i].b[k] = result.contact[i].point_b[k];\n        }\n"
            "        a.contact[i].separation = result.contact[i].separation;\n"
            "        a.contact[i].feature = result.contact[i].feature;\n    }\n",
            dim, (unsigned)most_of(w), dim);
}

void gjb_manifold_write_answer(FILE *f, const writing *w)
{
    const gjb_result *r = &w->o->result;
    fprintf(f, "{%u, %u, ", (unsigned)r->status, (unsigned)r->count);
    gjb_write_vector(f, r->normal);
    fputs(", {", f);
    for (uint32_t i = 0; i < GJB_CONTACTS_3D; i++) {
        fputs(i ? ",\n        {" : "{", f);
        gjb_write_vector(f, r->contact[i].point_a);
        fputs(", ", f);
        gjb_write_vector(f, r->contact[i].point_b);
        fputs(", ", f);
        gjb_write_number(f, r->contact[i].separation);
        fprintf(f, ", %uu}", (unsigned)r->contact[i].feature);
    }
    fputs("}}", f);
}
