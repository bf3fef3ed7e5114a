/* What a search found, for people: the verdict, failures with the worst first, a row for each target; and as
 * an index. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "fuzz/hunt.h"

enum { COLUMNS = 100, FAILURES_SHOWN = 20 };

static long long count(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

static const char *word(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "-";
}

/* ---- the worst first ---- */

/* Of the pair's size; what is no answer is worse than any; a normal's length is a number of its own. */
static double severity(const json_t *failure)
{
    const json_t *error = json_object_get(failure, "error"), *length = json_object_get(failure, "length_off");
    const double size = json_number_value(json_object_get(failure, "size"));
    if (json_is_number(length))
        return fabs(json_number_value(length));
    return json_is_number(error) && size > 0 ? json_number_value(error) / size : INFINITY;
}

static int by_severity(const void *left, const void *right)
{
    const json_t *a = *(const json_t *const *)left, *b = *(const json_t *const *)right;
    const int ours = json_is_true(json_object_get(b, "ours")) - json_is_true(json_object_get(a, "ours"));
    const double x = severity(a), y = severity(b);
    return ours ? ours : x != y ? (x < y) - (x > y) : strcmp(word(a, "line"), word(b, "line"));
}

/* Those that are distinct; the caller frees. NULL out of memory. */
static const json_t **worst_first(const json_t *hunt, size_t *size)
{
    const json_t *failures = json_object_get(hunt, "failures"), *one;
    const json_t **list = malloc((json_array_size(failures) + 1) * sizeof *list);
    size_t i;
    *size = 0;
    json_array_foreach(failures, i, one)
        if (list && json_is_null(json_object_get(one, "same_as")))
            list[(*size)++] = one;
    if (list)
        qsort(list, *size, sizeof *list, by_severity);
    return list;
}

/* ---- text ---- */

/* Indented by two, in lines of COLUMNS. */
static void print_wrapped(const char *line, FILE *stream)
{
    while (*line) {
        size_t length = strlen(line);
        for (size_t cut = COLUMNS - 2; length > COLUMNS - 2 && cut > 0; cut--)
            if (line[cut] == ' ' || cut == 1)
                length = cut == 1 ? COLUMNS - 2 : cut;
        fprintf(stream, "  %.*s\n", (int)length, line);
        line += length;
        line += *line == ' ';
    }
}

static void print_failures(const json_t *hunt, FILE *stream, const gjb_verify_paint *paint)
{
    size_t size;
    const json_t **list = worst_first(hunt, &size);
    for (size_t i = 0; list && i < size && i < FAILURES_SHOWN; i++) {
        if (json_is_string(json_object_get(list[i], "file")))
            fprintf(stream, "\n%s%s%s\n", json_is_true(json_object_get(list[i], "ours")) ? paint->bad : "",
                    word(list[i], "file"), paint->plain);
        else
            fputc('\n', stream);
        print_wrapped(word(list[i], "line"), stream);
    }
    if (size > FAILURES_SHOWN)
        fprintf(stream, "\n... and %zu more, in README.md of --out and in --json\n", size - FAILURES_SHOWN);
    free(list);
}

static void print_rows(const json_t *hunt, FILE *stream, const gjb_verify_paint *paint)
{
    const json_t *one;
    size_t i;
    fprintf(stream, "\n%-20s %3s %-16s %4s %10s %10s %8s %9s\n", "contender", "dim", "query", "", "pairs",
            "graded", "wrong", "closest");
    json_array_foreach(json_object_get(hunt, "rows"), i, one) {
        const int bad = json_is_true(json_object_get(one, "ours")) && count(one, "wrong") > 0;
        fprintf(stream, "%-20s %2lldd %-16s %4s %10lld %10lld %s%8lld%s %9.3g\n", word(one, "contender"),
                count(one, "dim"), word(one, "query"), word(one, "precision"), count(one, "pairs"),
                count(one, "graded"), bad ? paint->bad : "", count(one, "wrong"), bad ? paint->plain : "",
                json_number_value(json_object_get(one, "closest")));
    }
    fputs("closest: the largest error of a right answer, in T\n", stream);
}

/* "1666 of 90000 answers are wrong ..." */
static void print_counts(const json_t *hunt, FILE *stream)
{
    const json_t *summary = json_object_get(hunt, "summary");
    if (!count(summary, "failures")) {
        fprintf(stream, "none of %lld graded answers is wrong; ", count(summary, "graded"));
        return;
    }
    fprintf(stream,
            "%lld of %lld graded answers are wrong, in %lld ways (by contender, query, shapes, how they "
            "lie\nand what is wrong), of which %lld are distinct%s; ",
            count(summary, "wrong"), count(summary, "graded"), count(summary, "failures"),
            count(summary, "distinct"), json_is_true(json_object_get(summary, "interrupted")) ? "" : " once shrunk");
}

