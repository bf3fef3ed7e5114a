/* What belongs to a failure: a line, a file for replay. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "fuzz/hunt.h"
#include "scenes/hash.h"

void gjb_failure_name(const gjb_ask *ask, const char *what, const gjb_scene *pair, char name[GJB_FAILURE_NAME])
{
    snprintf(name, GJB_FAILURE_NAME, "%s-%ud-%s-%s-%s-%08x", ask->contender->name, (unsigned)pair->shapes.dim,
             gjb_queries[ask->query].name, gjb_precision_name((gjb_precision)pair->shapes.precision), what,
             (unsigned)gjb_scene_hash(pair));
    for (char *c = name; *c; c++)
        if (*c == ' ' || *c == '_')
            *c = '-';
}

static void truth_words(const gjb_ask *ask, const gjb_scene *pair, const gjb_outcome *o, char *text, size_t size)
{
    if (gjb_queries[ask->query].moving && isnan(o->truth))
        snprintf(text, size, "they stay apart");
    else if (gjb_queries[ask->query].moving)
        snprintf(text, size, "apart until t = %.9g", o->truth);
    else if (fabs(o->hi - o->lo) <= 1e-9 * fmax(fabs(o->lo), fabs(o->hi)))
        snprintf(text, size, "sigma = %.9g", 0.5 * o->lo + 0.5 * o->hi);
    else
        snprintf(text, size, "sigma in [%.9g, %.9g]", o->lo, o->hi);
    const size_t length = strlen(text);
    if (gjb_queries[ask->query].has_within && pair->within > 0)
        snprintf(text + length, size - length, ", asked within %.9g", pair->within);
    if (gjb_queries[ask->query].has_leaving && pair->leaving)
        snprintf(text + length, size - length, ", a contact that is left is ignored");
}

/* By how much, in what the check that failed measures. */
static void off_words(const gjb_outcome *o, char *text, size_t size)
{
    const gjb_grade *g = &o->grade;
    char length[GJB_LENGTH_TEXT];
    if (o->symptom == GJB_FAULT_LENGTH)
        snprintf(text, size, ": the normal's length is %s, granted are %.2g", gjb_length_text(g, length),
                 4 * o->epsilon);
    else if (o->symptom == GJB_FAULT_PATCH && g->has_coverage)
        snprintf(text, size, ": its contacts cover %.3g%% of the best", 100 * g->coverage);
    else if (isfinite(o->error) && o->error > 0)
        snprintf(text, size, ": %soff by %.3g (%.3g S, %.3g eps S, %.3g T)",
                 o->symptom == GJB_FAULT_NORMAL ? "the gap along the normal is " : "", o->error,
                 o->error / o->size, o->error / (o->epsilon * o->size), o->error / o->tolerance);
}

/* The last word that fits is whole. */
static void cut_words(const char *line, char *text, size_t size)
{
    size_t length = strlen(line);
    if (length >= size) {
        for (length = size - 4; length > 0 && line[length] != ' ';)
            length--;
        snprintf(text, size, "%.*s...", (int)length, line);
    } else {
        snprintf(text, size, "%s", line);
    }
}

const char *gjb_failure_line(const gjb_ask *ask, const gjb_scene *pair, const gjb_outcome *o,
                             char text[GJB_FAILURE_LINE])
{
    char truth[96], answered[96], off[160] = "";
    truth_words(ask, pair, o, truth, sizeof truth);
    if (o->symptom >= GJB_SYMPTOM_MISHAP) {
        char words[GJB_MISHAP_TEXT];
        snprintf(answered, sizeof answered, "%s",
                 gjb_mishap_text((gjb_mishap)(o->symptom - GJB_SYMPTOM_MISHAP), o->code, words));
    } else if (gjb_queries[ask->query].has_value || gjb_queries[ask->query].moving) {
        snprintf(answered, sizeof answered, "%s, %.9g", gjb_status_name(o->result.status), o->result.value);
    } else {
        snprintf(answered, sizeof answered, "%s", gjb_status_name(o->result.status));
    }
    off_words(o, off, sizeof off);
    snprintf(text, GJB_FAILURE_LINE, "%s %s, %ud %s, %s and %s: %s: answered %s; %s%s", ask->contender->name,
             gjb_queries[ask->query].name, (unsigned)pair->shapes.dim,
             gjb_precision_name((gjb_precision)pair->shapes.precision),
             gjb_kind_name((gjb_kind)pair->shapes.kind[0]), gjb_kind_name((gjb_kind)pair->shapes.kind[1]),
             gjb_symptom_name(o->symptom), answered, truth, off);
    return text;
}

/* A file's text with a field more. */
typedef struct insertion {
    const char *text;
    size_t at;
    const char *field;
} insertion;

static void write_text(FILE *stream, const void *context)
{
    const insertion *i = context;
    fprintf(stream, "%.*s\"x-wrong\": %s,\n  %s", (int)i->at, i->text, i->field, i->text + i->at);
}

static json_t *wrong_of(const gjb_ask *ask, const gjb_outcome *o)
{
    const char *version = ask->contender->version, *backend = ask->backends[0];
    json_t *wrong =
        json_pack("{ss ss ss ss}", "contender", ask->contender->name, "version", version ? version : "",
                  "symptom", gjb_symptom_name(o->symptom), "status", gjb_status_name(o->result.status));
    if (backend)
        json_object_set_new(wrong, "backend", json_string(backend));
    if (gjb_queries[ask->query].has_value && isfinite(o->result.value))
        json_object_set_new(wrong, "value", json_real(o->result.value));
    if (!gjb_queries[ask->query].moving)
        json_object_set_new(wrong, "sigma", json_real(0.5 * o->lo + 0.5 * o->hi));
    if (!gjb_queries[ask->query].moving && o->lo < o->hi)
        json_object_set_new(wrong, "sigma_interval", json_pack("[ff]", o->lo, o->hi));
    if (gjb_queries[ask->query].moving && isfinite(o->truth))
        json_object_set_new(wrong, "time", json_real(o->truth));
    if (isfinite(o->error))
        json_object_set_new(wrong, "off_by", json_real(o->error));
    json_object_set_new(wrong, "tolerance", json_real(o->tolerance));
    return wrong;
}

/* The file as gjb_scene_save_json writes it, whose numbers are the shortest that are exact, and a field more.
 */
int gjb_failure_save(const gjb_ask *ask, const gjb_scene *pair, const gjb_outcome *o, const char *path,
                     gjb_error *error)
{
    gjb_scene *one = gjb_scene_extract(pair, 0, 0);
    char line[GJB_FAILURE_LINE];
    size_t size = 0;
    if (!one)
        return gjb_fail(error, "%s: out of memory", path);
    gjb_failure_line(ask, pair, o, line);
    snprintf(one->query, sizeof one->query, "%s", gjb_queries[ask->query].name);
    one->name[0] = '\0';
    cut_words(line, one->note, sizeof one->note);
    int failed = gjb_scene_save_json(one, path, error);
    gjb_scene_free(one);
    unsigned char *text = failed ? NULL : gjb_file_read(path, gjb_scene_accept, &size, error);
    if (!text)
        return -1;
    const char *at = strstr((const char *)text, "\"shapes\"");
    json_t *wrong = wrong_of(ask, o);
    char *field = json_dumps(wrong, JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
    failed = !at || !field
                 ? gjb_fail(error, "%s: out of memory", path)
                 : gjb_file_write(path, write_text,
                                  &(insertion){(const char *)text, (size_t)(at - (const char *)text), field},
                                  error);
    json_decref(wrong);
    free(field);
    free(text);
    return failed;
}
