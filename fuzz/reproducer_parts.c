/* Parts that C tests of failures share: proofs about points, numbers, supports, and checks of a status. */
#include <math.h>

#include "fuzz/reproducer_private.h"
#include "grading/bounds_path.h"

/* A point instead of the other shape: their gap along an axis is what the axis proves of the point. */
static void put_point(const gjb_pair *pair, int of_b, const double point[3], gjb_pair *out)
{
    static const double origin[1][3] = {{0}};
    *out = *pair;
    if (pair->dim == 2) {
        const gjb_pose2d a = pair->as.plane.a.pose;
        gjb_body2 *shape = &out->as.plane.a, *other = &out->as.plane.b;
        if (of_b)
            *shape = pair->as.plane.b;
        shape->pose.x = of_b ? shape->pose.x - a.x : 0;
        shape->pose.y = of_b ? shape->pose.y - a.y : 0;
        *other = (gjb_body2){.kind = GJB_POINT, .count = 1, .vertices = (const double(*)[2])origin};
        other->pose = (gjb_pose2d){point[0], point[1], 1, 0};
        return;
    }
    const gjb_pose3d a = pair->as.space.a.pose;
    gjb_body3 *shape = &out->as.space.a, *other = &out->as.space.b;
    if (of_b)
        *shape = pair->as.space.b;
    shape->pose.x = of_b ? shape->pose.x - a.x : 0;
    shape->pose.y = of_b ? shape->pose.y - a.y : 0;
    shape->pose.z = of_b ? shape->pose.z - a.z : 0;
    *other = (gjb_body3){.kind = GJB_POINT, .count = 1, .vertices = origin};
    other->pose = (gjb_pose3d){.x = point[0], .y = point[1], .z = point[2], .qw = 1};
}

/* The axis that shows best how far a point is off its shape: the distance grows fastest along it. Steps are as
 * long as the nearest feature stays the same, which is not known. 1 if it is more than T. */
int gjb_find_way_out(const writing *w, const gjb_pair *pair, int of_b, const double point[3], double out[3])
{
    gjb_pair alone;
    gjb_placed_pair placed = {0};
    put_point(pair, of_b, point, &alone);
    if (gjb_place_pair(&placed, &alone))
        return 0;
    const long double at[3] = {point[0], point[1], point[2]}, off = gjb_point_distance(&placed, 0, at);
    long double best = 0;
    for (int halvings = 1; halvings < 32 && off > w->o->tolerance; halvings += 3) {
        const long double step = ldexpl(off, -halvings);
        long double way[3] = {0}, length = 0;
        for (uint32_t k = 0; k < pair->dim; k++) {
            long double on[3] = {at[0], at[1], at[2]}, back[3] = {at[0], at[1], at[2]};
            on[k] += step;
            back[k] -= step;
            way[k] = gjb_point_distance(&placed, 0, on) - gjb_point_distance(&placed, 0, back);
            length += way[k] * way[k];
        }
        for (int k = 0; k < 3; k++)
            way[k] = (double)(way[k] / sqrtl(length));
        const long double gap = length > 0 ? gjb_support_gap(&placed, way) : 0;
        for (int k = 0; k < 3 && gap > best; k++)
            out[k] = (double)way[k];
        best = fmaxl(best, gap);
    }
    gjb_placed_free(&placed);
    return best > w->o->tolerance + w->error;
}

int gjb_gives_normal(const writing *w)
{
    return !(w->ask->contender->no_normal >> w->ask->query & 1);
}

int gjb_gives_points(const writing *w)
{
    return !(w->ask->contender->no_points >> w->ask->query & 1);
}

void gjb_write_number(FILE *f, double value)
{
    if (isfinite(value))
        fprintf(f, "%a", value);
    else
        fputs(isnan(value) ? "NAN" : value > 0 ? "INFINITY" : "-INFINITY", f);
}

void gjb_write_vector(FILE *f, const double v[3])
{
    for (int k = 0; k < 3; k++) {
        fputs(k ? ", " : "{", f);
        gjb_write_number(f, v[k]);
    }
    fputc('}', f);
}

static int has_kind(const writing *w, gjb_kind one, gjb_kind other)
{
    const uint8_t *kind = w->pair->shapes.kind;
    return kind[0] == one || kind[1] == one || kind[0] == other || kind[1] == other;
}

/* Of a half-space along its normal; along another direction it is charged for how far that leaves the plane, which is
 * without end: by as much as 16 translations and lengths are large. */
