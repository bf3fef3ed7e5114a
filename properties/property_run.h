/* Between running the property table and writing down what it found. */
#ifndef GJB_PROPERTIES_PROPERTY_RUN_H
#define GJB_PROPERTIES_PROPERTY_RUN_H

#include "properties/property_private.h"

/* A related pair of a group's scene, and what is claimed of it. */
typedef struct prop_claimed {
    gjb_related to;
    const gjb_property *row;
    uint32_t base;    /* the drawn pair */
    uint32_t at;      /* in the scene */
    uint32_t against; /* likewise; UINT32_MAX: the drawn pair */
    int query;        /* of the drawn pair; -1: all that the row has */
} prop_claimed;

typedef struct prop_group {
    prop_claimed *list;
    size_t count, capacity, pairs;
    gjb_scene *scene;
} prop_group;
void gjb_prop_group_free(prop_group *group);

/* Answers that were held against one another. */
typedef struct prop_case {
    prop_answer drawn, other, got;
    int against_related; /* 1: `other` is not the drawn one */
    const gjb_related *to; /* what is claimed; NULL of queries and records */
} prop_case;

/* Saves the pairs, the drawn one first, as a scene; 0, or -1: then nothing is there. */
int gjb_prop_case_save(const gjb_property_plan *plan, const gjb_property_entry *entry,
                       const gjb_property *row, const char *workload, const char *family, uint64_t pair,
                       const prop_finding *found, const prop_case *seen);

#endif
