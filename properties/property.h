/* Metamorphic relations: what right answers keep among themselves, whatever the truth of the single pair is.
 * One table, applied to every contender, query, precision and kind of shape that a row claims.
 *
 * A row makes pairs that are related to a drawn one. What an answer says of sigma is an interval: a signed
 * distance v says v, "overlapping" of `distance` and `intersect` says sigma <= 0, "separated" of `penetration`
 * and `intersect` says sigma >= 0, `manifold` of an overlap says that sigma is its least separation, and apart that it
 * is at least that, each give or take T of that very answer (grading/grade.h). A relation is violated
 * if intervals contradict one another beyond the T of every answer involved and what the rounding of the
 * related pair's numbers may have moved sigma by, which is computed for each pair. Booleans that contradict one
 * another count if every pair involved is proven to lie outside its band. Times count if one of the two,
 * read as the answer to the drawn pair, is right and the other is not (grading/grade.h says when a time is right). */
#ifndef GJB_PROPERTIES_PROPERTY_H
#define GJB_PROPERTIES_PROPERTY_H

#include <jansson.h>
#include <signal.h>
#include <stdio.h>

#include "contenders/harness.h"
#include "core/error.h"
#include "scenes/generate/generate.h"

struct gjb_related;
struct gjb_drawn;

/* Which pairs a row meets. */
typedef enum gjb_property_pairs {
    GJB_STILL_PAIRS = 1,
    GJB_MOVING_PAIRS = 2,
    GJB_ALL_PAIRS = 3
} gjb_property_pairs;

/* What a row compares. */
typedef enum gjb_property_way {
    GJB_BY_RELATED, /* answers to pairs that `make` relates to the drawn one */
    GJB_BY_ANSWER,  /* the same, made from the contender's answer to it */
    GJB_BY_QUERY,   /* answers of one contender to several queries about the drawn pair */
    GJB_BY_REPEAT,  /* records of the drawn pairs, byte by byte: asked again, in the same session, */
    GJB_BY_SESSION, /* in another one, */
    GJB_BY_ORDER,   /* backwards, */
    GJB_BY_CALL,    /* in calls of 1, 3 and 7, */
    GJB_BY_LANE,    /* each at another place among other neighbours, */
    GJB_BY_THREAD,  /* on three threads, */
    GJB_BY_BACKEND  /* on the contender's first backend */
} gjb_property_way;

typedef struct gjb_property {
    const char *name;      /* as on the command line */
    const char *statement; /* one line */
    const char *where;     /* to which of the pairs it applies */
    const char *allowed;   /* its tolerance, where T of each answer is meant by "T" */
    const char *why;       /* that tolerance */
    uint32_t queries;      /* of the drawn pair, a bit each */
    uint8_t dims;          /* of the drawn pair, a bit each */
    uint8_t pairs;         /* gjb_property_pairs */
    uint8_t way;           /* gjb_property_way */
    uint8_t bits;          /* 1: records of ours that have backends are held to the very bits; those of others to a tolerance */
    uint8_t related;       /* how many pairs `make` relates to one */
    uint8_t lifts;         /* 1: these are of space, the drawn one of the plane */
    /* Related pair `which`; `to` starts as the drawn one. 0: there is none. Not of GJB_BY_QUERY and beyond. */
    int (*make)(const struct gjb_drawn *from, unsigned which, gjb_random *random, struct gjb_related *to);
    /* The record that a related pair must have, from that of the drawn one, if bits are promised; NULL: the same. */
    void (*carry)(const struct gjb_related *to, gjb_result *result);
} gjb_property;

extern const gjb_property gjb_properties[];
extern const size_t gjb_property_count;
const gjb_property *gjb_property_find(const char *name); /* NULL if none */

typedef struct gjb_property_entry {
    const gjb_contender *contender;
    const char *backend; /* NULL for its only or widest way */
} gjb_property_entry;

/* What came of a property of one entry, dimension, precision and query. */
typedef struct gjb_property_tally {
    uint64_t checked, violated;
    uint64_t
        mute; /* pairs that got no answer although another of the relation did: capped, refused, not written */
    uint64_t ungraded; /* contradicting booleans of pairs that may lie within the band, and all of these: */
    uint64_t too_slow; /* to judge: a truth took more than a pair has (reference/effort.h) */
    double
        worst_eps; /* largest contradiction, in units of eps S, less what rounding of inputs accounts for; of times 0 */
    uint32_t saved;
} gjb_property_tally;

typedef struct gjb_property_plan {
    const gjb_property_entry *entries;
    size_t entry_count;
    const char *const *workloads[2]; /* [dim - 2] names that the dimension has, NULL-terminated; none: NULL */
    const gjb_family *const *families;
    size_t family_count;
    const uint8_t *taken; /* [gjb_property_count] 1: this one; NULL: all */
    uint32_t queries, precisions, dims;
    uint64_t pairs; /* drawn per dimension and precision, of those at rest and of those in motion each */
    uint64_t seed;
    double margin;   /* of manifold, of all pairs: what is claimed does not depend on it */
    double within;   /* of intersect and distance, likewise */
    const char *out; /* folder for violating pairs, made when the first comes; NULL: none are saved */
    const volatile sig_atomic_t *stop;
    void (*progress)(uint64_t done, uint64_t total);
} gjb_property_plan;
enum { GJB_PROPERTY_SAVED = 3 };      /* pairs of an entry, property, dimension, precision and query */
enum { GJB_PROPERTY_VERTICES = 256 }; /* of a shape, at most */

typedef struct gjb_property_report {
    const gjb_property_plan *plan; /* borrowed */
    gjb_property_tally *tallies;   /* by gjb_property_at */
    uint64_t drawn;                /* pairs */
    int interrupted;
    char too_slow_first[160]; /* a pair that was too slow to judge, or "" */
} gjb_property_report;

/* NULL with one line in `error`. Free it. */
gjb_property_report *gjb_property_run(const gjb_property_plan *plan, gjb_error *error);
void gjb_property_free(gjb_property_report *report);
gjb_property_tally *gjb_property_at(const gjb_property_report *report, size_t entry, size_t property,
                                    uint32_t dim, gjb_precision precision, gjb_query query);
/* The sum over dimensions, precisions and queries. */
gjb_property_tally gjb_property_sum(const gjb_property_report *report, size_t entry, size_t property);
/* Has one of ours violated a relation, or not answered? */
int gjb_property_failed(const gjb_property_report *report);

void gjb_property_print(const gjb_property_report *report, FILE *stream, const char *bad, const char *plain);
json_t *gjb_property_json(const gjb_property_report *report);
/* The table itself: for people, as the page docs/properties.md, as JSON. */
void gjb_property_list(FILE *stream, const uint8_t *taken);
void gjb_property_markdown(FILE *stream);
json_t *gjb_property_list_json(const uint8_t *taken);

#endif
