/* Certificates: what is claimed of a pair, and a proof that a small exact checker can follow.
 * docs/certificates.md states each kind with its lemma; the library is gjkcert (core, GMP, MPFR and
 * Jansson, nothing else of this room).
 *
 * Frame: world axes about A's translation, lengths in world units; in 2D third coordinates are 0.
 * D = { b - a } of the cores, R the sum of the radii; sigma = sigma(D) - R, whichever its sign. All
 * numbers of a certificate are doubles and mean exactly what they are: a direction of any length, weights
 * of any sum. So what its maker rounded makes it less tight, and never less true.
 *
 * Corners are numbered per shape: the vertices of a core that has them, as gjb_scene_pair expands them;
 * of a curved core, which has none, the certificate's own `inner` points, in local coordinates, each of
 * which is checked to lie in the core. */
#ifndef REF_CERTIFICATE_H
#define REF_CERTIFICATE_H

#include <stdbool.h>

#include "core/error.h"
#include "scenes/scene.h"

/* A point of a core: the mean of its corners by weights >= 0. */
typedef struct ref_terms {
    uint32_t count;
    uint32_t *index;
    double *weight;
} ref_terms;

/* Zero is the certificate that claims 0 <= sigma <= 0 and proves nothing: begin with ref_certificate_open.
 * It owns its arrays. */
typedef struct ref_certificate {
    /* What is claimed. A depth of at least d is hi = -d, of at most d lo = -d. */
    double lo, hi; /* lo <= sigma <= hi; infinite: nothing */
    int sign;      /* 1: apart, sigma > 0; -1: overlapping, sigma <= 0; 0: nothing */
    bool has_witness;
    double witness[2][3], off; /* points, of A and of B, each at most `off` from its shape */

    /* What proves it. Any of them may be missing. */
    bool has_direction;
    double direction[3]; /* from A to B; proves sigma >= its support gap */
    /* Of a pair with a half-space, in place of a direction: how far the other core is above the plane. Its point alone
     * is in `points`, and there is neither simplex nor surface. */
    bool has_plane;
    uint32_t inner_count[2];
    double (*inner[2])[3];
    ref_terms points[2];    /* one of each core: sigma is at most their distance less R; both or neither. On a
                               half-space the other core's alone: its height above the plane less R */
    uint32_t simplex_count; /* up to 4 vertices of D, by corner of A and of B, that hold the origin */
    uint32_t simplex[4][2];
    /* A closed surface of vertices of D that winds about the origin: in 2D of edges, third index 0. */
    uint32_t vertex_count, face_count;
    uint32_t (*vertices)[2], (*faces)[3];
} ref_certificate;

void ref_certificate_open(ref_certificate *c); /* claims and proves nothing */
void ref_certificate_close(ref_certificate *c);

/* What a file may hold: inner points of a shape and terms of a point; vertices and faces of a polytope. */
enum { REF_CERTIFICATE_POINTS = 4096, REF_CERTIFICATE_VERTICES = 1 << 20, REF_CERTIFICATE_FACES = 1 << 21 };

/* What the checker found. */
typedef struct ref_certified {
    bool accepted;    /* every part of the proof holds, and together they imply all that is claimed */
    double lo, hi;    /* proven: lo <= sigma <= hi, rounded outwards; infinite if nothing was */
    int sign;         /* proven: 1 sigma > 0, -1 sigma <= 0, 0 neither */
    char reason[256]; /* where refused: the step that failed, and why, in one line */
} ref_certified;

/* Follows the proof in exact arithmetic. Numbers of the pair are finite, shapes not empty, quaternions not
 * 0, as gjb_scene_check has it; everything else is looked at here. Parts that hold count in lo and hi even
 * if another one fails. Thread-safe. Ends the program when memory does not suffice, as GMP does. */
void ref_certificate_check(const gjb_pair *pair, const ref_certificate *certificate, ref_certified *verdict);

/* A certificate from a file, with the pair that it is about. */
typedef struct ref_certificate_file {
    gjb_scene *scene; /* of one pair, checked */
    char by[64];      /* who answered; "" if it is not said */
    char about[160];  /* free text */
    ref_certificate certificate;
} ref_certificate_file;

/* "-": standard input. A pair that is named and not held is looked for in the folder of `path`, and must have
 * the hash. 0, or -1 with one line in `error` that names file, field and value; close it either way. */
int ref_certificate_load(const char *path, ref_certificate_file *file, gjb_error *error);
/* The same from memory; `name` is the file's in errors. */
int ref_certificate_parse(const void *bytes, size_t size, const char *name, ref_certificate_file *file,
                          gjb_error *error);
void ref_certificate_file_close(ref_certificate_file *file);
/* Numbers round-trip exactly. 0, or -1 with `error`. */
int ref_certificate_save(const ref_certificate_file *file, const char *path, gjb_error *error);
/* The same as text, which the caller frees; NULL when memory does not suffice. */
char *ref_certificate_text(const ref_certificate_file *file);

#endif
