/* Which pairs a run takes, in chunks, and in which order. */
#include <stdlib.h>
#include <string.h>

#include "scenes/generate/generate_parts.h"
#include "verify/verify_private.h"

/* Pairs of each workload x family of a dimension, and below which of them contenders that are not ours take part. */
typedef struct share {
    uint64_t each, others;
} share;

int gjb_verify_asks(const gjb_verify_plan *plan, const gjb_family *family, const gjb_verify_workload *workload)
{
    int meets = 0;
    for (int q = 0; q < GJB_QUERIES; q++)
        meets |= plan->queries >> q & 1 && gjb_query_meets((gjb_query)q, family->moving) &&
                 (!gjb_queries[q].has_leaving || !plan->leaving || gjb_family_leaves(family));
    return meets && (family == &gjb_grid_family || gjb_family_has(family, workload->dim, workload->name));
}

static share share_of(const gjb_verify_plan *plan, uint32_t dim)
{
    uint64_t combos = 0;
    for (size_t w = 0; w < plan->workload_count; w++)
        for (size_t f = 0; f < plan->family_count && plan->workloads[w].dim == dim; f++)
            combos += (uint64_t)gjb_verify_asks(plan, plan->families[f], &plan->workloads[w]);
    uint64_t pairs = dim == 3 && plan->space_pairs ? plan->space_pairs : plan->pairs;
    return (share){.each = combos ? (pairs + combos - 1) / combos : 0,
                   .others = plan->others && combos ? (plan->others + combos - 1) / combos : UINT64_MAX};
}

/* Whole chunks are dealt, each combination's from another shard on: what is done alone is then
 * what one run does, bit for bit, and no shard has one family or kind of shape to itself. */
static int is_dealt(const gjb_verify_plan *plan, size_t combo, uint64_t first)
{
    const uint64_t shards = plan->shards ? plan->shards : 1;
    return (combo % shards + first / GJB_VERIFY_CHUNK % shards) % shards == plan->shard;
}

static uint64_t chunk_at(const gjb_combo *c, uint64_t first)
{
    return c->pairs - first < GJB_VERIFY_CHUNK ? c->pairs - first : GJB_VERIFY_CHUNK;
}

static uint64_t pairs_of_shard(const gjb_verify_plan *plan, const gjb_combo *c, size_t combo)
{
    const uint64_t shards = plan->shards ? plan->shards : 1, chunks = (c->pairs + GJB_VERIFY_CHUNK - 1) / GJB_VERIFY_CHUNK;
    const uint64_t first = (plan->shard + shards - combo % shards) % shards; /* chunk; then every so many */
    if (first >= chunks)
        return 0;
    const uint64_t count = (chunks - 1 - first) / shards + 1, last = first + (count - 1) * shards;
    return (count - 1) * GJB_VERIFY_CHUNK + chunk_at(c, last * GJB_VERIFY_CHUNK);
}

uint64_t gjb_verify_dealt(const gjb_verify_plan *plan, const gjb_combos *all, size_t combo, const gjb_contender *who)
{
    uint64_t pairs = 0;
    if (!gjb_verify_samples(plan))
        return pairs_of_shard(plan, &all->list[combo], combo);
    for (size_t i = 0; i < all->task_count; i++)
        if (all->tasks[i].combo == combo)
            pairs += who ? gjb_verify_asked(plan, who, all->tasks[i].pairs) : all->tasks[i].pairs;
    return pairs;
}

int gjb_verify_supports(const gjb_combo *c, const gjb_contender *who, gjb_query query)
{
    return gjb_query_meets(query, c->family->moving) && who->dims >> c->dim & 1 && who->precisions >> c->precision & 1 &&
           who->queries >> query & 1;
}

