/* Inside the textbook contenders: the methods, their workspace, and their trace. */
#ifndef GJB_CONTENDERS_TEXTBOOK_PARTS_H
#define GJB_CONTENDERS_TEXTBOOK_PARTS_H

#include <math.h>

#include "contenders/textbook/textbook.h"

/* Caps, so that a hang can be counted: far beyond what a pair needs that converges. */
enum { TB_GJK_CAP = 256, TB_EPA_CAP = 1000 };
/* The tutorials' own. */
enum { TB_CA2_STEPS = 30 };

/* What the tutorials stop at. */
#define TB_EPA2_TOLERANCE 0.05
#define TB_EPA2_TIGHT 1e-5
#define TB_DISTANCE_TOLERANCE 1e-5
#define TB_EPA3_TOLERANCE 0.001f
/* By how much a second face, or an edge, has to be better than the first face: a tenth of a slop of 5 mm. */
#define TB_CLIP_PREFERENCE 0.0005

/* A method at work on a pair. Its steps report no bounds: supports in world coordinates, rounded,
 * are not points of A - B, and prove nothing. */
typedef struct tb_watch {
    const gjb_trace *trace; /* may be NULL */
    const char *method;     /* "gjk", ... */
} tb_watch;

static inline void tb_tell(const tb_watch *watch, gjb_trace_step *step)
{
    step->method = watch->method;
    watch->trace->step(watch->trace->user, step);
}

/* --- the plane ---------------------------------------------------------------- */

typedef struct tb_space2 {
    gjb_trace_vertex polygon[TB_EPA_CAP + 3];
    uint32_t edges[TB_EPA_CAP + 3][3]; /* for a trace */
} tb_space2;

typedef struct tb_walk2 {
    const gjb_pair2 *pair;
    tb_watch watch;
    unsigned supports;
} tb_walk2;

static inline tb_walk2 tb_start2(const gjb_pair2 *pair, const gjb_trace *trace, const char *method)
{
    return (tb_walk2){pair, {trace, method}, 0};
}

gjb_trace_vertex tb_search2(tb_walk2 *walk, const double direction[2]);
/* On GJB_OVERLAPPING the simplex is a triangle, its oldest vertex first. */
gjb_status tb_gjk_simplex2(tb_walk2 *walk, gjb_trace_vertex simplex[3], uint32_t *count);
/* How many vertices of the simplex an overlapping pair leaves to EPA; 0 of all others. `nearer` as for tb_dist2. */
uint32_t tb_distance2(tb_walk2 *walk, int nearer, gjb_trace_vertex simplex[3], gjb_answer *answer);
/* EPA from a simplex. */
void tb_epa_polygon2(tb_walk2 *walk, tb_space2 *space, const gjb_trace_vertex *simplex, uint32_t count,
                     double tolerance, gjb_answer *answer);
/* How far along pq the origin's projection lies, clamped to [0, 1]. */
double tb_along2(const double p[2], const double q[2]);
/* Witness points at t between two vertices. */
void tb_witness2(const gjb_trace_vertex *p, const gjb_trace_vertex *q, double t, gjb_answer *answer);

static inline double tb_dot2(const double p[2], const double q[2])
{
    return p[0] * q[0] + p[1] * q[1];
}

static inline void tb_subtract2(const double p[2], const double q[2], double out[2])
{
    out[0] = p[0] - q[0];
    out[1] = p[1] - q[1];
}

/* (p x q) x r, written as tutorials do: q (p.r) - p (q.r). */
static inline void tb_triple2(const double p[2], const double q[2], const double r[2], double out[2])
{
    const double pr = tb_dot2(p, r), qr = tb_dot2(q, r);
    out[0] = q[0] * pr - p[0] * qr;
    out[1] = q[1] * pr - p[1] * qr;
}

void tb_gjk2(const gjb_pair2 *pair, const gjb_trace *trace, gjb_answer *answer);
void tb_epa2(const gjb_pair2 *pair, double tolerance, tb_space2 *space, const gjb_trace *trace,
             gjb_answer *answer);
/* `deep` 0: overlapping pairs get a status alone. `nearer` 0: the oldest vertex goes; 1: the one
 * that the nearest point does not need. */
void tb_dist2(const gjb_pair2 *pair, int deep, int nearer, tb_space2 *space, const gjb_trace *trace,
              gjb_answer *answer);

/* toi, of a pair with motions. */
void tb_ca2(const gjb_pair2 *pair, tb_space2 *space, gjb_answer *answer);

typedef struct tb_clip_space2 {
    double at[2][GJB_MAX_VERTICES][2];
} tb_clip_space2;
/* manifold, of polygons without radii. */
void tb_clip2(const gjb_pair2 *pair, double margin, tb_clip_space2 *space, gjb_answer *answer);

/* --- space -------------------------------------------------------------------- */

typedef struct tb_body3 {
    uint32_t count;
    const float (*vertices)[3];
    float radius;
    float r[9], t[3]; /* rotation, r[3 * row + column], and translation */
} tb_body3;

typedef struct tb_pair3 {
    tb_body3 a, b;
} tb_pair3;

typedef struct tb_vertex3 {
    float w[3], a[3], b[3];
} tb_vertex3;

typedef struct tb_face3 {
    uint32_t corner[3];
    float normal[3], distance;
} tb_face3;

enum { TB_FACE_CAP = 4096 };

typedef struct tb_space3 {
    tb_vertex3 vertices[TB_EPA_CAP + 4];
    tb_face3 faces[TB_FACE_CAP];
    uint32_t edges[3 * TB_FACE_CAP][2];
    gjb_trace_vertex told[TB_EPA_CAP + 4]; /* for a trace */
    uint32_t told_faces[TB_FACE_CAP][3];
} tb_space3;

typedef struct tb_walk3 {
    const tb_pair3 *pair;
    tb_watch watch;
    unsigned supports;
} tb_walk3;

void tb_place3(tb_body3 *body, const gjb_pose3d *pose);
tb_vertex3 tb_search3(tb_walk3 *walk, const float direction[3]);
/* On GJB_OVERLAPPING the simplex is a tetrahedron, newest vertex first. */
gjb_status tb_gjk_simplex3(tb_walk3 *walk, tb_vertex3 simplex[4]);

void tb_gjk3(const tb_pair3 *pair, const gjb_trace *trace, gjb_answer *answer);
/* `in_front` 0: faces go whose normal points along the new vertex; 1: those whose plane it lies before. */
void tb_epa3(const tb_pair3 *pair, int in_front, tb_space3 *space, const gjb_trace *trace,
             gjb_answer *answer);

/* manifold in double, whose shapes are prepared in their own way. */
extern const gjb_contender tb_clip3;

static inline float tb_dot3(const float p[3], const float q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

static inline void tb_cross3(const float p[3], const float q[3], float out[3])
{
    out[0] = p[1] * q[2] - p[2] * q[1];
    out[1] = p[2] * q[0] - p[0] * q[2];
    out[2] = p[0] * q[1] - p[1] * q[0];
}

static inline void tb_subtract3(const float p[3], const float q[3], float out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = p[i] - q[i];
}

static inline gjb_trace_vertex tb_told3(const tb_vertex3 *v)
{
    gjb_trace_vertex told;
    for (int i = 0; i < 3; i++) {
        told.w[i] = v->w[i];
        told.a[i] = v->a[i];
        told.b[i] = v->b[i];
    }
    return told;
}

#endif
