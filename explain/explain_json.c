/* A walk as JSON: each step's simplex, faces and bounds, then the answer and its proof. */
#include <math.h>

#include "core/query.h"
#include "explain/explain.h"

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *point(const double *at, uint32_t dim)
{
    json_t *array = json_array();
    for (uint32_t k = 0; k < dim; k++)
        json_array_append_new(array, number(at[k]));
    return array;
}

static json_t *vertex(const walk *steps, const gjb_trace_vertex *v, uint32_t dim)
{
    return json_pack("{sI so so so}", "number", (json_int_t)walk_number(steps, v) + 1, "w", point(v->w, dim),
                     "a", point(v->a, dim), "b", point(v->b, dim));
}

/* Vertices of simplex, faces and feature are named by their numbers. */
static json_int_t number_of(const walk *steps, const gjb_trace_step *step, uint32_t index)
{
    return (json_int_t)walk_number(steps, &step->vertices[index]) + 1;
}

static json_t *simplex(const walk *steps, const gjb_trace_step *step)
{
    json_t *array = json_array();
    for (uint32_t v = 0; v < step->vertex_count; v++)
        json_array_append_new(array, json_integer(number_of(steps, step, v)));
    return array;
}

static json_t *faces(const walk *steps, const gjb_trace_step *step)
{
    json_t *array = json_array();
    for (uint32_t f = 0; f < step->face_count; f++) {
        json_t *face = json_array();
        for (int k = 0; k < 3 && step->faces[f][k] != UINT32_MAX; k++)
            json_array_append_new(face, json_integer(number_of(steps, step, step->faces[f][k])));
        json_array_append_new(array, face);
    }
    return array;
}

static json_t *step_of(const walk *steps, const gjb_trace_step *step, uint32_t dim)
{
    json_t *out = json_pack("{ss ss}", "method", step->method, "text", step->text);
    if (step->has_direction)
        json_object_set_new(out, "direction", point(step->direction, dim));
    if (step->has_support)
        json_object_set_new(out, "support", vertex(steps, &step->support, dim));
    if (step->vertex_count)
        json_object_set_new(out, "simplex", simplex(steps, step));
    if (step->face_count)
        json_object_set_new(out, "faces", faces(steps, step));
    if (step->feature_count) {
        json_t *feature = json_array();
        for (uint32_t f = 0; f < step->feature_count; f++)
            json_array_append_new(feature, json_integer(number_of(steps, step, step->feature[f])));
        json_object_set_new(out, "feature", feature);
    }
    if (step->has_closest)
        json_object_set_new(out, "closest", point(step->closest, dim));
    if (step->has_lower)
        json_object_set_new(out, "lower", number(step->lower));
    if (step->has_upper)
        json_object_set_new(out, "upper", number(step->upper));
    return out;
}

static json_t *contacts(const gjb_answer *answer, uint32_t dim)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < answer->count; i++) {
        const gjb_contact3d *contact = &answer->contact[i];
        json_array_append_new(array, json_pack("{so so so sI}", "point_a", point(contact->point_a, dim), "point_b",
                                               point(contact->point_b, dim), "separation",
                                               number(contact->separation), "feature", (json_int_t)contact->feature));
    }
    return array;
}

static json_t *patch_of(const ref_patch *patch, uint32_t dim)
{
    json_t *corners = json_array(), *best = json_array();
    for (uint32_t i = 0; i < patch->count; i++)
        json_array_append_new(corners, json_pack("{so so so}", "point_a", point(patch->corners[i].point_a, dim),
                                                 "point_b", point(patch->corners[i].point_b, dim), "separation",
                                                 number(patch->corners[i].separation)));
    for (uint32_t i = 0; i < patch->best_count; i++)
        json_array_append_new(best, json_integer(patch->best[i]));
    return json_pack("{so so so so}", "corners", corners, "best", best, "size", number(patch->size), "share",
                     number(patch->share));
}

static json_t *answer_of(const explain_proof *proof, const gjb_answer *answer, uint32_t dim)
{
    json_t *out = json_pack("{ss si}", "status", gjb_status_name(answer->status), "iterations",
                            (int)answer->iterations);
    if (!isnan(proof->apart)) {
        json_object_set_new(out, "sigma", number(answer->sigma));
        json_object_set_new(out, "normal", point(answer->normal, dim));
        json_object_set_new(out, "point_a", point(answer->point_a, dim));
        json_object_set_new(out, "point_b", point(answer->point_b, dim));
    }
    if (!isnan(proof->apart) && gjb_queries[proof->query].has_patch)
        json_object_set_new(out, "contacts", contacts(answer, dim));
    return out;
}

static json_t *proof_of(const explain_proof *proof, uint32_t dim)
{
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"gap", proof->gap},
        {"off_a", proof->off_a},
        {"off_b", proof->off_b},
        {"apart", proof->apart},
        {"above", proof->above},
        {"inner", proof->inner},
        {"axis_gap", proof->axis_gap},
        {"lo", proof->lo},
        {"hi", proof->hi},
        {"size", proof->size},
        {"epsilon", proof->epsilon},
        {"k", proof->k},
        {"tau", proof->tau},
        {"tolerance", proof->tolerance},
        {"error_eps", proof->grade.has_value ? proof->grade.error_eps : NAN},
        {"coverage", proof->grade.has_coverage ? proof->grade.coverage : NAN},
    };
    json_t *out = json_pack("{si ss ss}", "sign", proof->sign, "verdict", gjb_verdict_name(proof->grade.verdict),
                            "fault", gjb_fault_name(proof->grade.fault));
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        json_object_set_new(out, numbers[k].key, number(numbers[k].value));
    if (proof->has_patch)
        json_object_set_new(out, "patch", patch_of(&proof->patch, dim));
    return out;
}

json_t *explain_json(json_t *context, const explain_pair *pair, const explain_method *method,
                     const explain_proof *proof, const gjb_answer *answer, const walk *steps)
{
    const uint32_t dim = pair->pair.dim;
    json_t *list = json_array(), *met = json_array();
    for (uint32_t k = 0; k < steps->met_count; k++)
        json_array_append_new(met, vertex(steps, &steps->met[k], dim));
    for (size_t k = 0; k < steps->count; k++)
        json_array_append_new(list, step_of(steps, &steps->steps[k], dim));
    return json_pack("{so ss si ss sb ss ss so so so so}", "context", context, "pair", pair->title,
                     "dim", (int)dim, "precision", gjb_precision_name(pair->scene->shapes.precision),
                     "rounded", pair->rounded, "method", method->name, "query",
                     gjb_queries[proof->query].name, "vertices", met, "steps", list, "answer",
                     answer_of(proof, answer, dim), "proof", proof_of(proof, dim));
}