void gjb_verify_name_rows(gjb_combo *c, const gjb_verify_plan *plan, int all)
{
    for (size_t r = 0; r < plan->entry_count * GJB_QUERIES && !c->named; r++) {
        const gjb_verify_entry *entry = &plan->entries[r / GJB_QUERIES];
        gjb_verify_row *row = &c->rows[r];
        if (!all && !gjb_verify_supports(c, entry->contender, (gjb_query)(r % GJB_QUERIES)))
            continue;
        row->dim = c->dim;
        row->workload = c->workload;
        row->family = c->family;
        row->precision = c->precision;
        row->contender = entry->contender;
        row->backend = entry->backend ? entry->backend : "-";
        row->query = (gjb_query)(r % GJB_QUERIES);
    }
    c->named = 1;
}

void gjb_verify_keep_named(gjb_verify_report *report, const gjb_combos *all, const gjb_verify_plan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        const gjb_combo *c = &all->list[i];
        for (size_t r = 0; r < plan->entry_count * GJB_QUERIES && c->named; r++)
            if (gjb_verify_supports(c, plan->entries[r / GJB_QUERIES].contender, (gjb_query)(r % GJB_QUERIES)))
                report->rows[kept++] = c->rows[r];
    }
    report->row_count = kept;
}

static void add_combo(gjb_combos *all, const gjb_verify_plan *plan, gjb_verify_row *rows,
                      const gjb_verify_workload *workload, const gjb_family *family, gjb_precision precision, share pairs)
{
    const size_t per = plan->entry_count * GJB_QUERIES;
    gjb_combo *c = &all->list[all->count];
    *c = (gjb_combo){.dim = workload->dim,
                 .workload = workload->name,
                 .family = family,
                 .precision = precision,
                 .pairs = pairs.each,
                 .others = pairs.others,
                 .rows = rows + all->count * per,
                 .deaths = c->deaths};
    c->saved = all->counters + 4 * per * all->count;
    /* In a sample no contender has the time to hang at every combination: those of all count together. */
    c->hung = (gjb_verify_samples(plan) ? all->list[0].saved : c->saved) + per;
    c->kept = c->saved + 2 * per;
    all->count++;
}

/* Is its truth searched for ten times as long as that of others? */
static int is_costly(const gjb_combo *c)
{
    uint32_t vertices;
    return c->family->costly && gjb_workload_find(c->dim, c->workload, &vertices)->curved;
}

/* Round-robin, so that an interrupted run has seen a little of everything. In each round the costly ones come first: one that
 * came last would keep a single thread busy while the others have nothing left. */
int gjb_verify_tasks_make(gjb_combos *all, const gjb_verify_plan *plan)
{
    size_t room = 0;
    uint64_t most = 0;
    if (all->tasks)
        return 0;
    for (size_t i = 0; i < all->count; i++) {
        const uint64_t pairs = all->list[i].pairs;
        room += (size_t)(pairs_of_shard(plan, &all->list[i], i) / GJB_VERIFY_CHUNK + 1);
        most = pairs > most ? pairs : most;
    }
    all->tasks = calloc(room + 1, sizeof *all->tasks);
    if (!all->tasks)
        return -1;
    for (uint64_t at = 0; at < most; at += GJB_VERIFY_CHUNK)
        for (int costly = 1; costly >= 0; costly--)
            for (size_t i = 0; i < all->count; i++) {
                const gjb_combo *c = &all->list[i];
                if (at < c->pairs && is_costly(c) == costly && is_dealt(plan, i, at))
                    all->tasks[all->task_count++] = (gjb_task){i, at, chunk_at(c, at), at == 0, at};
            }
    return 0;
}

uint64_t gjb_verify_task_pairs(const gjb_combos *all, size_t count)
{
    uint64_t pairs = 0;
    for (size_t i = 0; i < count && i < all->task_count; i++)
        pairs += all->tasks[i].pairs;
    return pairs;
}

/* ---- samples ---- */

enum { COSTLY_CHUNK = 4, DEAR_PAIRS = GJB_METRIC_SAMPLE, METRIC_ROUNDS = 4, WORKLOADS_MAX = 256 };

/* Pairs of a sample's chunk, by what the truth about them costs: a chunk of each takes about as long, which is about as
 * long as it takes to start the processes that answer it. Kinds of motion: gjb_moving. */
