/* Result records of every layout: unwritten ones by their poison, statistics, and conversion to gjb_result. */
#include "contenders/isolation/in_process.h"

#include <string.h>

static int still_poison(const void *field, size_t size)
{
    const unsigned char *byte = field;
    for (size_t i = 0; i < size; i++)
        if (byte[i] != GJB_POISON)
            return 0;
    return 1;
}

/* Every record is laid out alike: head, for f64 a zero, then value, normal and
 * both points; of sweep value, last, normal and one point. */
_Static_assert(offsetof(gjb_result2f, value) == 4 && offsetof(gjb_result3f, value) == 4 &&
                   offsetof(gjb_result2d, value) == 8 && offsetof(gjb_result3d, value) == 8 &&
                   sizeof(gjb_result2f) == 4 + 7 * sizeof(float) && sizeof(gjb_result3f) == 4 + 10 * sizeof(float) &&
                   sizeof(gjb_result2d) == 8 + 7 * sizeof(double) && sizeof(gjb_result3d) == 8 + 10 * sizeof(double),
               "records are head and numbers");
_Static_assert(offsetof(gjb_sweep2f, value) == 4 && offsetof(gjb_sweep3f, value) == 4 &&
                   offsetof(gjb_sweep2d, value) == 8 && offsetof(gjb_sweep3d, value) == 8 &&
                   sizeof(gjb_sweep2f) == 4 + 6 * sizeof(float) && sizeof(gjb_sweep3f) == 4 + 8 * sizeof(float) &&
                   sizeof(gjb_sweep2d) == 8 + 6 * sizeof(double) && sizeof(gjb_sweep3d) == 8 + 8 * sizeof(double),
               "records of sweep are head and numbers");

/* Scalars and vectors behind the head. */
static uint32_t scalars_of(gjb_query query)
{
    return query == GJB_SWEEP ? 2 : 1;
}
static uint32_t vectors_of(gjb_query query)
{
    return query == GJB_SWEEP ? 2 : 3;
}

static size_t numbers_at(gjb_precision precision)
{
    return precision == GJB_F32 ? offsetof(gjb_result2f, value) : offsetof(gjb_result2d, value);
}

/* `count` numbers of a record, at most 1 + 3 * 3. */
static void get_numbers(gjb_precision precision, const char *from, uint32_t count, double *to)
{
    if (precision == GJB_F64) {
        memcpy(to, from, count * sizeof *to);
        return;
    }
    float narrow[1 + 3 * 3];
    memcpy(narrow, from, count * sizeof *narrow);
    for (uint32_t i = 0; i < count; i++)
        to[i] = (double)narrow[i];
}

/* Where numbers and features of a manifold are: head, count, normal, then contacts of equal size. */
typedef struct patch_layout {
    size_t scalar, normal, contact, contact_size;
    uint32_t most; /* contacts */
} patch_layout;

static patch_layout patch_of(gjb_precision precision, uint32_t dim)
{
    const size_t scalar = precision == GJB_F32 ? sizeof(float) : sizeof(double), numbers = 2 * (size_t)dim + 1;
    const size_t feature = precision == GJB_F32 ? sizeof(uint32_t) : 2 * sizeof(uint32_t);
    return (patch_layout){.scalar = scalar,
                          .normal = offsetof(gjb_manifold2f, normal),
                          .contact = offsetof(gjb_manifold2f, normal) + dim * scalar,
                          .contact_size = numbers * scalar + feature,
                          .most = dim == 2 ? GJB_CONTACTS_2D : GJB_CONTACTS_3D};
}
_Static_assert(offsetof(gjb_manifold3d, normal) == offsetof(gjb_manifold2f, normal) &&
                   offsetof(gjb_manifold2f, contact) == 16 && offsetof(gjb_manifold3f, contact) == 20 &&
                   offsetof(gjb_manifold2d, contact) == 24 && offsetof(gjb_manifold3d, contact) == 32 &&
                   sizeof(gjb_contact2f) == 24 && sizeof(gjb_contact3f) == 32 && sizeof(gjb_contact2d) == 48 &&
                   sizeof(gjb_contact3d) == 64,
               "records of manifold are head, count, normal and contacts");

static int unwritten_patch(gjb_precision precision, uint32_t dim, const char *record)
{
    const patch_layout at = patch_of(precision, dim);
    const size_t tail = precision == GJB_F32 ? sizeof(uint32_t) : 2 * sizeof(uint32_t);
    int poisoned = still_poison(record + sizeof(gjb_head), sizeof(uint32_t));
    poisoned |= still_poison(record + at.normal, dim * at.scalar);
    for (uint32_t i = 0; i < at.most; i++) {
        const char *contact = record + at.contact + i * at.contact_size;
        poisoned |= still_poison(contact, dim * at.scalar);
        poisoned |= still_poison(contact + dim * at.scalar, dim * at.scalar);
        poisoned |= still_poison(contact + 2 * dim * at.scalar, at.scalar);
        poisoned |= still_poison(contact + at.contact_size - tail, tail);
    }
    return poisoned;
}

/* A poisoned status is none that exists. Vectors are looked at whole: one
 * coordinate may have the poison's bits by chance. */
