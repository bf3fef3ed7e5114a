/* What `import` does with one mesh: its hull, and what is said of both. */
#include <math.h>
#include <string.h>

#include "cli/tools/import.h"

static const char *const span_names[] = {"a single point", "on one line", "flat"};

const char *import_many(unsigned long long count, const char *one, const char *more)
{
    static char texts[8][48];
    static unsigned next;
    char *text = texts[next++ % 8];
    snprintf(text, sizeof texts[0], "%llu %s", count, count == 1 ? one : more);
    return text;
}

/* How far from convex: the mesh's own volume against its hull's. */
static void print_convexity(FILE *text, const gjb_mesh *mesh, double own, const gjb_hull3 *hull)
{
    enum { DIGITS = 6 };
    const double share = own / hull->volume;
    if (hull->dimension < 3 || mesh->face_count == 0)
        return;
    if (mesh->twisted_edges)
        fprintf(text, "  note: faces disagree on what is inside, at %s\n",
                import_many(mesh->twisted_edges, "edge", "edges"));
    if (mesh->open_edges || mesh->crowded_edges || mesh->twisted_edges)
        fputs("  note: how far from convex the mesh is, is not known: its faces enclose no volume\n", text);
    else if (share > 1.001)
        fprintf(text, "  note: parts of the mesh overlap: together they have %.4g%% of the hull's volume\n",
                100 * share);
    else
        fprintf(text, "  %s: the mesh's own volume is %.*g, %.4g%% of its hull's\n",
                share < 0.999 ? "note: not convex" : "convex", DIGITS, own, 100 * share);
}

static void print_notes(FILE *text, const gjb_mesh *mesh, double own, const gjb_hull3 *hull)
{
    if (mesh->face_count == 0)
        fputs("  note: no faces; the hull of the bare points is taken\n", text);
    if (mesh->open_edges)
        fprintf(text, "  note: the mesh is open (%s); its convex hull is used\n",
                import_many(mesh->open_edges, "boundary edge", "boundary edges"));
    if (mesh->crowded_edges)
        fprintf(text, "  note: not manifold: %s between more than two faces; its convex hull is used\n",
                import_many(mesh->crowded_edges, "edge lies", "edges lie"));
    if (hull->dimension < 3)
        fprintf(text, "  note: no volume: the points are %s, and so is the hull\n", span_names[hull->dimension]);
    print_convexity(text, mesh, own, hull);
}

/* How far from the hull's middle its farthest vertex lies, to judge a deviation by. */
static double size_of(const gjb_hull3 *hull)
{
    double middle[3] = {0, 0, 0}, most = 0;
    for (uint32_t i = 0; i < 3 * hull->vertex_count; i++)
        middle[i % 3] += hull->vertices[i / 3][i % 3] / hull->vertex_count;
    for (uint32_t i = 0; i < hull->vertex_count; i++) {
        const double *v = hull->vertices[i];
        most = fmax(most, hypot(hypot(v[0] - middle[0], v[1] - middle[1]), v[2] - middle[2]));
    }
    return most;
}

/* Replaces the hull by one of fewer vertices. */
static int simplify(const import_request *wanted, gjb_hull3 *hull, gjb_error *error)
{
    if (wanted->vertices == 0 || hull->vertex_count <= wanted->vertices)
        return 0;
    gjb_hull3 less;
    double deviation;
    if (gjb_hull3_simplify(hull, (uint32_t)wanted->vertices, &less, &deviation, error))
        return -1;
    fprintf(wanted->text,
            "  simplified: %u vertices, %u triangles, volume %.6g, deviation %.4g (%.3g%% of its radius)\n",
            less.vertex_count, less.triangle_count, less.volume, deviation, 100 * deviation / size_of(hull));
    gjb_hull3_free(hull);
    *hull = less;
    return 0;
}

int import_hull(const char *label, gjb_mesh *mesh, const import_request *wanted, gjb_hull3 *hull, gjb_error *error)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++)
        mesh->points[i / 3][i % 3] *= wanted->scale;
    if (gjb_hull3_make((const double(*)[3])mesh->points, mesh->point_count, hull, error))
        return -1;
    fprintf(wanted->text, "%s: %s, %s, %s; hull of %s, %s, volume %.6g\n", label, mesh->format,
            import_many(mesh->point_count, "point", "points"), import_many(mesh->face_count, "face", "faces"),
            import_many(hull->vertex_count, "vertex", "vertices"),
            import_many(hull->triangle_count, "triangle", "triangles"), hull->volume);
    print_notes(wanted->text, mesh, mesh->volume * wanted->scale * wanted->scale * wanted->scale, hull);
    if (simplify(wanted, hull, error))
        return -1;
    return hull->vertex_count <= GJB_MAX_VERTICES
               ? 0
               : gjb_fail(error, "%s: hull vertices: %u, a shape has at most %u: simplify with --vertices", label,
                          hull->vertex_count, GJB_MAX_VERTICES);
}
