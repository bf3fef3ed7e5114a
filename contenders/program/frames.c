/* The binary form of frames, and what both forms share: pairs read from a batch, answers written to its records. */
#include "contenders/program/frames.h"

#include <endian.h>
#include <stdlib.h>

#include "core/query.h"
#include "core/types.h"

enum { HEAD = 8, ANSWERS_HEAD = 24, ANSWER = 96, MANIFOLD = 296 };
enum { SHAPES = 1, READY, ASK, ANSWERS };

/* --- of both forms ------------------------------------------------------------- */

void gjb_bytes_add(gjb_bytes *bytes, const void *data, size_t size)
{
    if (bytes->failed)
        return;
    if (bytes->room - bytes->size < size) {
        const size_t room = 2 * bytes->room + size;
        char *more = realloc(bytes->data, room);
        bytes->failed = more == NULL;
        if (bytes->failed)
            return;
        bytes->data = more;
        bytes->room = room;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

int gjb_claims(const gjb_claim *claim, const gjb_shapes *shapes, uint32_t shape)
{
    return (claim->kinds >> shapes->kind[shape] & 1) && shapes->row_count[shape] <= claim->max_vertices;
}

double gjb_number_of(const gjb_shapes *shapes, const void *numbers, size_t index)
{
    return shapes->precision == GJB_F32 ? (double)((const float *)numbers)[index] : ((const double *)numbers)[index];
}

uint32_t gjb_pose_numbers(uint32_t dim)
{
    return dim == 2 ? 4 : 7;
}

int gjb_asked_is_at_rest(const gjb_asked *asked)
{
    return asked->batch->motions == NULL || gjb_queries[asked->batch->query].moving == GJB_AT_REST;
}

gjb_asked_pair gjb_asked_pair_of(const gjb_asked *asked, size_t index)
{
    const gjb_batch *batch = asked->batch;
    gjb_asked_pair pair;
    memset(&pair, 0, sizeof pair);
    for (int side = 0; side < 2; side++) {
        const uint32_t body = batch->pairs[2 * (asked->first + index) + (size_t)side];
        pair.body[side] = body;
        pair.shape[side] = gjb_batch_shape(batch, body);
        for (uint32_t i = 0; i < gjb_pose_numbers(asked->shapes->dim); i++)
            pair.pose[side][i] = gjb_number_of(asked->shapes, gjb_batch_pose(batch, body), i);
        for (uint32_t i = 0; !gjb_asked_is_at_rest(asked) && i < gjb_motion_numbers(asked->shapes->dim); i++)
            pair.motion[side][i] =
                gjb_number_of(asked->shapes, (const char *)batch->motions + body * batch->motion_stride, i);
    }
    return pair;
}

int gjb_asked_begin(gjb_asked *asked, uint64_t id, uint64_t first, uint64_t count, uint64_t ns)
{
    if (id != asked->id)
        return GJB_BREACH_ID;
    if (first != asked->done)
        return GJB_BREACH_ORDER;
    if (count == 0 || count > asked->count - asked->done)
        return GJB_BREACH_COUNT;
    asked->ns += ns;
    return GJB_TAKEN_MORE;
}

int gjb_asked_take(gjb_asked *asked, const gjb_answer *answer)
{
    const gjb_batch *batch = asked->batch;
    const uint32_t dim = asked->shapes->dim;
    if (answer->status <= GJB_UNWRITTEN || answer->status >= GJB_STATUSES)
        return GJB_BREACH_STATUS;
    if (answer->count > (dim == 2 ? GJB_CONTACTS_2D : GJB_CONTACTS_3D))
        return GJB_BREACH_CONTACTS;
    gjb_answer_write(batch->query, (gjb_precision)asked->shapes->precision, dim, answer,
                     (char *)batch->results + (asked->first + asked->done) * batch->result_stride);
    asked->done++;
    atomic_fetch_add_explicit(&asked->progress, 1, memory_order_relaxed);
    if (batch->stats != NULL) {
        batch->stats->pairs++;
        batch->stats->iterations[answer->iterations < 31 ? answer->iterations : 31]++;
    }
    return GJB_TAKEN_MORE;
}

/* --- writing ------------------------------------------------------------------- */

static void put_u32(gjb_bytes *out, uint32_t number)
{
    const uint32_t little = htole32(number);
    gjb_bytes_add(out, &little, sizeof little);
}

static void put_f64(gjb_bytes *out, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits = htole64(bits);
    gjb_bytes_add(out, &bits, sizeof bits);
}

static size_t begin(gjb_bytes *out, uint32_t frame)
{
    put_u32(out, frame);
    put_u32(out, 0);
    return out->size;
}

static void finish(gjb_bytes *out, size_t begun)
{
    const size_t length = out->size - begun;
    const uint32_t little = htole32((uint32_t)length);
    out->failed |= length > UINT32_MAX;
    if (!out->failed)
        memcpy(out->data + begun - sizeof little, &little, sizeof little);
}

static void put_shape(gjb_bytes *out, const gjb_shapes *shapes, uint32_t index)
{
    const uint32_t rows = shapes->row_count[index];
    put_u32(out, index);
    put_u32(out, shapes->kind[index]);
    put_u32(out, rows);
    put_u32(out, 0);
    put_f64(out, gjb_number_of(shapes, shapes->radius, index));
    for (size_t i = 0; i < (size_t)rows * shapes->dim; i++)
        put_f64(out, gjb_number_of(shapes, shapes->rows, (size_t)shapes->first[index] * shapes->dim + i));
}

static void write_shapes(gjb_bytes *out, const gjb_shapes *shapes, const gjb_claim *claim)
{
    uint32_t claimed = 0;
    for (uint32_t i = 0; i < shapes->count; i++)
        claimed += (uint32_t)gjb_claims(claim, shapes, i);
    const size_t begun = begin(out, SHAPES);
    put_u32(out, shapes->dim);
    put_u32(out, shapes->precision);
    put_u32(out, shapes->count);
    put_u32(out, claimed);
    for (uint32_t i = 0; i < shapes->count; i++)
        if (gjb_claims(claim, shapes, i))
            put_shape(out, shapes, i);
    finish(out, begun);
}

static void put_numbers(gjb_bytes *out, const double *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        put_f64(out, numbers[i]);
}

static void write_ask(gjb_bytes *out, const gjb_asked *asked)
{
    const uint32_t dim = asked->shapes->dim;
    const int moving = !gjb_asked_is_at_rest(asked);
    const size_t begun = begin(out, ASK);
    put_u32(out, asked->id);
    put_u32(out, asked->batch->query);
    put_u32(out, (uint32_t)asked->count);
    put_u32(out, (uint32_t)moving);
    put_u32(out, asked->batch->leaving);
    put_u32(out, 0);
    put_f64(out, asked->batch->margin);
    for (size_t i = 0; i < asked->count; i++) {
        const gjb_asked_pair pair = gjb_asked_pair_of(asked, i);
        put_u32(out, pair.shape[0]);
        put_u32(out, pair.shape[1]);
        put_u32(out, pair.body[0]);
        put_u32(out, pair.body[1]);
        put_numbers(out, pair.pose[0], gjb_pose_numbers(dim));
        put_numbers(out, pair.pose[1], gjb_pose_numbers(dim));
        for (int side = 0; side < 2 && moving; side++)
            put_numbers(out, pair.motion[side], gjb_motion_numbers(dim));
    }
    finish(out, begun);
}

/* --- reading ------------------------------------------------------------------- */

static uint32_t get_u32(const char *bytes)
{
    uint32_t little;
    memcpy(&little, bytes, sizeof little);
    return le32toh(little);
}

static uint64_t get_u64(const char *bytes)
{
    uint64_t little;
    memcpy(&little, bytes, sizeof little);
    return le64toh(little);
}

static double get_f64(const char *bytes)
{
    const uint64_t bits = get_u64(bytes);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void get_numbers(const char *bytes, double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = get_f64(bytes + 8 * i);
}

static int take_ready(void *user, const char *bytes, size_t size, size_t *used)
{
    if (size >= 4 && get_u32(bytes) != READY)
        return GJB_BREACH_FRAME;
    if (size >= HEAD && get_u32(bytes + 4) != 8)
        return GJB_BREACH_LENGTH;
    if (size < HEAD + 8)
        return GJB_TAKEN_MORE;
    *(uint64_t *)user = get_u64(bytes + HEAD);
    *used = HEAD + 8;
    return GJB_TAKEN_ALL;
}

static gjb_answer manifold_at(const char *bytes)
{
    gjb_answer answer;
    memset(&answer, 0, sizeof answer);
    answer.count = get_u32(bytes + 8);
    get_numbers(bytes + 16, answer.normal, 3);
    for (uint32_t i = 0; i < GJB_CONTACTS_3D; i++) {
        const char *at = bytes + 40 + 64 * i;
        get_numbers(at, answer.contact[i].point_a, 3);
        get_numbers(at + 24, answer.contact[i].point_b, 3);
        answer.contact[i].separation = get_f64(at + 48);
        answer.contact[i].feature = get_u32(at + 56);
    }
    return answer;
}

static gjb_answer answer_at(const char *bytes)
{
    gjb_answer answer;
    memset(&answer, 0, sizeof answer);
    answer.sigma = get_f64(bytes + 8);
    answer.last = get_f64(bytes + 16);
    get_numbers(bytes + 24, answer.normal, 3);
    get_numbers(bytes + 48, answer.point_a, 3);
    get_numbers(bytes + 72, answer.point_b, 3);
    return answer;
}

/* One frame, once all of it is there. Its length is judged first: nothing longer than it may be is waited for. */
static int take_answers(void *user, const char *bytes, size_t size, size_t *used)
{
    gjb_asked *asked = user;
    const int manifold = asked->batch->query == GJB_MANIFOLD;
    const size_t each = manifold ? MANIFOLD : ANSWER;
    if (size >= 4 && get_u32(bytes) != ANSWERS)
        return GJB_BREACH_FRAME;
    if (size < HEAD + ANSWERS_HEAD)
        return GJB_TAKEN_MORE;
    const uint32_t length = get_u32(bytes + 4), count = get_u32(bytes + HEAD + 16);
    if (asked->count < count || length != ANSWERS_HEAD + count * each)
        return asked->count < count ? GJB_BREACH_COUNT : GJB_BREACH_LENGTH;
    if (size < HEAD + (size_t)length)
        return GJB_TAKEN_MORE;
    int taken = gjb_asked_begin(asked, get_u32(bytes + HEAD + 8), get_u32(bytes + HEAD + 12), count, get_u64(bytes + HEAD));
    for (uint32_t i = 0; i < count && taken == GJB_TAKEN_MORE; i++) {
        const char *at = bytes + HEAD + ANSWERS_HEAD + i * each;
        const uint32_t status = get_u32(at);
        gjb_answer answer = manifold ? manifold_at(at) : answer_at(at);
        answer.status = status < GJB_STATUSES ? (gjb_status)status : GJB_UNWRITTEN;
        answer.iterations = get_u32(at + 4);
        taken = gjb_asked_take(asked, &answer);
    }
    *used = HEAD + (size_t)length;
    return taken == GJB_TAKEN_MORE && asked->done == asked->count ? GJB_TAKEN_ALL : taken;
}

const gjb_form gjb_form_binary = {"binary", write_shapes, write_ask, take_ready, take_answers};
