/* The JSON form of frames: a line each, for debugging. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "contenders/program/frames.h"
#include "core/query.h"
#include "core/types.h"

enum { LINE_LEAST = 1 << 16, LINE_PER_ANSWER = 1 << 12 };

/* --- writing ------------------------------------------------------------------- */

static void put_line(gjb_bytes *out, json_t *frame)
{
    char *text = json_dumps(frame, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17));
    json_decref(frame);
    out->failed |= text == NULL;
    if (text == NULL)
        return;
    gjb_bytes_add(out, text, strlen(text));
    gjb_bytes_add(out, "\n", 1);
    free(text);
}

static json_t *numbers(const double *values, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(array, json_real(values[i]));
    return array;
}

static json_t *rows_of(const gjb_shapes *shapes, uint32_t index)
{
    json_t *rows = json_array();
    for (uint32_t r = 0; r < shapes->row_count[index]; r++) {
        double row[3];
        for (uint32_t k = 0; k < shapes->dim; k++)
            row[k] = gjb_number_of(shapes, shapes->rows, ((size_t)shapes->first[index] + r) * shapes->dim + k);
        json_array_append_new(rows, numbers(row, shapes->dim));
    }
    return rows;
}

static void write_shapes(gjb_bytes *out, const gjb_shapes *shapes, const gjb_claim *claim)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < shapes->count; i++)
        if (gjb_claims(claim, shapes, i))
            json_array_append_new(all, json_pack("{si ss sf so}", "index", (int)i, "kind",
                                                 gjb_kind_name((gjb_kind)shapes->kind[i]), "radius",
                                                 gjb_number_of(shapes, shapes->radius, i), "rows", rows_of(shapes, i)));
    put_line(out, json_pack("{ss si ss si so}", "frame", "shapes", "dim", (int)shapes->dim, "precision",
                            gjb_precision_name((gjb_precision)shapes->precision), "count", (int)shapes->count, "shapes",
                            all));
}

static json_t *pair_json(const gjb_asked *asked, size_t index)
{
    const gjb_asked_pair pair = gjb_asked_pair_of(asked, index);
    const uint32_t dim = asked->shapes->dim;
    json_t *json = json_pack("{s[ii] s[ii] s[oo]}", "shapes", (int)pair.shape[0], (int)pair.shape[1], "bodies",
                             (int)pair.body[0], (int)pair.body[1], "poses", numbers(pair.pose[0], gjb_pose_numbers(dim)),
                             numbers(pair.pose[1], gjb_pose_numbers(dim)));
    if (!gjb_asked_is_at_rest(asked))
        json_object_set_new(json, "motions", json_pack("[oo]", numbers(pair.motion[0], gjb_motion_numbers(dim)),
                                                       numbers(pair.motion[1], gjb_motion_numbers(dim))));
    return json;
}

static void write_ask(gjb_bytes *out, const gjb_asked *asked)
{
    const gjb_batch *batch = asked->batch;
    json_t *pairs = json_array();
    for (size_t i = 0; i < asked->count; i++)
        json_array_append_new(pairs, pair_json(asked, i));
    put_line(out, json_pack("{ss sI ss ss so so}", "frame", "ask", "id", (json_int_t)asked->id, "query",
                            gjb_queries[batch->query].name, "leaving",
                            batch->leaving == GJB_LEAVING_IGNORE ? "ignore" : "hit", "margin",
                            isfinite(batch->margin) ? json_real(batch->margin) : json_null(), "pairs", pairs));
}

/* --- reading ------------------------------------------------------------------- */

/* The first line of what came, as an object, and what `used` becomes. GJB_TAKEN_ALL with it, or why there is none. */
static int take_line(const char *bytes, size_t size, size_t most, json_t **line, size_t *used)
{
    const char *end = memchr(bytes, '\n', size < most ? size : most);
    *line = NULL;
    if (end == NULL)
        return size < most ? GJB_TAKEN_MORE : GJB_BREACH_LENGTH;
    *used = (size_t)(end - bytes) + 1;
    *line = json_loadb(bytes, (size_t)(end - bytes), JSON_REJECT_DUPLICATES, NULL);
    return json_is_object(*line) ? GJB_TAKEN_ALL : GJB_BREACH_JSON;
}

static int is_frame(const json_t *line, const char *name)
{
    const char *frame = json_string_value(json_object_get(line, "frame"));
    return frame != NULL && strcmp(frame, name) == 0;
}

