/* Made-up results of bench, verify, replay and history, the same every time. */
#include "reports/tests/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name; double gain; int lanes; } backends[] = {
    {"scalar", 1, 1}, {"sse4", 3.2, 4}, {"avx", 5.1, 8}, {"avx2", 5.8, 8}, {"avx512vl", 6.9, 8}, {"avx512", 11.3, 16},
};
enum { BACKENDS = 6 };
static const char *const queries[] = {"intersect", "distance", "penetration", "signed_distance"};
static const double query_cost[] = {1, 2.1, 3.4, 3.9};

typedef struct point {
    const char *query, *workload, *family, *contender, *backend, *precision, *sweep;
    double ns;
    int dim, shapes, call, threads;
    double occupancy, wrong_1e3;
} point;

/* A wobble that looks like noise and is the same every time. */
static double wobble(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return 1 + ((double)(*state >> 16) / 65536 - 0.5) * 0.06;
}

static void add(json_t *rows, const point *p, unsigned *state)
{
    char name[256], call[32] = "", threads[32] = "", label[32];
    double ns = p->ns * wobble(state);
    if (p->call != 4096)
        snprintf(call, sizeof call, "/call:%d", p->call);
    if (p->threads != 1)
        snprintf(threads, sizeof threads, "/threads:%d", p->threads);
    snprintf(name, sizeof name, "%dd/%s/%s/%s/shapes:%d%s%s/%s/%s/%s", p->dim, p->query, p->workload, p->family, p->shapes, call,
             threads, p->contender, p->backend, p->precision);
    snprintf(label, sizeof label, "%08x%08x", (unsigned)(strlen(p->query) * 2654435761u + (unsigned)p->shapes * 97u),
             (unsigned)(strlen(p->workload) * 40503u + (unsigned)p->family[0] * 7919u + (p->precision[1] == '6') + 31u * (unsigned)p->dim));
    json_t *row = json_pack(
        "{ss ss sf sf sf sf sf sf sf sf ss ss ss ss si ss ss ss si si si si ss}", "name", name, "run_type", "iteration",
        "ns_per_pair", ns, "ns_low", ns * 0.985, "ns_high", ns * 1.02, "ns_min", ns * 0.97, "pairs_per_second", 1e9 / ns,
        "prepare_ns_per_shape", 21.5, "wrong_rate", p->wrong_1e3 > 0 ? 2 * p->wrong_1e3 : strcmp(p->contender, "box2d") ? 0 : 2.4e-5, "worst_error_eps", 7.25,
        "label", label, "contender", p->contender, "backend", p->backend, "precision", p->precision, "dim", p->dim, "query",
        p->query, "workload", p->workload, "family", p->family, "shapes", p->shapes, "pairs",
        p->shapes > 32768 ? p->shapes / 2 : 16384, "pairs_per_call", p->call, "threads", p->threads, "sweep", p->sweep);
    json_object_set_new(row, "graded", json_integer(p->query[0] == 'i' && p->dim == 3 && p->wrong_1e3 > 0.1 ? 11900 : 12288));
    if (p->wrong_1e3 > 0)
        json_object_set_new(row, "wrong_rate_1e3", json_real(p->wrong_1e3));
    if (p->occupancy > 0) {
        json_t *bins = json_array();
        for (int i = 0; i < 32; i++)
            json_array_append_new(bins, json_integer((long)(1e6 * exp(-pow(i - 4 - 1.5 * (p->query[0] == 'p'), 2) / 5))));
        json_object_set_new(row, "iteration_histogram", bins);
        json_object_set_new(row, "lane_occupancy", json_real(p->occupancy));
        json_object_set_new(row, "mean_iterations", json_real(4.2));
        json_object_set_new(row, "careful_share", json_real(0.001));
        const char *digits = strpbrk(p->workload, "0123456789");
        json_object_set_new(row, "random_lines_per_pair", json_real(2 + 2 * ceil((digits ? atoi(digits) : 1) * 4 * p->dim / 64.0)));
    }
    json_array_append_new(rows, row);
}