static void write_plane_support(FILE *f, unsigned dim)
{
    fprintf(f,
            "    if (kind[i] == GJB_HALFSPACE) {\n"
            "        const long double *c = local, offset = rows[first[i] + 1][0];\n"
            "        long double length = 0, along = 0, square = 0, off[3] = {0};\n"
            "        for (int k = 0; k < %u; k++)\n"
            "            length += (long double)rows[first[i]][k] * rows[first[i]][k];\n"
            "        for (int k = 0; k < %u; k++)\n"
            "            along += c[k] * rows[first[i]][k] / sqrtl(length);\n"
            "        for (int k = 0; k < %u; k++) {\n"
            "            off[k] = c[k] - along * rows[first[i]][k] / sqrtl(length);\n"
            "            square += off[k] * off[k];\n"
            "        }\n"
            "        long double wide = fabsl(offset) + fabsl(away[0]) + fabsl(away[1]) + fabsl(away[2]);\n"
            "        for (uint32_t v = first[1 - i]; v < first[1 - i] + row_count[1 - i]; v++)\n"
            "            for (int k = 0; k < %u; k++)\n"
            "                wide += fabsl(rows[v][k]);\n"
            "        most = along > 0 ? along * offset + wide * sqrtl(square) : 16 * wide;\n"
            "    }\n",
            dim, dim, dim, dim);
}

/* Support of the shapes, of the kinds that there are. */
void gjb_write_support(FILE *f, const writing *w)
{
    const unsigned dim = (unsigned)w->pair->shapes.dim;
    fputs("\n/* How far shape i reaches along n, from A's translation. */\n"
          "static long double reach(int i, const long double n[3])\n{\n",
          f);
    fputs(dim == 2
              ? "    const long double c = poses[i].c, s = poses[i].s;\n"
                "    const long double R[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};\n"
                "    const long double away[3] = {(long double)poses[i].x - poses[0].x, (long "
                "double)poses[i].y - "
                "poses[0].y, 0};\n"
              : "    const long double x = poses[i].qx, y = poses[i].qy, z = poses[i].qz, w = poses[i].qw;\n"
                "    const long double q = x * x + y * y + z * z + w * w;\n"
                "    const long double R[3][3] = {\n"
                "        {(w * w + x * x - y * y - z * z) / q, 2 * (x * y - w * z) / q, 2 * (x * z + w * y) "
                "/ q},\n"
                "        {2 * (x * y + w * z) / q, (w * w - x * x + y * y - z * z) / q, 2 * (y * z - w * x) "
                "/ q},\n"
                "        {2 * (x * z - w * y) / q, 2 * (y * z + w * x) / q, (w * w - x * x - y * y + z * z) "
                "/ q}};\n"
                "    const long double away[3] = {(long double)poses[i].x - poses[0].x, (long "
                "double)poses[i].y - "
                "poses[0].y,\n"
                "                                 (long double)poses[i].z - poses[0].z};\n",
          f);
    const int box = has_kind(w, GJB_BOX, GJB_BOX), round = has_kind(w, GJB_ELLIPSE, GJB_ELLIPSOID),
              power = has_kind(w, GJB_SUPERELLIPSE, GJB_SUPERELLIPSOID);
    fputs("    long double local[3], most = -INFINITY;\n"
          "    for (int k = 0; k < 3; k++)\n"
          "        local[k] = R[0][k] * n[0] + R[1][k] * n[1] + R[2][k] * n[2];\n",
          f);
    if (box || round || power)
        fprintf(f,
                "    long double size[3] = {0};\n"
                "    for (int k = 0; k < %u; k++)\n"
                "        size[k] = fabsl(local[k] * rows[first[i]][k]);\n",
                dim);
    fprintf(f,
            "    for (uint32_t v = first[i]; v < first[i] + row_count[i]; v++) {\n"
            "        long double along = 0;\n"
            "        for (int k = 0; k < %u; k++)\n"
            "            along += local[k] * rows[v][k];\n"
            "        most = fmaxl(most, along);\n"
            "    }\n",
            dim);
    if (box)
        fputs("    if (kind[i] == GJB_BOX)\n        most = size[0] + size[1] + size[2];\n", f);
    if (round)
        fputs("    if (kind[i] == GJB_ELLIPSE || kind[i] == GJB_ELLIPSOID)\n"
              "        most = hypotl(hypotl(size[0], size[1]), size[2]);\n",
              f);
    if (power)
        fputs("    if (kind[i] == GJB_SUPERELLIPSE || kind[i] == GJB_SUPERELLIPSOID) {\n"
              "        const long double p = rows[first[i] + 1][0], dual = p / (p - 1);\n"
              "        long double sum = 0;\n"
              "        most = fmaxl(fmaxl(size[0], size[1]), size[2]);\n"
              "        for (int k = 0; k < 3 && most > 0 && p > 1; k++)\n"
              "            sum += powl(size[k] / most, dual);\n"
              "        most *= sum > 0 ? powl(sum, 1 / dual) : 1;\n"
              "    }\n",
              f);
    if (has_kind(w, GJB_CYLINDER, GJB_CONE))
        fputs("    const long double side = rows[first[i]][0] * hypotl(local[0], local[1]), up = "
              "rows[first[i]][1] * "
              "local[2];\n"
              "    if (kind[i] == GJB_CYLINDER)\n        most = side + fabsl(up);\n"
              "    if (kind[i] == GJB_CONE)\n        most = fmaxl(up, side - up);\n",
              f);
    if (has_kind(w, GJB_HALFSPACE, GJB_HALFSPACE))
        write_plane_support(f, dim);
    fputs("    for (int k = 0; k < 3; k++)\n        most += n[k] * away[k];\n"
          "    return most + radius[i] * sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);\n}\n",
          f);
}

