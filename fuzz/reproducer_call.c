/* Picks the library call of a failure, and writes its corners and code into a C test. */
#include "fuzz/reproducer_private.h"

#include <ctype.h>
#include <string.h>

/* fuzz/calls, embedded. */
#define EMBEDDED(name)                                                                                       \
    extern const unsigned char gjb_call_##name[];                                                            \
    extern const size_t gjb_call_##name##_size
EMBEDDED(libccd);
EMBEDDED(box2d);
EMBEDDED(bullet);
EMBEDDED(chipmunk);
EMBEDDED(fcl);
EMBEDDED(ode);
#define CODE(name) gjb_call_##name, &gjb_call_##name##_size

struct gjb_reproducer_call {
    const char *contender;
    uint32_t queries;
    const unsigned char *code;
    const size_t *size;
    const char *command;
    const char *defines;
    int boxes; /* 1: of boxes alone, without a radius */
};

enum { APART = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE, DEEP = 1u << GJB_PENETRATION };
#define CC(pc) "cc -std=c17 -DCALL THIS.c $(pkg-config --cflags --libs libgjkbench" pc ") -lm"
#define CCD CC(" ccd")
#define CXX(pc) "c++ -x c++ -DCALL THIS.c $(pkg-config --cflags --libs libgjkbench " pc ") -std=c++17"
#define DEPTHS(function, tolerance)                                                                          \
    "#define PENETRATION " function "\n#define INTERSECT ccdMPRIntersect\n#define TOLERANCE " tolerance "\n"
#define SOLVER(name, tolerance) "#define SOLVER fcl::GST_" name "\n#define TOLERANCE " tolerance "\n"
static const gjb_reproducer_call calls[] = {
    {"libccd-gjk", 1u << GJB_INTERSECT, CODE(libccd), CCD,
     "#define INTERSECT ccdGJKIntersect\n#define PENETRATION ccdGJKPenetration\n#define TOLERANCE 1e-4\n", 0},
    {"libccd-epa", DEEP, CODE(libccd), CCD, DEPTHS("ccdGJKPenetration", "1e-4"), 0},
    {"libccd-epa-tight", DEEP, CODE(libccd), CCD, DEPTHS("ccdGJKPenetration", "1e-6"), 0},
    {"libccd-mpr", DEEP | 1u << GJB_INTERSECT, CODE(libccd), CCD, DEPTHS("ccdMPRPenetration", "1e-4"), 0},
    {"libccd-mpr-tight", DEEP | 1u << GJB_INTERSECT, CODE(libccd), CCD, DEPTHS("ccdMPRPenetration", "1e-6"),
     0},
    {"box2d", APART, CODE(box2d), CXX("box2d"), "", 0},
    {"bullet-gjkepa", APART | DEEP | 1u << GJB_SIGNED_DISTANCE, CODE(bullet), CXX("bullet"), "", 0},
    {"chipmunk", DEEP | 1u << GJB_INTERSECT, CODE(chipmunk), CC("") " -lchipmunk", "", 0},
    {"ode-boxbox", DEEP | 1u << GJB_INTERSECT, CODE(ode), CC(" ode"), "", 1},
    {"fcl-libccd", APART | DEEP, CODE(fcl), CXX("fcl"), SOLVER("LIBCCD", "1e-6"), 1},
    {"fcl-libccd-tight", APART | DEEP, CODE(fcl), CXX("fcl"), SOLVER("LIBCCD", "1e-12"), 1},
    {"fcl-indep", APART | DEEP, CODE(fcl), CXX("fcl"), SOLVER("INDEP", "1e-6"), 1},
    {"fcl-indep-tight", APART | DEEP, CODE(fcl), CXX("fcl"), SOLVER("INDEP", "1e-12"), 1},
};

static int has_corners(const gjb_scene *pair)
{
    const uint32_t curved = pair->shapes.dim == 2 ? GJB_CURVED_2D : GJB_CURVED_3D;
    return !((1u << pair->shapes.kind[0] | 1u << pair->shapes.kind[1]) & (curved | 1u << GJB_AABB));
}

static int takes(const gjb_reproducer_call *call, const gjb_scene *pair)
{
    const gjb_shapes *s = &pair->shapes;
    for (int of = 0; of < 2 && call->boxes; of++)
        if (s->kind[of] != GJB_BOX || (s->precision == GJB_F32 ? (double)((const float *)s->radius)[of]
                                                               : ((const double *)s->radius)[of]) > 0)
            return 0;
    return has_corners(pair);
}

const gjb_reproducer_call *gjb_reproducer_call_of(const gjb_ask *ask, const gjb_scene *pair)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].contender, ask->contender->name) == 0 && (calls[i].queries >> ask->query & 1) &&
            takes(&calls[i], pair))
            return &calls[i];
    return NULL;
}

const char *gjb_reproducer_call_command(const gjb_reproducer_call *call)
{
    return call->command;
}

static double number(const gjb_scene *pair, uint64_t at)
{
    const gjb_shapes *s = &pair->shapes;
    return s->precision == GJB_F32 ? (double)((const float *)s->rows)[at] : ((const double *)s->rows)[at];
}

/* Of a box, which has half extents alone; of others their rows. How many. */
static uint32_t count_of(const gjb_scene *pair, uint32_t of)
{
    return pair->shapes.kind[of] == GJB_BOX ? gjb_box_corners(pair->shapes.dim) : pair->shapes.row_count[of];
}

static double coordinate(const gjb_scene *pair, uint32_t of, uint32_t corner, uint32_t axis)
{
    const uint32_t dim = pair->shapes.dim, first = pair->shapes.first[of];
    return pair->shapes.kind[of] == GJB_BOX
               ? gjb_box_corner(dim, corner, axis) * number(pair, (uint64_t)dim * first + axis)
               : number(pair, (uint64_t)dim * (first + corner) + axis);
}

static void write_corners(FILE *f, const gjb_scene *pair)
{
    const uint32_t counts[2] = {count_of(pair, 0), count_of(pair, 1)};
    fprintf(f, "static const int corner_count[2] = {%u, %u};\nstatic const double corners[2][%u][%u] = {\n",
            (unsigned)counts[0], (unsigned)counts[1],
            (unsigned)(counts[0] > counts[1] ? counts[0] : counts[1]), (unsigned)pair->shapes.dim);
    for (uint32_t of = 0; of < 2; of++) {
        fputs("    {", f);
        for (uint32_t v = 0; v < counts[of]; v++)
            for (uint32_t k = 0; k < pair->shapes.dim; k++)
                fprintf(f, "%s%a%s",
                        k   ? ", "
                        : v ? ", {"
                            : "{",
                        coordinate(pair, of, v, k), k + 1 == pair->shapes.dim ? "}" : "");
        fputs("},\n", f);
    }
    fputs("};\n", f);
}

void gjb_reproducer_call_write(FILE *f, const gjb_reproducer_call *call, const gjb_ask *ask, const gjb_scene *pair)
{
    char query[32];
    snprintf(query, sizeof query, "%s", gjb_queries[ask->query].name);
    for (char *c = query; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    fprintf(f, "#define QUERY GJB_%s\n%s", query, call->defines);
    write_corners(f, pair);
    fwrite(call->code, 1, *call->size, f);
}