/* Every contender at one place; `scale` multiplies the cost. */
static void place(json_t *rows, unsigned *state, point p, double scale, double overhead, int every, int all_queries)
{
    for (int q = 0; q < (all_queries ? 4 : 3); q++) {
        p.query = queries[q];
        for (int b = 0; b < BACKENDS; b++) {
            if (!every && b && b != BACKENDS - 1)
                continue;
            double half = p.precision[1] == '6' && b ? 1.9 : 1;
            p.contender = "batch";
            p.backend = backends[b].name;
            p.ns = 62 * query_cost[q] * scale * half / backends[b].gain + overhead / p.call;
            p.occupancy = 1 - 0.055 * log2(backends[b].lanes) * (q + 1) / 2 - (p.family[0] == 't' ? 0.08 : 0);
            add(rows, &p, state);
        }
        p.occupancy = 0;
        p.backend = "-";
        if (p.dim == 3 && q < 3) { /* the fastest packaged one is wrong, the other right */
            p.contender = "libccd-mpr";
            p.ns = 60 * query_cost[q] * scale;
            p.wrong_1e3 = 0.24;
            add(rows, &p, state);
            p.contender = "bullet-gjkepa";
            p.ns = 600 * query_cost[q] * scale;
            p.wrong_1e3 = 0.0009;
            add(rows, &p, state);
            p.wrong_1e3 = 0;
        } else if (p.precision[1] == '3' && q < 3) {
            p.contender = "box2d";
            p.ns = (q == 2 ? 160 : 74 * (1 + 0.12 * q)) * scale;
            if (strcmp(p.workload, "polygon256") && strcmp(p.workload, "polygon64") && strcmp(p.workload, "polygon32") &&
                strcmp(p.workload, "polygon16"))
                add(rows, &p, state);
        }
        const char *precision = p.precision;
        p.contender = "reference";
        p.precision = "f64";
        p.ns = 310 * query_cost[q] * scale;
        add(rows, &p, state);
        p.precision = precision;
    }
}

static json_t *context(void)
{
    return json_pack("{ss ss ss si ss ss ss si ss s[{ss si si}{ss si si}{ss si si}] s[{ss ss ss ss}{ss ss ss ss}{ss ss ss ss s[s]}]"
                     " s[{ss ss}] s{sf sf s[{si sf}{si sf}]} s[{ss ss si sf}{ss ss si sf}]}",
                     "date", "2026-01-02T03:04:05Z", "host_name", "sample", "cpu", "Made-up CPU @ 3.0 GHz (AVX-512)", "num_cpus",
                     8, "compiler", "gcc 12.2.0", "flags", "-O3 -ffp-contract=off -fno-math-errno", "commit", "0123456789ab",
                     "seed", 1, "gjkbench_version", "0.1.0", "caches", "type", "Data", "level", 1, "size", 32768, "type",
                     "Unified", "level", 2, "size", 1048576, "type", "Unified", "level", 3, "size", 33554432, "contenders",
                     "name", "batch", "version", "0.1.0", "licence", "MIT", "note",
                     "batched across pairs; the same bits from every backend", "name", "reference", "version", "0.1.0",
                     "licence", "MIT", "note", "scalar, double precision: GJK, then EPA if the cores overlap", "name", "box2d",
                     "version", "2.4.1", "licence", "MIT", "note",
                     "penetration is its contact manifold: it also clips a contact", "does_more", "penetration",
                     "missing", "name", "libccd", "advice", "apt-get install libccd-dev, then configure again",
                     "memory_ceiling", "ns_per_line", 5.6, "lines_per_second", 1.77e8, "rows", "bytes", 1 << 20,
                     "lines_per_second", 1e9, "bytes", 64 << 20, "lines_per_second", 1.77e8, "port_ceiling", "backend", "avx512",
                     "precision", "f32", "dim", 2, "vertices_per_second", 1.6e10, "backend", "avx512", "precision", "f32", "dim",
                     3, "vertices_per_second", 1.2e10);
}

/* What differs between the dimensions. */
static const struct {
    const char *base, *second; /* base point, and another second it or NULL */
    const char *vertices[7];
    double corners[7];
    const char *kinds[6];
} sets[] = {
    {"polygon8", NULL, {"polygon3", "polygon4", "polygon8", "polygon16", "polygon32", "polygon64", "polygon256"},
     {3, 4, 8, 16, 32, 64, 256}, {"circle", "capsule", "box", "rounded-box", "rounded-polygon8", "mixed-kinds"}},
    {"hull16", "box", {"hull4", "hull8", "hull16", "hull32", "hull64", "hull512", "hull4096"},
     {4, 8, 16, 32, 64, 512, 4096}, {"sphere", "capsule", "box", "rounded-box", "real64", "mixed-kinds"}},
};

