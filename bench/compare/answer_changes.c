/* Which exact counts of answers two builds differ in, in words and as JSON. */
#include "bench/compare/answer_changes.h"

/* What is exact about answers, as workers and as result files call it. */
typedef struct fact {
    const char *worker, *file, *words;
    int is_hash;
} fact;
static const fact facts[] = {
    {"fingerprint", "label", "answers", 1},
    {"mean_iterations", "mean_iterations", "iterations a pair", 0},
    {"iteration_histogram", "iteration_histogram", "iterations", 0},
    {"lane_slots", "lane_occupancy", "lane slots issued", 0},
    {"lane_live", NULL, "lane slots with work", 0},
    {"spilled", "spilled_share", "pairs repacked", 0},
    {"careful", "careful_share", "pairs by the fallback path", 0},
    {"capped", "capped_rate", "pairs at the iteration limit", 0},
    {"unsupported", NULL, "pairs not supported", 0},
    {"unwritten", "unwritten_rate", "pairs left unwritten", 0},
};
enum { FACTS = sizeof facts / sizeof *facts };

/* The value of a fact, or NULL. */
static const json_t *value_of(const json_t *answers, const fact *f)
{
    const json_t *value = json_object_get(answers, f->worker);
    return !value && f->file ? json_object_get(answers, f->file) : value;
}

static int differs(const json_t *const answers[GJB_PAIRED_SIDES], const fact *f, const json_t *values[GJB_PAIRED_SIDES])
{
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        values[s] = value_of(answers[s], f);
    return values[0] && values[1] && !json_equal(values[0], values[1]);
}

int gjb_answers_changed(const json_t *const answers[GJB_PAIRED_SIDES])
{
    const json_t *values[GJB_PAIRED_SIDES];
    for (size_t i = 0; i < FACTS; i++)
        if (differs(answers, &facts[i], values))
            return 1;
    return 0;
}

static void print_value(const json_t *value, int is_hash, FILE *stream)
{
    if (is_hash)
        fprintf(stream, "%.8s", json_string_value(value) ? json_string_value(value) : "?");
    else
        fprintf(stream, "%.6g", json_number_value(value));
}

void gjb_answers_print_changes(const json_t *const answers[GJB_PAIRED_SIDES], FILE *stream)
{
    const json_t *values[GJB_PAIRED_SIDES];
    const char *before = "    changed: ";
    for (size_t i = 0; i < FACTS; i++) {
        if (!differs(answers, &facts[i], values))
            continue;
        fprintf(stream, "%s%s", before, facts[i].words);
        before = "; ";
        if (json_is_array(values[0]))
            continue;
        fputc(' ', stream);
        print_value(values[0], facts[i].is_hash, stream);
        fputs(" -> ", stream);
        print_value(values[1], facts[i].is_hash, stream);
    }
    if (before[0] == ';')
        fputc('\n', stream);
}

json_t *gjb_answers_changes_json(const json_t *const answers[GJB_PAIRED_SIDES])
{
    const json_t *values[GJB_PAIRED_SIDES];
    json_t *changes = json_object();
    for (size_t i = 0; i < FACTS; i++)
        if (differs(answers, &facts[i], values))
            json_object_set_new(changes, facts[i].worker,
                                json_pack("[OO]", (json_t *)values[0], (json_t *)values[1]));
    return changes;
}