double gjb_written_within(const writing *w)
{
    return gjb_queries[w->ask->query].has_within ? w->pair->within : 0;
}

void gjb_write_status_checks(FILE *f, const writing *w)
{
    const gjb_query_row *row = &gjb_queries[w->ask->query];
    fprintf(f,
            "    if (a->status != GJB_SEPARATED && a->status != GJB_OVERLAPPING%s)\n"
            "        failed = printf(\"%%s: status %%u is no answer\\n\", who, a->status);\n",
            row->moving ? " && a->status != GJB_HIT" : "");
    if (row->moving)
        fputs(
            "    if (a->status == GJB_SEPARATED && latest <= 1)\n"
            "        failed = printf(\"%s: separated, and they meet\\n\", who);\n"
            "    if (a->status == GJB_OVERLAPPING && soonest > 0)\n"
            "        failed = printf(\"%s: overlapping, and they are apart until %.17g\\n\", who, soonest);\n"
            "    if (a->status == GJB_HIT && starts_deep)\n"
            "        failed = printf(\"%s: a hit, and they overlap at the start\\n\", who);\n"
            "    if (a->status == GJB_HIT && !(a->value >= 0 && a->value <= 1))\n"
            "        failed = printf(\"%s: %.17g is no time of the step\\n\", who, a->value);\n"
            "    if (a->status == GJB_HIT && a->value > latest)\n"
            "        failed = printf(\"%s: at %.17g, too late: %.17g\\n\", who, a->value, latest);\n"
            "    if (a->status == GJB_HIT && a->value < soonest)\n"
            "        failed = printf(\"%s: at %.17g, too early: %.17g\\n\", who, a->value, soonest);\n",
            f);
    else if (gjb_written_within(w) > 0 && !row->has_value)
        fputs("    if (a->status == GJB_OVERLAPPING && lo - (long double)within > T)\n"
              "        failed = printf(\"%s: overlapping, and they are %.17g apart\\n\", who, lo);\n"
              "    if (a->status == GJB_SEPARATED && hi - (long double)within < -T)\n"
              "        failed = printf(\"%s: separated, and they are %.17g apart at most\\n\", who, hi);\n",
              f);
    else
        fputs("    if (a->status == GJB_OVERLAPPING && lo > T)\n"
              "        failed = printf(\"%s: overlapping, and they are %.17g apart\\n\", who, lo);\n"
              "    if (a->status == GJB_SEPARATED && hi < -T)\n"
              "        failed = printf(\"%s: separated, and they are %.17g deep\\n\", who, -hi);\n",
              f);
}

void gjb_write_misses(FILE *f, const writing *w)
{
    fprintf(f,
            "static int misses(const char *who, const char *name, const double *field, int count, int "
            "defined)\n"
            "{\n"
            "    for (int k = 0; k < count; k++)\n"
            "        if (!isfinite(field[k]) || %s)\n"
            "            return printf(\"%%s: %%s: %%g\\n\", who, name, field[k]);\n"
            "    return 0;\n}\n\n",
            w->ask->contender->ours ? "(field[k] == 0 ? signbit(field[k]) : !defined)"
                                    : "(!defined && (field[k] != 0 || signbit(field[k])))");
}
