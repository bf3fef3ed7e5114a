/* The output of `choose`: scene, sentence, ranking and reasons as text, and all of it as JSON. */
#include "cli/measure/choose_print.h"

#include <math.h>
#include <string.h>

#include "cli/options/wrap.h"
#include "cli/output.h"
#include "core/json_file.h"

static double share_of(uint64_t some, uint64_t all)
{
    return all ? (double)some / (double)all : 0;
}

enum { REGISTER = 16 };

static void print_calls(FILE *stream, const choose_question *q)
{
    const int short_of = q->frame_pairs < q->call;
    if (!q->by_frame)
        fprintf(stream, "%.6g pairs a call%s", short_of ? q->frame_pairs : q->call,
                short_of ? ", as a frame has no more" : "");
    else if (q->least == q->most)
        fprintf(stream, "one frame a call: %llu pair%s", (unsigned long long)q->most, q->most == 1 ? "" : "s");
    else
        fprintf(stream, "one frame a call: %llu to %llu pairs, %.4g on average", (unsigned long long)q->least,
                (unsigned long long)q->most, q->mean);
}

void choose_print_scene(FILE *stream, const choose_question *q)
{
    fprintf(stream, "pairs: %s\n       %s;%s", q->how, q->shapes, q->by_frame ? "\n       " : " ");
    print_calls(stream, q);
    fprintf(stream, ", %u thread%s\n", (unsigned)q->threads, q->threads == 1 ? "" : "s");
    if (q->compound_pairs)
        fprintf(stream,
                "       %llu pair%s of compounds, of %.4g pairs of parts each on average, all of them asked: one takes "
                "%.4g x ns/pair\n",
                (unsigned long long)q->compound_pairs, q->compound_pairs == 1 ? "" : "s", q->parts_each, q->parts_each);
    if (q->frame_pairs < REGISTER)
        fputs("       a wide register takes 16 pairs at once: with fewer a call, batch is slower than it can "
              "be\n",
              stream);
    if (!q->mix.pairs)
        return;
    fprintf(stream, "       of %llu looked at, %s overlap:", (unsigned long long)q->mix.pairs,
            choose_share_text(share_of(q->mix.overlapping, q->mix.pairs)).s);
    const char *comma = "";
    for (int k = 0; k < CHOOSE_CLASSES; k++)
        if (q->mix.classes[k]) {
            fprintf(stream, "%s %s %s", comma, choose_share_text(share_of(q->mix.classes[k], q->mix.pairs)).s,
                    choose_class_names[k]);
            comma = ",";
        }
    fprintf(stream, " (near and shallow: within %g S of touching)\n", choose_near);
}

/* The choice, and what the pairs that were looked at cannot tell of the query. */
static void sentence(const choose_question *q, const choose_candidate *candidates, size_t count,
                     const choose_need *need, char text[CHOOSE_WORDS])
{
    choose_sentence(candidates, count, need, text);
    const size_t used = strlen(text);
    const char *unseen = "";
    if (!strcmp(q->query, "penetration") && q->mix.pairs && !q->mix.overlapping)
        unseen = "; but no pair overlaps, so none was asked for a depth";
    else if (!strcmp(q->query, "distance") && q->mix.pairs && q->mix.overlapping == q->mix.pairs)
        unseen = "; but every pair overlaps, so none was asked for a distance above 0";
    snprintf(text + used, CHOOSE_WORDS - used, "%s", unseen);
}

void choose_print_choice(FILE *stream, choose_held *held, const choose_question *q,
                         const choose_candidate *candidates, size_t count, const choose_need *need)
{
    char text[CHOOSE_WORDS] = "";
    if (q->query)
        sentence(q, candidates, count, need, text);
    if (q->query && !strcmp(text, held->sentence)) {
        const size_t used = strlen(held->queries);
        snprintf(held->queries + used, sizeof held->queries - used, ", %s", q->query);
        return;
    }
    if (*held->queries)
        fprintf(stream, "%s%uD %s: %s%s\n", cli_color(stream, held->found ? CLI_GOOD : CLI_BAD),
                (unsigned)q->dim, held->queries, held->sentence, cli_color(stream, CLI_PLAIN));
    snprintf(held->queries, sizeof held->queries, "%s", q->query ? q->query : "");
    memcpy(held->sentence, text, sizeof text);
    held->found = count && candidates[0].rank;
}

/* Columns as wide as their contents, in lines of about 100. Versions are in the JSON and in `list`. */
enum { COLUMNS = 10, CELL = 40 };
typedef struct line {
    char cell[COLUMNS][CELL];
} line;
static const char *const titles[COLUMNS] = {"rank",    "contender", "backend", "prec",    "licence",
                                            "ns/pair", "interval",  "wrong",   "at most", "worst/S"};
static const int to_the_right[COLUMNS] = {1, 0, 0, 0, 0, 1, 1, 1, 1, 1};

