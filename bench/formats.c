/* Converts bench results to Bencher's Metric Format and to that of github-action-benchmark. */
#include "bench/formats.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/json_file.h"

const gjb_field gjb_format_fields[GJB_FORMAT_FIELDS] = {
    {"name", GJB_FIELD_TEXT, 1},
    {"ns_per_pair", GJB_FIELD_TIME, 1},
    {"ns_low", GJB_FIELD_TIME, 1},
    {"ns_high", GJB_FIELD_TIME, 1},
    {"wrong_rate", GJB_FIELD_COUNT, 0},
    {"mean_iterations", GJB_FIELD_COUNT, 0},
    {"label", GJB_FIELD_TEXT, 0},
};

static const char *name_of(const json_t *row)
{
    return json_string_value(json_object_get(row, "name"));
}

/* Bencher's Metric Format, https://bencher.dev/docs/reference/bencher-metric-format: measures by benchmark. Latency is
 * in nanoseconds there, throughput in operations a second. */
static json_t *to_bencher(const json_t *benchmarks)
{
    json_t *all = json_object(), *row;
    size_t i;
    json_array_foreach(benchmarks, i, row) {
        const double ns = gjb_number_at(row, "ns_per_pair"), low = gjb_number_at(row, "ns_low"),
                     high = gjb_number_at(row, "ns_high");
        json_t *measures = json_pack("{s{sf sf sf} s{sf sf sf}}", "latency", "value", ns, "lower_value", low,
                                     "upper_value", high, "throughput", "value", 1e9 / ns, "lower_value",
                                     1e9 / high, "upper_value", 1e9 / low);
        const json_t *wrong = json_object_get(row, "wrong_rate"),
                     *iterations = json_object_get(row, "mean_iterations");
        if (json_is_number(wrong))
            json_object_set_new(measures, "wrong-answer-rate",
                                json_pack("{sf}", "value", json_number_value(wrong)));
        if (iterations)
            json_object_set_new(measures, "iterations",
                                json_pack("{sf}", "value", json_number_value(iterations)));
        json_object_set_new(all, name_of(row), measures);
    }
    return all;
}

/* github-action-benchmark's own schema, "customSmallerIsBetter":
 * https://github.com/benchmark-action/github-action-benchmark */
static json_t *to_github(const json_t *benchmarks)
{
    json_t *all = json_array(), *row;
    size_t i;
    json_array_foreach(benchmarks, i, row) {
        const double ns = gjb_number_at(row, "ns_per_pair"), low = gjb_number_at(row, "ns_low"),
                     high = gjb_number_at(row, "ns_high");
        const char *print = json_string_value(json_object_get(row, "label"));
        const json_t *wrong = json_object_get(row, "wrong_rate");
        char range[64], extra[256], share[64] = "not graded";
        snprintf(range, sizeof range, "± %.3g", fmax(ns - low, high - ns));
        if (json_is_number(wrong))
            snprintf(share, sizeof share, "%.4g%%", 100 * json_number_value(wrong));
        snprintf(extra, sizeof extra, "95%% interval: %.4g to %.4g ns\nwrong answers: %s\nfingerprint: %s",
                 low, high, share, print ? print : "none");
        json_array_append_new(all, json_pack("{ss ss sf ss ss}", "name", name_of(row), "unit", "ns/pair",
                                             "value", ns, "range", range, "extra", extra));
    }
    return all;
}

const gjb_format gjb_formats[] = {
    {"bencher", "Bencher Metric Format: bencher run --adapter json --file FILE", to_bencher},
    {"github-action", "github-action-benchmark (tool customSmallerIsBetter)",
     to_github},
};
const size_t gjb_format_count = sizeof gjb_formats / sizeof *gjb_formats;

const gjb_format *gjb_format_find(const char *name)
{
    for (size_t i = 0; i < gjb_format_count; i++)
        if (!strcmp(gjb_formats[i].name, name))
            return &gjb_formats[i];
    return NULL;
}
