/* The methods that can be explained, and which query each walks. */
#include <stdio.h>
#include <string.h>

#include "contenders/reference_contender.h"
#include "contenders/table.h"
#include "contenders/textbook/textbook.h"
#include "core/spelling.h"
#include "explain/explain.h"
#include "reference/reference.h"

static int walk_reference(const explain_method *method, const gjb_pair *pair, gjb_query query,
                          const gjb_trace *trace, gjb_answer *answer)
{
    ref_answer plane;
    ref_answer3 space;
    (void)method;
    if (query == GJB_INTERSECT || query == GJB_DISTANCE) { /* no depth is asked for: GJK is all of the way */
        if (pair->dim == 2)
            ref_gjk2_traced(&pair->as.plane, trace);
        else
            ref_gjk3_traced(&pair->as.space, trace);
        trace = NULL;
    }
    if (pair->dim == 2) {
        plane = ref_signed_distance2_traced(&pair->as.plane, trace);
        REF_TAKE(answer, plane, 2);
    } else {
        space = ref_signed_distance3_traced(&pair->as.space, NULL, trace);
        REF_TAKE(answer, space, 3);
    }
    if (query == GJB_MANIFOLD)
        gjb_reference_manifold(pair, answer);
    return 0;
}

static int walk_textbook(const explain_method *method, const gjb_pair *pair, gjb_query query,
                         const gjb_trace *trace, gjb_answer *answer)
{
    (void)query;
    return gjb_textbook_walk(gjb_textbook_find(method->name), pair, trace, answer);
}

enum { METHODS_MOST = 32, CONTENDERS_MOST = 256 };

/* All methods, the default first. */
static size_t methods(explain_method out[METHODS_MOST])
{
    const gjb_contender *reference = gjb_contender_find("reference");
    size_t n = 0;
    out[n++] = (explain_method){.name = "reference",
                            .about = "GJK distance (Gilbert, Johnson, Keerthi 1988) on the cores, then EPA "
                                     "(van den Bergen 2001) if they overlap, in double, both bounds kept",
                            .dims = 1u << 2 | 1u << 3,
                            .queries = GJB_AT_REST_QUERIES,
                            .contender = reference,
                            .cores_alone = 1,
                            .proves = 1,
                            .walk = walk_reference};
    for (size_t k = 0; k < gjb_textbook_count && n < METHODS_MOST; k++) {
        const gjb_contender *contender = gjb_contender_find(gjb_textbooks[k].name);
        const uint32_t walked = contender ? contender->queries & ((1u << GJB_STILL_QUERIES) - 1) : 0;
        if (walked)
            out[n++] = (explain_method){.name = contender->name,
                                    .about = contender->note,
                                    .dims = contender->dims,
                                    .queries = walked,
                                    .contender = contender,
                                    .walk = walk_textbook};
    }
    return n;
}

/* A contender that is no method with steps: it is asked. */
static int asked_method(const char *name, explain_method *method)
{
    const gjb_contender *contender = name ? gjb_contender_find(name) : NULL;
    if (!contender)
        return -1;
    *method = (explain_method){.name = contender->name,
                               .about = contender->note,
                               .dims = contender->dims,
                               .queries = contender->queries & GJB_AT_REST_QUERIES,
                               .contender = contender};
    return 0;
}

static int no_such_method(const char *name, const explain_method *all, size_t count, gjb_error *error)
{
    const char *names[CONTENDERS_MOST];
    size_t known = 0;
    for (; known < gjb_contender_count() && known < CONTENDERS_MOST; known++)
        names[known] = gjb_contender_at(known)->name;
    const char *near = gjb_nearest_name(name, names, known);
    if (near)
        return gjb_fail(error, "--method: no '%s': did you mean '%s'?", name, near);
    char list[448] = "";
    for (size_t i = 0, n = 0; i < count && n < sizeof list; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", all[i].name);
    return gjb_fail(error, "--method: no '%s'; there are %s, and the contenders that 'list' names", name, list);
}

/* The method of that name, or else the contender. */
static int find_method(const char *name, explain_method *method, gjb_error *error)
{
    explain_method all[METHODS_MOST];
    const size_t count = methods(all);
    size_t k = 0;
    while (k < count && name && strcmp(all[k].name, name))
        k++;
    if (k == count)
        return asked_method(name, method) ? no_such_method(name, all, count, error) : 0;
    *method = all[k];
    return 0;
}

/* What a scene names need not be what the method knows: then the next query that says less, else the one that says
 * most. */
static gjb_query nearest_query(const explain_method *method, gjb_query named)
{
    const int order[2] = {named, GJB_SIGNED_DISTANCE};
    for (int k = 0; k < 2; k++)
        for (int q = order[k]; q >= 0; q--)
            if (method->queries >> q & 1)
                return (gjb_query)q;
    return GJB_MANIFOLD;
}

static int choose_query(const char *query, const explain_pair *pair, const explain_method *method, gjb_query *chosen,
                        gjb_error *error)
{
    const char *wanted = query ? query : pair->scene->query;
    const gjb_query_row *row = *wanted ? gjb_query_find(wanted) : NULL;
    if (query && !row) {
        char list[128] = "";
        for (size_t q = 0, n = 0; q < GJB_QUERIES && n < sizeof list; q++)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", q ? ", " : "", gjb_queries[q].name);
        return gjb_fail(error, "--query: no query '%s'; there are %s", query, list);
    }
    if (query && row->moving)
        return gjb_fail(error, "--query %s: only queries of shapes at rest are explained", query);
    if (row && row->moving)
        return gjb_fail(error, "the pair was asked for '%s', and only queries of shapes at rest are explained: "
                        "--query distance shows it as it is at t = 0", row->name);
    if (query && !(method->queries >> row->id & 1))
        return gjb_fail(error, "--query %s: method '%s' does not answer it", query, method->name);
    *chosen = nearest_query(method, row ? row->id : GJB_SIGNED_DISTANCE);
    return 0;
}

/* A walk does not look at kinds. */
static int supports(const explain_method *method, const gjb_pair *pair)
{
    const gjb_kind a = pair->dim == 2 ? pair->as.plane.a.kind : pair->as.space.a.kind,
                   b = pair->dim == 2 ? pair->as.plane.b.kind : pair->as.space.b.kind;
    return explain_is_asked(method) || (method->contender->kinds >> a & method->contender->kinds >> b & 1);
}

int explain_method_choose(const char *name, const char *query, const explain_pair *pair, explain_method *method,
                      gjb_query *chosen, gjb_error *error)
{
    if (find_method(name, method, error))
        return -1;
    if (!(method->dims >> pair->pair.dim & 1))
        return gjb_fail(error, "--method %s is for %uD, and the pair is %uD", method->name, 5 - pair->pair.dim,
                        pair->pair.dim);
    if (!supports(method, &pair->pair))
        return gjb_fail(error, "--method %s: it does not support this pair", method->name);
    if (!method->queries)
        return gjb_fail(error, "--method %s: it answers no query of shapes at rest", method->name);
    return choose_query(query, pair, method, chosen, error);
}