static void put(char cell[CELL], const char *text)
{
    snprintf(cell, CELL, "%.*s", CELL - 1, text);
}

/* Three digits: a clock tells no more. */
static void put_number(char cell[CELL], double value)
{
    const int digits = value >= 99.5 ? 0 : value >= 9.95 ? 1 : 2;
    snprintf(cell, CELL, "%.*f", digits, value);
}

static void put_time(line *l, const choose_candidate *c)
{
    char low[CELL], high[CELL];
    put_number(l->cell[5], c->ns.median);
    put_number(low, c->ns.low);
    put_number(high, c->ns.high);
    snprintf(l->cell[6], CELL, "%.15s-%.15s%s", low, high, c->reused ? "*" : "");
}

static line line_of(const choose_candidate *c)
{
    line l;
    for (int i = 0; i < COLUMNS; i++)
        put(l.cell[i], "-");
    if (c->rank)
        snprintf(l.cell[0], CELL, "%s%u", c->tied ? "=" : "", c->rank);
    put(l.cell[1], c->name);
    put(l.cell[2], c->backend);
    put(l.cell[3], gjb_precision_name(c->precision));
    put(l.cell[4], c->licence);
    if (c->timed)
        put_time(&l, c);
    if (c->graded) {
        snprintf(l.cell[7], CELL, "%llu/%llu", (unsigned long long)c->wrong,
                 (unsigned long long)c->graded);
        put(l.cell[8], choose_share_text(c->upper).s);
        snprintf(l.cell[9], CELL, c->worst > 0 ? "%.1e" : "0", c->worst);
    }
    return l;
}

static void print_line(FILE *stream, const line *l, const int width[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++)
        fprintf(stream, "%*s%s", to_the_right[i] ? width[i] : -width[i], l->cell[i],
                i + 1 < COLUMNS && to_the_right[i + 1] && to_the_right[i] ? " " : "  ");
}

static void print_table(FILE *stream, const choose_candidate *candidates, size_t count)
{
    static const cli_paint paints[CHOOSE_VERDICTS] = {CLI_GOOD, CLI_NOTE, CLI_NOTE, CLI_DIM, CLI_BAD};
    static line lines[CHOOSE_MOST];
    int width[COLUMNS], reused = 0;
    line head;
    for (int k = 0; k < COLUMNS; k++) {
        put(head.cell[k], titles[k]);
        width[k] = (int)strlen(titles[k]);
        for (size_t i = 0; i < count; i++) {
            lines[i] = line_of(&candidates[i]);
            const int length = *candidates[i].lacks ? 0 : (int)strlen(lines[i].cell[k]);
            width[k] = length > width[k] ? length : width[k];
        }
    }
    fputs(cli_color(stream, CLI_BOLD), stream);
    print_line(stream, &head, width);
    fprintf(stream, "verdict%s\n", cli_color(stream, CLI_PLAIN));
    for (size_t i = 0; i < count; i++) {
        if (*candidates[i].lacks)
            continue;
        print_line(stream, &lines[i], width);
        fprintf(stream, "%s%s%s\n", cli_color(stream, paints[candidates[i].verdict]),
                choose_verdict_name(candidates[i].verdict), cli_color(stream, CLI_PLAIN));
        reused |= candidates[i].reused;
    }
    if (reused)
        fputs("* measured before: from --results\n", stream);
}

static void print_reasons(FILE *stream, const choose_candidate *candidates, size_t count,
                          const choose_need *need)
{
    char text[CHOOSE_WORDS], names[CHOOSE_MOST][96];
    int width = 0;
    for (size_t i = 0; i < count; i++) {
        const choose_candidate *c = &candidates[i];
        const int one = !strcmp(c->backend, "-");
        const int length = snprintf(names[i], sizeof names[i], "%.48s%s%.24s %s", c->name, one ? "" : " ",
                                    one ? "" : c->backend, gjb_precision_name(c->precision));
        width = length > width && !*c->lacks ? length : width;
    }
    for (size_t i = 0; i < count; i++) {
        if (*candidates[i].lacks)
            continue;
        choose_reason(candidates, count, i, need, text);
        if (*text) {
            fprintf(stream, "  %-*s  ", width, names[i]);
            cli_print_wrapped(stream, text, width + 4, width + 4);
        }
    }
}

/* Another backend of it was left out for the same reason. */
static int named_before(const choose_candidate *candidates, size_t from, size_t k)
{
    for (size_t i = from; i < k; i++)
        if (!strcmp(candidates[i].lacks, candidates[k].lacks) && !strcmp(candidates[i].name, candidates[k].name))
            return 1;
    return 0;
}

