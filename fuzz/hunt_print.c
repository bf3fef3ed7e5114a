#include <string.h>

#include "fuzz/hunt.h"

static long long count(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

static const char *word(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "-";
}

void gjb_hunt_print(const json_t *hunt, FILE *stream, const gjb_verify_paint *paint)
{
    const json_t *summary = json_object_get(hunt, "summary"), *one;
    size_t i;
    fprintf(stream, "%-20s %3s %-16s %4s %10s %10s %8s %9s  %s\n", "contender", "dim", "query", "", "pairs",
            "graded", "wrong", "closest", "closest: the largest error of a right answer, in T");
    json_array_foreach(json_object_get(hunt, "rows"), i, one) {
        const int bad = json_is_true(json_object_get(one, "ours")) && count(one, "wrong") > 0;
        fprintf(stream, "%-20s %2lldd %-16s %4s %10lld %10lld %s%8lld%s %9.3g  %s\n", word(one, "contender"),
                count(one, "dim"), word(one, "query"), word(one, "precision"), count(one, "pairs"),
                count(one, "graded"), bad ? paint->bad : "", count(one, "wrong"), bad ? paint->plain : "",
                json_number_value(json_object_get(one, "closest")),
                word(json_object_get(one, "closest_pair"), "file"));
    }
    json_array_foreach(json_object_get(hunt, "failures"), i, one)
        if (json_is_null(json_object_get(one, "same_as")))
            fprintf(stream, "\n%s%s%s\n  %s\n", json_is_true(json_object_get(one, "ours")) ? paint->bad : "",
                    word(one, "file"), paint->plain, word(one, "line"));
    fprintf(stream,
            "\n%lld pairs, %lld answers graded, %lld failures, %lld of them distinct once shrunk, %s%lld of "
            "ours%s, in %.1f s%s\n",
            count(summary, "pairs"), count(summary, "graded"), count(summary, "failures"),
            count(summary, "distinct"), count(summary, "of_ours") ? paint->bad : paint->good,
            count(summary, "of_ours"), paint->plain, json_number_value(json_object_get(summary, "seconds")),
            json_is_true(json_object_get(summary, "interrupted")) ? "; interrupted" : "");
}

int gjb_hunt_exit(const json_t *hunt)
{
    const json_t *summary = json_object_get(hunt, "summary");
    return count(summary, "conflicts") ? GJB_EXIT_HARNESS
           : count(summary, "of_ours") ? GJB_EXIT_WRONG
                                       : GJB_EXIT_OK;
}
