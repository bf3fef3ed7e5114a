/* Asks a contender for one pair of a scene: its answer is known then, and none of its steps. */
#include <stdlib.h>
#include <string.h>

#include "contenders/harness.h"
#include "explain/explain.h"

int explain_is_asked(const explain_method *method)
{
    return method->walk == NULL;
}

/* The scene's own, if the contender has it. */
static gjb_precision precision_for(const gjb_contender *contender, const gjb_scene *scene)
{
    const gjb_precision own = (gjb_precision)scene->shapes.precision;
    return contender->precisions >> own & 1 ? own : contender->precisions >> GJB_F64 & 1 ? GJB_F64 : GJB_F32;
}

/* The scene that a contender is given: that pair, without a margin unless contacts are asked for. */
static gjb_scene *scene_for(const explain_method *method, const explain_pair *pair, gjb_query query, gjb_error *error)
{
    gjb_scene *alone = gjb_scene_extract(pair->scene, pair->frame, pair->index), *scene = NULL;
    if (alone) {
        alone->within = 0;
        if (!gjb_queries[query].has_patch)
            alone->margin = 0;
        scene = gjb_scene_convert(alone, precision_for(method->contender, pair->scene));
    }
    gjb_scene_free(alone);
    if (!scene) {
        gjb_fail(error, "out of memory");
        return NULL;
    }
    if (gjb_scene_check(scene, pair->title, error) == 0)
        return scene;
    gjb_scene_free(scene);
    return NULL;
}

/* Contacts beyond those that fit are none. */
static gjb_answer answer_of(gjb_query query, const gjb_result *result, uint32_t dim)
{
    const uint32_t most = dim == 2 ? GJB_CONTACTS_2D : GJB_CONTACTS_3D;
    gjb_answer answer = {.status = result->status, .iterations = result->iterations,
                         .count = result->count < most ? result->count : most};
    answer.sigma = query == GJB_PENETRATION ? -result->value : result->value;
    memcpy(answer.normal, result->normal, sizeof answer.normal);
    memcpy(answer.point_a, result->point_a, sizeof answer.point_a);
    memcpy(answer.point_b, result->point_b, sizeof answer.point_b);
    memcpy(answer.contact, result->contact, sizeof answer.contact);
    return answer;
}

/* What came of it, if that is no answer. */
static int refuse(const explain_method *method, gjb_query query, const gjb_result *result, const char *mishap,
                  gjb_error *error)
{
    return gjb_fail(error, "--method %s: no answer to %s: it %s", method->name, gjb_queries[query].name,
                    result->status == GJB_UNSUPPORTED ? "does not support this pair"
                    : *mishap                         ? mishap
                                                      : "left the record unwritten");
}

int explain_ask(const explain_method *method, const explain_pair *pair, gjb_query query, gjb_answer *answer,
                gjb_result *result, char mishap[GJB_MISHAP_TEXT], gjb_error *error)
{
    gjb_manifold3d record; /* the largest of all */
    gjb_session_stats stats;
    gjb_scene *scene = scene_for(method, pair, query, error);
    if (!scene)
        return -1;
    *mishap = '\0';
    gjb_session *session = gjb_session_open(method->contender, NULL, scene, 1, error);
    int failed = !session;
    if (session) {
        gjb_session_run(session, query, 0, 0, 1, 0, 1, &record, &stats);
        *result = gjb_result_get(query, (gjb_precision)scene->shapes.precision, scene->shapes.dim, &record, 0);
        *answer = answer_of(query, result, scene->shapes.dim);
        size_t count = 0;
        const gjb_finding *found = gjb_session_findings(session, &count);
        if (count)
            gjb_finding_text(&found[0], mishap);
        if (stats.interrupted)
            failed = gjb_fail(error, "interrupted");
        else if (result->status == GJB_UNWRITTEN || result->status == GJB_UNSUPPORTED)
            failed = refuse(method, query, result, mishap, error);
    }
    gjb_session_close(session);
    gjb_scene_free(scene);
    return failed ? -1 : 0;
}