/* 0, or -1: it is no whole number, or below 0. */
static int whole(const json_t *line, const char *key, uint64_t *number)
{
    const json_t *value = json_object_get(line, key);
    *number = (uint64_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0 ? 0 : -1;
}

static int take_ready(void *user, const char *bytes, size_t size, size_t *used)
{
    json_t *line;
    int taken = take_line(bytes, size, LINE_LEAST, &line, used);
    if (taken == GJB_TAKEN_ALL && !is_frame(line, "ready"))
        taken = GJB_BREACH_FRAME;
    else if (taken == GJB_TAKEN_ALL && whole(line, "ns", user) != 0)
        taken = GJB_BREACH_FIELD;
    json_decref(line);
    return taken;
}

/* null is a number that is none. */
static int number(const json_t *value, double *to)
{
    *to = json_is_null(value) ? NAN : json_number_value(value);
    return json_is_null(value) || json_is_number(value) ? 0 : -1;
}

static int vector(const json_t *value, double *to)
{
    const size_t count = json_array_size(value);
    int failed = !json_is_array(value) || count > 3 || count < 2;
    for (size_t i = 0; i < count && !failed; i++)
        failed = number(json_array_get(value, i), &to[i]) != 0;
    return failed ? -1 : 0;
}

static int count_of(const json_t *value, uint32_t *to)
{
    *to = (uint32_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) <= UINT32_MAX ? 0 : -1;
}

static int contact_of(const json_t *json, gjb_contact3d *contact)
{
    const char *key;
    json_t *value;
    int failed = !json_is_object(json);
    json_object_foreach((json_t *)json, key, value)
        failed |= strcmp(key, "point_a") == 0      ? vector(value, contact->point_a)
                  : strcmp(key, "point_b") == 0    ? vector(value, contact->point_b)
                  : strcmp(key, "separation") == 0 ? number(value, &contact->separation)
                  : strcmp(key, "feature") == 0    ? count_of(value, &contact->feature)
                                                   : -1;
    return failed ? -1 : 0;
}

/* What there are too many of is counted, not read. A contact without a feature has its place among them. */
static int contacts_of(const json_t *json, gjb_answer *answer)
{
    const size_t count = json_array_size(json);
    int failed = !json_is_array(json);
    answer->count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    for (uint32_t i = 0; i < count && i < GJB_CONTACTS_3D && !failed; i++) {
        answer->contact[i].feature = i;
        failed = contact_of(json_array_get(json, i), &answer->contact[i]);
    }
    return failed;
}

static int status_of(const json_t *json, gjb_answer *answer)
{
    const char *name = json_string_value(json);
    for (unsigned status = GJB_UNWRITTEN + 1; name != NULL && status < GJB_STATUSES; status++)
        if (strcmp(name, gjb_status_name(status)) == 0)
            answer->status = (gjb_status)status;
    return 0;
}

static int field_of(const char *key, const json_t *value, gjb_answer *answer)
{
    return strcmp(key, "status") == 0       ? status_of(value, answer)
           : strcmp(key, "iterations") == 0 ? count_of(value, &answer->iterations)
           : strcmp(key, "sigma") == 0      ? number(value, &answer->sigma)
           : strcmp(key, "time") == 0       ? number(value, &answer->sigma)
           : strcmp(key, "last") == 0       ? number(value, &answer->last)
           : strcmp(key, "normal") == 0     ? vector(value, answer->normal)
           : strcmp(key, "point_a") == 0    ? vector(value, answer->point_a)
           : strcmp(key, "point_b") == 0    ? vector(value, answer->point_b)
           : strcmp(key, "contacts") == 0   ? contacts_of(value, answer)
                                            : -1;
}

static int take_one(gjb_asked *asked, const json_t *json)
{
    const char *key;
    json_t *value;
    gjb_answer answer;
    int failed = !json_is_object(json);
    memset(&answer, 0, sizeof answer);
    json_object_foreach((json_t *)json, key, value)
        failed |= field_of(key, value, &answer);
    return failed ? GJB_BREACH_FIELD : gjb_asked_take(asked, &answer);
}

static int take_answers(void *user, const char *bytes, size_t size, size_t *used)
{
    gjb_asked *asked = user;
    uint64_t id, first, ns;
    json_t *line, *answer;
    size_t i;
    int taken = take_line(bytes, size, LINE_LEAST + asked->count * LINE_PER_ANSWER, &line, used);
    const json_t *all = json_object_get(line, "answers");
    if (taken == GJB_TAKEN_ALL && !is_frame(line, "answers"))
        taken = GJB_BREACH_FRAME;
    else if (taken == GJB_TAKEN_ALL)
        taken = whole(line, "id", &id) != 0 || whole(line, "first", &first) != 0 || whole(line, "ns", &ns) != 0 ||
                        !json_is_array(all)
                    ? GJB_BREACH_FIELD
                    : gjb_asked_begin(asked, id, first, json_array_size(all), ns);
    json_array_foreach(all, i, answer)
        if (taken == GJB_TAKEN_MORE)
            taken = take_one(asked, answer);
    json_decref(line);
    return taken == GJB_TAKEN_MORE && asked->done == asked->count ? GJB_TAKEN_ALL : taken;
}

const gjb_form gjb_form_json = {"json", write_shapes, write_ask, take_ready, take_answers};