static const struct {
    uint8_t dim, moving, curved;
    uint16_t pairs;
} chunk_sizes[] = {
    {2, GJB_AT_REST, 0, 128}, {2, GJB_AT_REST, 1, 32}, {3, GJB_AT_REST, 0, 96}, {3, GJB_AT_REST, 1, 12},
    {2, GJB_MOVING, 0, 12},   {2, GJB_MOVING, 1, 6},   {3, GJB_MOVING, 0, 12},  {3, GJB_MOVING, 1, 4},
    {2, GJB_BOXES_MOVING, 0, 48}, {3, GJB_BOXES_MOVING, 0, 48},
};

/* They die of one pair in ten, and each death costs processes: in a sample they get the first few pairs of a chunk. */
static const char *const dear[] = {"textbook-dist2", "textbook-dist2-nearer"};

int gjb_verify_samples(const gjb_verify_plan *plan)
{
    return plan->sample.seconds > 0 || plan->sample.chunks > 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t gjb_verify_asked(const gjb_verify_plan *plan, const gjb_contender *who, uint64_t pairs)
{
    for (size_t i = 0; gjb_verify_samples(plan) && i < sizeof dear / sizeof *dear; i++)
        if (!strcmp(who->name, dear[i]))
            return least(pairs, DEAR_PAIRS);
    return pairs;
}

static uint64_t chunk_size(const gjb_combo *c)
{
    uint32_t vertices;
    const gjb_workload *workload = gjb_workload_find(c->dim, c->workload, &vertices);
    if (is_costly(c))
        return COSTLY_CHUNK;
    for (size_t i = 0; i < sizeof chunk_sizes / sizeof *chunk_sizes; i++)
        if (chunk_sizes[i].dim == c->dim && chunk_sizes[i].moving == c->family->moving &&
            chunk_sizes[i].curved == (workload->curved != 0))
            return chunk_sizes[i].pairs;
    return COSTLY_CHUNK;
}

/* A family in one dimension and precision: its combinations, in an order that takes kinds of shapes by turns. */
typedef struct lane {
    uint16_t combos[WORKLOADS_MAX];
    size_t count, start, step;
} lane;

static size_t common_divisor(size_t a, size_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* About two fifths of the way on: neighbours in a list of workloads, or of families, are alike. */
static size_t step_over(size_t count)
{
    size_t step = 2 * count / 5;
    while (step > 1 && common_divisor(step, count) != 1)
        step--;
    return step ? step : 1;
}

/* Combinations come by precision, workload and family; lanes by family, so that every family has one in a round. */
static size_t make_lanes(const gjb_combos *all, lane *lanes, size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        size_t at = 0;
        while (at < count) {
            const gjb_combo *one = &all->list[lanes[at].combos[0]], *c = &all->list[i];
            if (one->family == c->family && one->dim == c->dim && one->precision == c->precision)
                break;
            at++;
        }
        if (at == count && count++ == room)
            return 0;
        if (lanes[at].count < WORKLOADS_MAX)
            lanes[at].combos[lanes[at].count++] = (uint16_t)i;
    }
    for (size_t at = 0; at < count; at++) {
        lanes[at].step = step_over(lanes[at].count);
        /* Both precisions of a family begin alike: their lines are then of the same pairs. */
        lanes[at].start = (size_t)(all->list[lanes[at].combos[0]].family - gjb_families) % lanes[at].count;
    }
    return count;
}

/* The chunk of a lane in a round: one of each of its combinations by turns, then twice as many pairs of each. 0 if all
 * of that combination are dealt. */
static int chunk_of(const gjb_combos *all, const lane *l, size_t round, gjb_task *task)
{
    task->combo = l->combos[(l->start + round % l->count * l->step) % l->count];
    const gjb_combo *c = &all->list[task->combo];
    uint64_t size = chunk_size(c);
    task->first = 0;
    for (size_t pass = round / l->count; pass > 0; pass--) {
        task->first += size;
        size = least(2 * size, GJB_VERIFY_CHUNK);
    }
    if (task->first >= c->pairs)
        return 0;
    task->pairs = least(size, c->pairs - task->first);
    return 1;
}

static int add_task(gjb_combos *all, size_t *room, const gjb_task *task)
{
    if (all->task_count == *room) {
        gjb_task *more = realloc(all->tasks, (2 * *room + 64) * sizeof *more);
        if (!more)
            return -1;
        all->tasks = more;
        *room = 2 * *room + 64;
    }
    all->tasks[all->task_count++] = *task;
    return 0;
}

/* Wherever it ends, neither dimensions nor precisions nor families have had much more than their share. A lane is done
 * once none of its combinations has pairs left. */
static int deal_rounds(gjb_combos *all, const gjb_verify_plan *plan, const lane *lanes, size_t count)
{
    const uint64_t most = plan->sample.chunks ? plan->sample.chunks : UINT64_MAX;
    const size_t step = step_over(count);
    uint64_t pairs = 0;
    size_t room = 0, idle = 0;
    for (size_t round = 0; idle < WORKLOADS_MAX && count; round++) {
        idle++;
        for (size_t turn = 0; turn < count && all->task_count < most; turn++) {
            const size_t at = turn * step % count;
            /* Sessions are what a sample's time goes to, and this needs as many again: once for every family. */
            gjb_task task = {.metrics = round < METRIC_ROUNDS && turn % METRIC_ROUNDS == round, .audited_from = pairs};
            if (!chunk_of(all, &lanes[at], round, &task))
                continue;
            if (add_task(all, &room, &task))
                return -1;
            pairs += task.pairs;
            idle = 0;
        }
    }
    return 0;
}

static int make_sample(gjb_combos *all, const gjb_verify_plan *plan)
{
    const size_t room = plan->family_count * 2 * GJB_PRECISIONS;
    lane *lanes = calloc(room + 1, sizeof *lanes);
    const int failed = !lanes || all->count > UINT16_MAX || deal_rounds(all, plan, lanes, make_lanes(all, lanes, room));
    free(lanes);
    for (size_t i = 0; i < all->count; i++)
        all->list[i].pairs = 0;
    for (size_t i = 0; i < all->task_count; i++)
        all->list[all->tasks[i].combo].pairs += all->tasks[i].pairs;
    return failed ? -1 : 0;
}

/* ---- combinations ---- */

int gjb_verify_combos_make(gjb_combos *all, const gjb_verify_plan *plan, gjb_verify_report *report, gjb_error *error)
{
    const size_t most = plan->workload_count * plan->family_count * GJB_PRECISIONS;
    all->list = calloc(most + 1, sizeof *all->list);
    report->rows = calloc(most * plan->entry_count * GJB_QUERIES + 1, sizeof *report->rows);
    const size_t counters = 4 * most * plan->entry_count * GJB_QUERIES;
    all->counters =
        calloc(counters + plan->entry_count * (GJB_MISHAPS + plan->workload_count) + 1, sizeof *all->counters);
    if (!all->list || !report->rows || !all->counters)
        return gjb_fail(error, "verify: out of memory");
    const share shares[4] = {[2] = share_of(plan, 2), [3] = share_of(plan, 3)};
    for (int p = 0; p < GJB_PRECISIONS; p++)
        for (size_t w = 0; w < plan->workload_count && plan->precisions >> p & 1; w++)
            for (size_t f = 0; f < plan->family_count; f++)
                if (gjb_verify_asks(plan, plan->families[f], &plan->workloads[w])) {
                    all->list[all->count].deaths =
                        all->counters + counters + plan->entry_count * (GJB_MISHAPS + w);
                    add_combo(all, plan, report->rows, &plan->workloads[w], plan->families[f], (gjb_precision)p,
                              shares[plan->workloads[w].dim]);
                }
    for (size_t i = 0; i < all->count; i++)
        all->list[i].entry_kept = all->counters + counters;
    report->row_count = all->count * plan->entry_count * GJB_QUERIES;
    return gjb_verify_samples(plan) && make_sample(all, plan) ? gjb_fail(error, "verify: out of memory") : 0;
}

void gjb_verify_combos_free(gjb_combos *all)
{
    free(all->list);
    free(all->tasks);
    free(all->counters);
}