static int unwritten(gjb_query query, gjb_precision precision, uint32_t dim, const char *record)
{
    gjb_head head;
    memcpy(&head, record, sizeof head);
    if (head.status == GJB_UNWRITTEN || head.status >= GJB_STATUSES)
        return 1;
    if (query == GJB_INTERSECT)
        return 0;
    if (query == GJB_MANIFOLD)
        return unwritten_patch(precision, dim, record);
    uint32_t zero = 0;
    if (precision == GJB_F64)
        memcpy(&zero, record + offsetof(gjb_result2d, zero), sizeof zero);
    const size_t scalar = precision == GJB_F32 ? sizeof(float) : sizeof(double);
    const char *value = record + numbers_at(precision), *vectors = value + scalars_of(query) * scalar;
    int poisoned = zero != 0;
    for (size_t k = 0; k < scalars_of(query); k++)
        poisoned |= still_poison(value + k * scalar, scalar);
    for (size_t k = 0; k < vectors_of(query); k++)
        poisoned |= still_poison(vectors + k * dim * scalar, dim * scalar);
    return poisoned;
}

uint64_t gjb_count_unwritten(gjb_query query, gjb_precision precision, uint32_t dim, const void *results,
                             uint64_t count)
{
    const size_t size = gjb_result_size(query, precision, dim);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += (uint64_t)unwritten(query, precision, dim, (const char *)results + i * size);
    return sum;
}

void gjb_run_stats_add(gjb_run_stats *sum, const gjb_run_stats *part)
{
    sum->pairs += part->pairs;
    sum->lane_slots += part->lane_slots;
    sum->lane_live += part->lane_live;
    sum->spilled += part->spilled;
    sum->fallback += part->fallback;
    sum->unproven += part->unproven;
    for (size_t i = 0; i < sizeof sum->iterations / sizeof sum->iterations[0]; i++)
        sum->iterations[i] += part->iterations[i];
}

void gjb_session_stats_add(gjb_session_stats *sum, const gjb_session_stats *part)
{
    gjb_run_stats_add(&sum->run, &part->run);
    sum->crashed += part->crashed;
    sum->hung += part->hung;
    sum->hung_preparing += part->hung_preparing;
    sum->unasked += part->unasked;
    sum->interrupted += part->interrupted;
    for (int i = 0; i < GJB_MISHAPS; i++)
        sum->found[i] += part->found[i];
}

static void get_patch(gjb_precision precision, uint32_t dim, const char *record, gjb_result *out)
{
    const patch_layout at = patch_of(precision, dim);
    uint32_t deepest = 0;
    memcpy(&out->count, record + sizeof(gjb_head), sizeof out->count);
    get_numbers(precision, record + at.normal, dim, out->normal);
    for (uint32_t i = 0; i < at.most; i++) {
        const char *from = record + at.contact + i * at.contact_size, *feature = from + (2 * dim + 1) * at.scalar;
        gjb_contact3d *to = &out->contact[i];
        get_numbers(precision, from, dim, to->point_a);
        get_numbers(precision, from + dim * at.scalar, dim, to->point_b);
        get_numbers(precision, from + 2 * dim * at.scalar, 1, &to->separation);
        memcpy(&to->feature, feature, sizeof to->feature);
        if (precision == GJB_F64)
            memcpy(&to->zero, feature + sizeof to->feature, sizeof to->zero);
        if (i < out->count && to->separation < out->contact[deepest].separation)
            deepest = i;
    }
    if (out->count == 0)
        return;
    out->value = out->contact[deepest].separation;
    memcpy(out->point_a, out->contact[deepest].point_a, sizeof out->point_a);
    memcpy(out->point_b, out->contact[deepest].point_b, sizeof out->point_b);
}

gjb_result gjb_result_get(gjb_query query, gjb_precision precision, uint32_t dim, const void *results,
                          uint64_t index)
{
    const char *record = (const char *)results + index * gjb_result_size(query, precision, dim);
    gjb_result out = {0};
    gjb_head head;
    memcpy(&head, record, sizeof head);
    out.status = head.status < GJB_STATUSES ? (gjb_status)head.status : GJB_UNWRITTEN;
    out.iterations = head.iterations;
    out.unasked = head.status == GJB_LEFT_OUT * 0x101 && head.iterations == GJB_LEFT_OUT * 0x101;
    if (query == GJB_INTERSECT)
        return out;
    if (query == GJB_MANIFOLD) {
        get_patch(precision, dim, record, &out);
        return out;
    }
    double numbers[1 + 3 * 3];
    get_numbers(precision, record + numbers_at(precision), scalars_of(query) + vectors_of(query) * dim, numbers);
    out.value = numbers[0];
    out.last = query == GJB_SWEEP ? numbers[1] : 0;
    const double *vectors = numbers + scalars_of(query), *second = vectors + (vectors_of(query) - 1) * dim;
    for (uint32_t i = 0; i < dim; i++) {
        out.normal[i] = vectors[i];
        out.point_a[i] = vectors[dim + i];
        out.point_b[i] = second[i];
    }
    return out;
}