json_t *sample_bench(int dim)
{
    static const int shapes[] = {16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1000000}, calls[] = {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536};
    const char *const *polygons = sets[dim - 2].vertices, *const *kinds = sets[dim - 2].kinds;
    const double *corners = sets[dim - 2].corners;
    static const char *const classes[] = {"far", "near", "touching", "shallow", "deep", "contained", "mixed"};
    static const double class_cost[] = {0.55, 0.9, 1.25, 1.1, 1.0, 0.8, 1};
    static const char *const scenes[] = {"scene-pyramid", "scene-tumbler", "scene-pile"};
    static const double kind_cost[] = {0.2, 0.45, 0.7, 0.75, 1.05, 0.9};
    json_t *rows = json_array();
    unsigned state = 1;
    const point base = {.dim = dim, .workload = sets[dim - 2].base, .family = "mixed", .precision = "f32", .sweep = "base", .shapes = 4096,
                        .call = 4096, .threads = 1};
    point p = base;
    place(rows, &state, p, 1, 90, 1, 1);
    if (sets[dim - 2].second) {
        p.workload = sets[dim - 2].second;
        place(rows, &state, p, 0.5, 90, 1, 1);
        p = base;
    }
    p.precision = "f64";
    p.sweep = "precision";
    place(rows, &state, p, 1.05, 90, 1, 1);
    p = base;
    p.family = "recorded";
    p.sweep = "scenes";
    for (int i = 0; i < 3; i++) {
        p.workload = scenes[i];
        place(rows, &state, p, 0.7 + 0.1 * i, 90, 0, 0);
    }
    p = base;
    p.sweep = "families";
    for (int i = 0; i < 7; i++) {
        p.family = classes[i];
        place(rows, &state, p, class_cost[i], 90, 0, 0);
    }
    p = base;
    p.sweep = "vertices";
    for (int i = 0; i < 7; i++) {
        p.workload = polygons[i];
        place(rows, &state, p, 0.4 + 0.075 * corners[i], 90, 0, 0);
    }
    p = base;
    p.sweep = "calls";
    for (int i = 0; i < 9; i++) {
        p.call = calls[i];
        place(rows, &state, p, 1, 400, 0, 0);
    }
    p = base;
    p.sweep = "kinds";
    for (int i = 0; i < 6; i++) {
        p.workload = kinds[i];
        place(rows, &state, p, kind_cost[i], 90, 0, 0);
    }
    p = base;
    p.sweep = "shapes";
    for (int i = 0; i < 9; i++) {
        p.shapes = shapes[i];
        double memory = p.shapes > 200000 ? 1.4 + 0.3 * (p.shapes > 500000) : 1 + 0.03 * log2(p.shapes / 16.0) / 10;
        place(rows, &state, p, memory, 90, 1, 0);
    }
    p = base;
    p.sweep = "map-vertices";
    for (int i = 1; i < 5; i++)
        for (int k = 0; k < 5; k++) {
            p.workload = polygons[i];
            p.family = classes[k];
            place(rows, &state, p, (0.4 + 0.075 * corners[i]) * class_cost[k], 90, 0, 0);
        }
    p = base;
    p.sweep = "map-shapes";
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            p.shapes = shapes[2 * i];
            p.call = calls[2 * k];
            place(rows, &state, p, 1 + 0.1 * i, 400, 0, 0);
        }
    p = base;
    p.sweep = "threads";
    for (int i = 1; i <= 8; i *= 2) {
        p.threads = i;
        place(rows, &state, p, 1 / (i * (1 - 0.02 * i)), 90, 0, 0);
    }
    return json_pack("{so so}", "context", context(), "benchmarks", rows);
}

json_t *sample_verify(int dim)
{
    static const char *const families[] = {"far", "near", "touching", "shallow", "deep", "contained", "mixed", "needle", "parallel",
                                           "identical", "repeated", "collinear", "tiny", "huge", "offset"};
    json_t *rows = json_array();
    for (int q = 0; q < 4; q++)
        for (int f = 0; f < 15; f++)
            for (int c = 0; c < 2 * BACKENDS + 2; c++) {
                int ours = c < 2 * BACKENDS, box2d = c == 2 * BACKENDS;
                int wide = ours ? c >= BACKENDS : !box2d;
                if (box2d && q == 3)
                    continue;
                int pairs = 20000, touching = f == 2, ungraded = touching ? 3100 : q ? 0 : 4;
                int wrong = box2d ? (f == 7 ? 812 : f == 11 ? 96 : f == 13 ? 2400 : f == 2 ? 9 : 0) : 0;
                char fingerprint[32];
                snprintf(fingerprint, sizeof fingerprint, "%08x%08x", 77u * (unsigned)q + (unsigned)f, ours ? (unsigned)wide : 99u);
                json_t *kinds[3];
                for (int k = 0; k < 3; k++) {
                    kinds[k] = json_array();
                    for (int i = 0; i < 16 && q && (k < 2 || ours); i++) {
                        double n = 20000 * exp2(-pow((i - 2.0 - q / 2.0 - k - (box2d ? 5 : 0)) / 2.0, 2));
                        json_array_append_new(kinds[k], json_integer((long)(!ours && !box2d && i > 3 ? 0 : n)));
                    }
                }
                json_t *bins = json_pack("{so so so}", "value", kinds[0], "normal", kinds[1], "witness", kinds[2]);
                json_array_append_new(rows, json_pack(
                    "{ss ss ss si ss ss ss si si si si si si si si si si si si sf ss so}", "contender", ours ? "batch" : box2d ? (dim == 2 ? "box2d" : "bullet-gjkepa") : "reference",
                    "backend", ours ? backends[c % BACKENDS].name : "-", "precision", wide ? "f64" : "f32", "dim", dim, "query", queries[q],
                    "workload", sets[dim - 2].base, "family", families[f], "pairs", pairs, "graded", pairs - ungraded, "ungraded", ungraded,
                    "wrong", wrong, "nan", 0, "hung", box2d && dim == 3 && f == 7 ? 3 : 0, "crashed", box2d && dim == 3 && f == 7 ? 5 : 0,
                    "unasked", box2d && dim == 3 && f == 7 ? 71 : 0, "capped", box2d && f == 7 ? 14 : 0, "careful", ours ? pairs / 50 : 0, "unproven", ours ? pairs / 100 : 0, "symmetry_wrong", 0, "worst_error_eps",
                    box2d ? 3.1e5 : 7.25 + q, "fingerprint", fingerprint, "error_histogram", bins));
            }
    return json_pack("{so s{si si sb} so}", "context", context(), "summary", "pairs", 600000, "seed", 1, "interrupted", 0,
                     "rows", rows);
}