/* Those that were not asked, in a line for each reason. */
static void print_left_out(FILE *stream, const choose_candidate *candidates, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t first = 0;
        while (strcmp(candidates[first].lacks, candidates[i].lacks) != 0)
            first++;
        if (!*candidates[i].lacks || first < i)
            continue;
        fprintf(stream, "  left out, for want of %s:", candidates[i].lacks);
        for (size_t k = i; k < count; k++)
            if (!strcmp(candidates[k].lacks, candidates[i].lacks) && !named_before(candidates, i, k))
                fprintf(stream, "%s %s", k > i ? "," : "", candidates[k].name);
        fputc('\n', stream);
    }
}

void choose_print_ranking(FILE *stream, const choose_question *q, const choose_candidate *candidates,
                          size_t count, const choose_need *need)
{
    fprintf(stream,
            "\n%s%uD %s%s; wrong: off by more than %g S, or no answer; at most: the upper end of the 95%% "
            "interval\n",
            cli_color(stream, CLI_BOLD), (unsigned)q->dim, q->query, cli_color(stream, CLI_PLAIN),
            need->accuracy);
    print_table(stream, candidates, count);
    print_reasons(stream, candidates, count, need);
    print_left_out(stream, candidates, count);
}

static json_t *candidate_json(const choose_question *q, const choose_candidate *candidates, size_t count, size_t at,
                              const choose_need *need)
{
    const choose_candidate *c = &candidates[at];
    char reason[CHOOSE_WORDS];
    choose_reason(candidates, count, at, need, reason);
    json_t *o =
        json_pack("{ss ss ss ss ss ss ss sb sb}", "contender", c->name, "backend", c->backend, "precision",
                  gjb_precision_name(c->precision), "version", c->version, "licence", c->licence, "verdict",
                  choose_verdict_name(c->verdict), "reason", reason, "tied", c->tied, "does_more", c->more);
    if (c->rank)
        gjb_set_count(o, "rank", c->rank);
    if (c->timed) {
        gjb_set_number(o, "ns_per_pair", c->ns.median);
        gjb_set_number(o, "ns_low", c->ns.low);
        gjb_set_number(o, "ns_high", c->ns.high);
        gjb_set_number(o, "pairs_per_second", 1e9 / c->ns.median);
        if (q->compound_pairs)
            gjb_set_number(o, "ns_per_compound_pair", q->parts_each * c->ns.median);
        json_object_set_new(o, "reused", json_boolean(c->reused));
    }
    if (c->times > 0)
        gjb_set_number(o, "times_the_first", c->times);
    gjb_set_count(o, "graded", c->graded);
    gjb_set_count(o, "wrong", c->wrong);
    gjb_set_count(o, "unsupported", c->unsupported);
    if (c->too_slow) {
        gjb_set_count(o, "too_slow", c->too_slow);
        json_object_set_new(o, "too_slow_first", json_string(c->too_slow_first));
    }
    if (c->graded) {
        gjb_set_number(o, "wrong_share", share_of(c->wrong, c->graded));
        gjb_set_number(o, "wrong_share_upper", c->upper);
        gjb_set_number(o, "worst_error_by_size", c->worst);
    }
    if (c->mishap)
        json_object_set_new(o, "mishap", json_string(c->mishap));
    if (*c->lacks)
        json_object_set_new(o, "lacks", json_string(c->lacks));
    return o;
}

json_t *choose_json(const choose_question *q, const choose_candidate *candidates, size_t count,
                    const choose_need *need)
{
    char text[CHOOSE_WORDS];
    json_t *list = json_array(), *classes = json_object(), *licences = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, candidate_json(q, candidates, count, i, need));
    for (int k = 0; k < CHOOSE_CLASSES; k++)
        gjb_set_count(classes, choose_class_names[k], q->mix.classes[k]);
    for (size_t i = 0; need->licences && i < need->licences->count; i++)
        json_array_append_new(licences, json_string(need->licences->names[i]));
    sentence(q, candidates, count, need, text);
    json_t *choice = count && candidates[0].rank ? json_string(candidates[0].name) : json_null();
    json_t *compounds = q->compound_pairs ? json_integer((json_int_t)q->compound_pairs) : NULL;
    return json_pack("{si ss so ss s{ss ss ss* si sf si sI sI so so*} s{sf sf so} so}", "dim", (int)q->dim, "query",
                     q->query, "choice", choice, "sentence", text, "scene", "pairs", q->how, "shapes", q->shapes,
                     "call", q->by_frame ? "frame" : NULL, "pairs_per_call",
                     (int)(q->by_frame ? q->most : q->call), "pairs_per_frame", q->frame_pairs, "threads",
                     (int)q->threads, "looked_at", (json_int_t)q->mix.pairs, "overlapping",
                     (json_int_t)q->mix.overlapping, "classes", classes, "compound_pairs", compounds, "need",
                     "accuracy", need->accuracy, "wrong_share", need->wrong_share, "licences", licences, "candidates",
                     list);
}
