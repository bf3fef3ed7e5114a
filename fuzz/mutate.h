/* Mutations of one pair that are about geometry: what makes edges parallel, faces coplanar, features touch. A
 * change of bytes finds these once in 2^24 tries and less.
 *
 * All randomness is the generator's; the same state gives the same pair on every machine, but for the
 * mutations that ask the reference where the shapes touch (`touch` and those after it), whose long doubles
 * are those of the machine. */
#ifndef GJB_FUZZ_MUTATE_H
#define GJB_FUZZ_MUTATE_H

#include "fuzz/editable_pair.h"
#include "scenes/generate/generate.h"

enum { GJB_MUTATE_VERTICES = 40 }; /* that no mutation goes beyond, if the shapes have no more already */

/* One row a mutation. */
typedef struct gjb_mutation {
    const char *name;
    const char *about;
    uint32_t dims;   /* bit d */
    uint32_t kinds;  /* bits: one of the shapes must be of these, and is what it works on */
    uint8_t moving;  /* 1: of pairs in motion alone */
    uint8_t weight;  /* how often it is drawn, relative to others */
    uint8_t crosses; /* 1: takes something of another pair */
    /* Changes `edit`, in which body `which` is of the row's kinds; `other` is of the same dimension, and NULL
     * if the row does not cross. 0, or 1 if there is nothing to do. What it leaves may be off its
     * precision, a polygon not convex, a rotation off unit length: gjb_mutation_apply mends that. */
    int (*apply)(gjb_random *r, gjb_edit *edit, uint32_t which, const gjb_edit *other);
} gjb_mutation;
extern const gjb_mutation gjb_mutations[];
extern const size_t gjb_mutation_count;
const gjb_mutation *gjb_mutation_find(const char *name); /* NULL if none */

/* Does a row apply to some shape of the pair? */
int gjb_mutation_applies(const gjb_mutation *mutation, const gjb_edit *edit);
/* Applies one row. 0: `edit` is another pair, and one that gjb_scene_check lets in, as it would be read back
 * from a file. 1: the row does not apply, or came to nothing valid; `edit` is as it was. `spare` is a second
 * edit, for its own use. */
int gjb_mutation_apply(const gjb_mutation *mutation, gjb_random *r, gjb_edit *edit, const gjb_edit *other,
                       gjb_edit *spare);
/* Draws rows until one applies and works: its row, or NULL if 64 draws came to nothing. `other` may be
 * NULL: nothing is crossed. */
const gjb_mutation *gjb_mutate(gjb_random *r, gjb_edit *edit, const gjb_edit *other, gjb_edit *spare);

#endif