/* Of each target, with one of them. */
static void print_slow(const json_t *hunt, FILE *stream, const gjb_verify_paint *paint)
{
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(hunt, "rows"), i, one) {
        const json_t *pair = json_object_get(one, "too_slow_pair");
        if (count(one, "too_slow"))
            fprintf(stream,
                    "%stoo slow to judge, and passed over: %lld of %s %lldd %s %s; one is pair %lld of "
                    "island %lld, %s%s\n",
                    paint->note, count(one, "too_slow"), word(one, "contender"), count(one, "dim"),
                    word(one, "query"), word(one, "precision"), count(pair, "pair"), count(pair, "island"),
                    word(pair, "file"), paint->plain);
    }
}

void gjb_hunt_print(const json_t *hunt, FILE *stream, const gjb_verify_paint *paint)
{
    const json_t *summary = json_object_get(hunt, "summary");
    const double seconds = json_number_value(json_object_get(summary, "seconds")),
                 searched = json_number_value(json_object_get(summary, "search_seconds"));
    print_counts(hunt, stream);
    fprintf(stream, "%s%lld of ours%s\n", count(summary, "of_ours") ? paint->bad : paint->good,
            count(summary, "of_ours"), paint->plain);
    fprintf(stream, "%lld pairs in %.1f s: %.1f s of search, %.1f s of shrinking and writing%s\n",
            count(summary, "pairs"), seconds, searched, seconds - searched,
            json_is_true(json_object_get(summary, "interrupted")) ? "; interrupted" : "");
    print_slow(hunt, stream, paint);
    print_failures(hunt, stream, paint);
    print_rows(hunt, stream, paint);
}

/* ---- the index ---- */

static void index_line(const json_t *failure, FILE *stream)
{
    char off[16], shapes[32];
    const double by = severity(failure);
    const json_t *kinds = json_object_get(failure, "kinds");
    /* Of a patch that lacks corners nothing says by how much. */
    const int unmeasured = !strcmp(word(failure, "symptom"), gjb_fault_name(GJB_FAULT_PATCH)) ||
                           !strcmp(word(failure, "symptom"), gjb_fault_name(GJB_FAULT_FEATURE));
    if (isinf(by))
        snprintf(off, sizeof off, unmeasured ? "-" : "no answer");
    else
        snprintf(off, sizeof off, "%.3g%s", by,
                 json_is_number(json_object_get(failure, "length_off")) ? " |n|" : " S");
    snprintf(shapes, sizeof shapes, "%s, %s", json_string_value(json_array_get(kinds, 0)),
             json_string_value(json_array_get(kinds, 1)));
    fprintf(stream, "    %-11s %-21.21s %.62s\n", off, shapes, word(failure, "file"));
}

static void write_index(FILE *stream, const void *context)
{
    const json_t *hunt = context, *one;
    size_t size, i;
    const json_t **list = worst_first(hunt, &size);
    fputs("# What `gjkbench fuzz` found\n\n", stream);
    print_counts(hunt, stream);
    fprintf(stream, "%lld of ours.\n\n", count(json_object_get(hunt, "summary"), "of_ours"));
    fputs(
        "NAME.json is the pair, for `gjkbench replay` and `explain`, with what is wrong in its note; "
        "NAME.svg\n"
        "shows it; NAME.c is a test that fails as long as it is wrong. Ours\n"
        "come first, then the worst: the error in sizes S of the pair, or by how much a normal's length |n|\n"
        "is off 1.\n\n",
        stream);
    fprintf(stream, "    %-11s %-21s %s\n", "off by", "shapes", "NAME");
    for (i = 0; list && i < size; i++)
        index_line(list[i], stream);
    fputs("\nRight, and closest to wrong of each target: the error in tolerances T, and NAME.json.\n\n",
          stream);
    json_array_foreach(json_object_get(hunt, "rows"), i, one)
        if (json_is_string(json_object_get(json_object_get(one, "closest_pair"), "file")))
            fprintf(stream, "    %-11.3g %.80s\n", json_number_value(json_object_get(one, "closest")),
                    word(json_object_get(one, "closest_pair"), "file"));
    free(list);
}

int gjb_hunt_index(const json_t *hunt, const char *folder, gjb_error *error)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/README.md", folder);
    return gjb_file_write(path, write_index, hunt, error);
}

int gjb_hunt_exit(const json_t *hunt)
{
    const json_t *summary = json_object_get(hunt, "summary");
    return count(summary, "conflicts") ? GJB_EXIT_HARNESS
           : count(summary, "of_ours") ? GJB_EXIT_WRONG
                                       : GJB_EXIT_OK;
}