json_t *sample_known(void)
{
    static const char *const rows[][5] = {
        {"case-a", "batch", "f32", "distance", "right"},           {"case-a", "libccd-mpr", "f64", "penetration", "wrong"},
        {"case-a", "libccd-mpr", "f64", "distance", "wrong"},      {"case-a", "bullet-gjkepa", "f32", "distance", "right"},
        {"case-b", "batch", "f32", "distance", "right"},           {"case-b", "bullet-gjkepa", "f32", "distance", "ungraded"},
        {"case-b", "libccd-mpr", "f64", "distance", "unsupported"},
    };
    json_t *cases = json_array();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        json_array_append_new(cases, json_pack("{ss ss ss ss ss ss}", "id", rows[i][0], "contender", rows[i][1], "backend",
                                               "-", "precision", rows[i][2], "query", rows[i][3], "verdict", rows[i][4]));
    return json_pack("{so so s[{ss si}]}", "context", context(), "cases", cases, "left_out", "reason", "shape 'cylinder'",
                     "count", 10);
}

json_t *sample_timeline(int dim)
{
    static const char *const queries[] = {"distance", "intersect"};
    json_t *all = json_array();
    for (int i = 0; i < 2; i++) {
        char name[64];
        json_t *times = json_array();
        for (int k = 0; k < 70; k++)
            json_array_append_new(times, json_real((i == 0 && k >= 30 ? 21.6 : 20) * (1 + 0.001 * (k * 7 % 11 - 5))));
        snprintf(name, sizeof name, "%dd/%s/polygon8/mixed/batch/avx512/f32", dim, queries[i]);
        json_t *levels = i ? json_pack("[{si si sf sf}]", "first", 0, "runs", 70, "ns", 20.0, "ratio", 1.0)
                           : json_pack("[{si si sf sf} {si si sf sf}]", "first", 0, "runs", 30, "ns", 20.0, "ratio", 1.0,
                                       "first", 30, "runs", 40, "ns", 21.6, "ratio", 1.08);
        json_t *changes = i ? json_array()
                            : json_pack("[{si sf s[ff] s{ss}}]", "at", 30, "ratio", 1.08, "interval", 1.077, 1.083, "by",
                                        "commit", "0123456789abcdef");
        json_array_append_new(all, json_pack("{ss ss ss ss ss si so so so sb}", "benchmark", name, "machine", "3fa4", "compiler",
                                             "gcc 12", "flags", "-O3", "build_type", "release", "seed", 1, "times", times,
                                             "levels", levels, "changes", changes, "slower", i == 0));
    }
    return json_pack("{so}", "series", all);
}

void sample_add_like(json_t *bench, size_t index, json_t *changes)
{
    json_t *rows = json_object_get(bench, "benchmarks"), *row = json_deep_copy(json_array_get(rows, index));
    json_object_update(row, changes);
    const double ns = json_number_value(json_object_get(row, "ns_per_pair"));
    json_object_set_new(row, "ns_low", json_real(0.985 * ns));
    json_object_set_new(row, "ns_high", json_real(1.02 * ns));
    json_decref(changes);
    json_array_append_new(rows, row);
}
