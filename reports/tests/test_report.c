#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/gnuplot.h"
#include "reports/report.h"
#include "reports/tests/sample.h"
#include "reports/text.h"

static char folder[64];
static char page_path[128];

static void set_up(void)
{
    strcpy(folder, "/tmp/gjkbench-report-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(page_path, sizeof page_path, "%s/page/index.html", folder);
}

static void tear_down(void)
{
    char command[160];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
}

static const char *in_folder(const char *name)
{
    static char path[8][160];
    static int at;
    at = (at + 1) % 8;
    snprintf(path[at], sizeof path[at], "%s/%s", folder, name);
    return path[at];
}

static void write_text(const char *path, const char *content)
{
    FILE *f = fopen(path, "wb");
    cr_assert_not_null(f);
    fputs(content, f);
    fclose(f);
}

static const char *write_json(const char *name, json_t *json)
{
    const char *path = in_folder(name);
    cr_assert_eq(json_dump_file(json, path, 0), 0);
    json_decref(json);
    return path;
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    cr_assert_not_null(f, "%s is missing", path);
    char *s = calloc(1, 4 << 20);
    size_t n = fread(s, 1, (4 << 20) - 1, f);
    cr_assert_lt(n, 1000000, "%s has %zu bytes", path, n);
    fclose(f);
    return s;
}

static int have_gnuplot(void)
{
    char path[4096];
    return !gnuplot_find(path, sizeof path);
}

/* The page of these files; draws when `draw`. */
static char *page_of(const char *const *files, size_t n, int draw)
{
    gjb_error error = {{0}};
    setenv("GJKBENCH_GNUPLOT", draw ? "gnuplot" : "/nonexistent/gnuplot", 1);
    int got = gjb_report_write(files, n, in_folder("page"), &error);
    cr_assert_geq(got, 0, "%s", error.text);
    if (!draw) {
        cr_assert_eq(got, GJB_REPORT_UNDRAWN);
        cr_assert_not_null(strstr(error.text, "gnuplot"));
        cr_assert_not_null(strstr(error.text, "later"));
    } else if (have_gnuplot()) {
        cr_assert_eq(got, GJB_REPORT_DRAWN, "%s", error.text);
        cr_assert_str_empty(error.text);
    }
    return read_text(page_path);
}

static char *page_of_json(json_t *bench, json_t *verify, int draw)
{
    const char *files[2];
    size_t n = 0;
    if (bench)
        files[n++] = write_json("bench.json", bench);
    if (verify)
        files[n++] = write_json("verify.json", verify);
    return page_of(files, n, draw);
}

/* As `word` in text, not as part of another word. */
static int has_word(const char *s, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = s; (at = strcasestr(at, word)); at += n)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", at[-1]) &&
            !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", at[n]) &&
            strncmp(at, "NaN or hung", 11))
            return 1;
    return 0;
}

static size_t count_of(const char *s, const char *what)
{
    size_t n = 0;
    for (; (s = strstr(s, what)); s += strlen(what))
        n++;
    return n;
}

TestSuite(report, .init = set_up, .fini = tear_down);

static const char *const sections[] = {"headline", "throughput", "speedup", "vertices", "class", "kinds", "call", "scenes",
                                       "errors", "wrong", "lanes", "threads", "points", "machine", "contenders", "guide"};

static void expect_sections(const char *page)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        char id[64];
        snprintf(id, sizeof id, "<section id=\"%s\">", sections[i]);
        cr_expect_eq(count_of(page, id), 1, "section %s", sections[i]);
        snprintf(id, sizeof id, "href=\"#%s\"", sections[i]);
        cr_expect(!i || strstr(page, id), "no way to section %s", sections[i]);
    }
    cr_expect_not(has_word(page, "nan") || has_word(page, "inf") || has_word(page, "infinity"));
}

Test(report, page_has_every_section_and_draws)
{
    char *page = page_of_json(sample_bench(), sample_verify(), 1);
    expect_sections(page);
    cr_expect_null(strstr(page, "class=\"absent\""), "the sample leaves a section empty");
    if (have_gnuplot()) {
        /* as many drawings as figures, and one sheet of point marks */
        cr_expect_eq(count_of(page, "role=\"img\""), count_of(page, "<figure>"));
        cr_expect_gt(count_of(page, "<figure>"), 30);
        cr_expect_null(strstr(page, "rgb("), "a colour of gnuplot's own stayed");
        cr_expect_null(strstr(page, "gnuplot_plot"));
    }
    free(page);
}

Test(report, page_loads_nothing)
{
    char *page = page_of_json(sample_bench(), sample_verify(), 1);
    cr_expect_null(strstr(page, "<script"));
    cr_expect_null(strstr(page, "http"));
    cr_expect_null(strstr(page, "src="));
    cr_expect_null(strstr(page, "url("));
    cr_expect_null(strstr(page, "@import"));
    free(page);
}

static json_t *bench_of_two(double ours, double theirs)
{
    return json_pack("{s{s[{ss s[s]}]} s[{ss ss ss ss ss ss ss si si sf sf} {ss ss ss ss ss ss ss si si sf sf}]}", "context", "contenders",
                     "name", "box2d", "does_more", "penetration", "benchmarks",
                     "name", "a", "contender", "batch", "backend", "avx2", "query", "penetration", "workload", "polygon8",
                     "family", "mixed", "precision", "f32", "shapes", 4096, "threads", 1, "ns_per_pair", ours, "wrong_rate", 0.0,
                     "name", "b", "contender", "box2d", "backend", "-", "query", "penetration", "workload", "polygon8",
                     "family", "mixed", "precision", "f32", "shapes", 4096, "threads", 1, "ns_per_pair", theirs, "wrong_rate",
                     0.0021);
}

Test(report, headline_is_the_ratio_with_wrong_rates_beside)
{
    char *page = page_of_json(bench_of_two(8, 100), NULL, 0);
    cr_expect_not_null(strstr(page, "<span class=\"big\">12×"), "100 / 8 reads as 12 (12.5 rounded to even)");
    cr_expect_not_null(strstr(page, "Box2D †"), "what does more is marked wherever it appears");
    cr_expect_not_null(strstr(page, "0.21%"));
    cr_expect_not_null(strstr(page, "fastest: batch avx2"));
    free(page);
}

/* Even where the manifold is the fastest of all it makes no headline. */
Test(report, manifold_is_never_the_fastest)
{
    char *page = page_of_json(bench_of_two(100, 8), NULL, 0);
    cr_expect_not_null(strstr(page, "fastest: batch avx2"));
    cr_expect_null(strstr(page, "fastest: box2d"));
    free(page);
}

Test(report, verification_alone_makes_a_page)
{
    char *page = page_of_json(NULL, sample_verify(), 0);
    expect_sections(page);
    cr_expect_not_null(strstr(page, "gjkbench bench"), "absent sections say how to get them");
    cr_expect_not_null(strstr(page, "No wrong answer of ours."));
    cr_expect_not_null(strstr(page, "The same bits from every backend."));
    cr_expect_not_null(strstr(page, "12%"), "box2d is wrong among the huge");
    free(page);
}

Test(report, times_alone_make_a_page)
{
    char *page = page_of_json(sample_bench(), NULL, 0);
    expect_sections(page);
    cr_expect_not_null(strstr(page, "Nothing proven here."));
    free(page);
}

Test(report, wrong_answers_of_ours_and_unequal_bits_stand_out)
{
    json_t *verify = sample_verify(), *row = json_array_get(json_object_get(verify, "rows"), 0);
    json_object_set_new(row, "wrong", json_integer(3));
    json_object_set_new(row, "fingerprint", json_string("feedface"));
    char *page = page_of_json(NULL, verify, 0);
    cr_expect_not_null(strstr(page, "3 wrong answers of ours."), "the count of wrong answers");
    cr_expect_not_null(strstr(page, "Backends disagree."));
    cr_expect_not_null(strstr(page, "<li class=\"wrong\">"));
    free(page);
}

Test(report, unequal_bits_among_measured_points_stand_out)
{
    json_t *bench = sample_bench(), *row = json_array_get(json_object_get(bench, "benchmarks"), 0);
    json_object_set_new(row, "label", json_string("feedface"));
    char *page = page_of_json(bench, NULL, 0);
    cr_expect_not_null(strstr(page, "Backends disagree."));
    free(page);
}

Test(report, interrupted_runs_say_so)
{
    json_t *bench = sample_bench();
    json_object_set_new(json_object_get(bench, "context"), "interrupted", json_true());
    char *page = page_of_json(bench, NULL, 0);
    cr_expect_not_null(strstr(page, "Interrupted."));
    free(page);
    json_t *verify = sample_verify();
    json_object_set_new(json_object_get(verify, "summary"), "interrupted", json_true());
    page = page_of_json(NULL, verify, 0);
    cr_expect_not_null(strstr(page, "Interrupted."));
    free(page);
    page = page_of_json(sample_bench(), sample_verify(), 0);
    cr_expect_null(strstr(page, "Interrupted."));
    free(page);
}

/* What the lanes owe to memory and to large calls is said in words too. */
Test(report, facts_are_said_in_words)
{
    char *page = page_of_json(sample_bench(), sample_verify(), 0);
    cr_expect_not_null(strstr(page, "at 1,000,000 shapes avx512 keeps "));
    cr_expect_not_null(strstr(page, "memory gives for as many random lines"));
    cr_expect_not_null(strstr(page, "avx512 beats Box2D from "));
    cr_expect_not_null(strstr(page, "600,000 pairs, proven"));
    free(page);
}

Test(report, errors_are_told_apart_by_kind)
{
    free(page_of_json(NULL, sample_verify(), 0));
    char *csv = read_text(in_folder("page/data/errors-distance-f32.csv"));
    cr_expect_not_null(strstr(csv, "\r\nbatch,0.0625,"));
    cr_expect_not_null(strstr(csv, "\r\nbatch normal,"));
    cr_expect_not_null(strstr(csv, "\r\nbatch witness,"));
    cr_expect_not_null(strstr(csv, "\r\nbox2d,"));
    free(csv);
}

Test(report, csv_holds_the_numbers)
{
    free(page_of_json(sample_bench(), sample_verify(), 0));
    char *csv = read_text(in_folder("page/data/throughput-intersect-f32.csv"));
    cr_expect_eq(strncmp(csv, "series,shapes,pairs_per_second,low,high\r\n", 41), 0);
    cr_expect_eq(count_of(csv, "\r\navx512,"), 9, "nine shape counts");
    cr_expect_eq(count_of(csv, "\r\nreference f64,"), 9);
    json_t *bench = sample_bench(), *row;
    size_t i;
    int found = 0;
    json_array_foreach(json_object_get(bench, "benchmarks"), i, row) {
        const char *name = json_string_value(json_object_get(row, "name"));
        if (strcmp(name, "2d/intersect/polygon8/mixed/shapes:65536/batch/avx2/f32"))
            continue;
        char line[128];
        snprintf(line, sizeof line, "\r\navx2,65536,%.9g,", json_number_value(json_object_get(row, "pairs_per_second")));
        cr_expect_not_null(strstr(csv, line), "%s", line);
        found++;
    }
    cr_expect_eq(found, 1);
    json_decref(bench);
    free(csv);

    csv = read_text(in_folder("page/data/speedup-distance.csv"));
    cr_expect_eq(strncmp(csv, "series,backend,speedup", 22), 0);
    cr_expect_not_null(strstr(csv, "\r\nf32,avx512,"));
    cr_expect_not_null(strstr(csv, ",16\r\n"), "sixteen lanes of f32");
    free(csv);
    csv = read_text(in_folder("page/data/class-distance-f32.csv"));
    cr_expect_not_null(strstr(csv, "\r\navx512,touching,"));
    free(csv);
}

static const char hostile[] = "\"</title><script>alert(1)</script><img src=x onerror=a>'`\"\n\" at 0,0; system(\"touch pwned\")\n";

Test(report, hostile_strings_stay_text)
{
    json_t *bench = sample_bench(), *verify = sample_verify(), *row;
    static const char *const keys[] = {"name", "contender", "backend", "precision", "query", "workload", "family", "label", "sweep"};
    size_t i;
    json_array_foreach(json_object_get(bench, "benchmarks"), i, row)
        json_object_set_new(row, keys[i % 9], json_string(hostile));
    json_array_foreach(json_object_get(verify, "rows"), i, row)
        json_object_set_new(row, keys[1 + i % 6], json_string(hostile));
    static const char *const facts[] = {"cpu", "compiler", "flags", "commit", "date", "gjkbench_version", "host_name"};
    for (i = 0; i < 7; i++)
        json_object_set_new(json_object_get(bench, "context"), facts[i], json_string(hostile));
    json_object_set_new(json_object_get(bench, "context"), "contenders",
                        json_pack("[{ss ss ss ss}]", "name", hostile, "version", hostile, "licence", hostile, "note", hostile));
    json_object_set_new(json_object_get(bench, "context"), "missing",
                        json_pack("[{ss ss} i n]", "name", hostile, "advice", hostile, 3));
    json_object_set_new(json_object_get(bench, "context"), "memory_ceiling", json_pack("{ss}", hostile, hostile));
    json_object_set_new(json_object_get(bench, "context"), "caches", json_pack("[{ss ss si} i n]", "type", hostile, "level", "1", "size", -4, 3));
    const char *bench_path = write_json("bench.json", bench), *verify_path = write_json("verify.json", verify);
    cr_assert_eq(chdir(folder), 0);
    char *page = page_of((const char *const[]){bench_path, verify_path}, 2, 1);
    cr_expect_null(strstr(page, "<script"));
    cr_expect_null(strstr(page, "<img"));
    cr_expect_not_null(strstr(page, "&lt;script&gt;alert(1)"));
    cr_expect_neq(access("pwned", F_OK), 0);
    expect_sections(page);
    free(page);
}

Test(report, labels_for_gnuplot_are_harmless)
{
    text t = {0};
    text_gnuplot(&t, "a\"b\\c`d`$e\n@f{g}^_h\x01 avx2 †");
    cr_expect_str_eq(t.s, "a?b?c?d??e??f?g??_h? avx2 †");
    text_free(&t);
    text_gnuplot(&t, "0123456789012345678901234567890123456789much longer");
    cr_expect_eq(strlen(t.s), 40);
    text_free(&t);
}

Test(report, html_and_csv_are_escaped)
{
    text t = {0};
    text_html(&t, "<a href='x' b=\"y\">&\x02\n");
    cr_expect_str_eq(t.s, "&lt;a href=&#39;x&#39; b=&quot;y&quot;&gt;&amp;? ");
    text_free(&t);
    text_csv(&t, "plain");
    text_csv(&t, "a,\"b\"");
    cr_expect_str_eq(t.s, "plain\"a,\"\"b\"\"\"");
    text_free(&t);
}

Test(report, numbers_read_well)
{
    number n;
    cr_expect_str_eq(number_count(&n, 1234567), "1,234,567");
    cr_expect_str_eq(number_count(&n, 999), "999");
    cr_expect_str_eq(number_count(&n, -1234), "-1,234");
    cr_expect_str_eq(number_count(&n, NAN), "–");
    cr_expect_str_eq(number_figures(&n, 0.12345), "0.123");
    cr_expect_str_eq(number_figures(&n, 9.996), "10.0");
    cr_expect_str_eq(number_figures(&n, 12345), "12,345");
    cr_expect_str_eq(number_figures(&n, INFINITY), "–");
    cr_expect_str_eq(number_rate(&n, 0), "0");
    cr_expect_str_eq(number_rate(&n, 2.4e-5), "24 ppm");
    cr_expect_str_eq(number_rate(&n, 0.0021), "0.21%");
    cr_expect_str_eq(number_rate(&n, 0.5), "50%");
    cr_expect_str_eq(number_bytes(&n, 32768), "32 KiB");
    cr_expect_str_eq(number_bytes(&n, 1048576), "1 MiB");
}

static const struct { const char *content, *says; } bad[] = {
    {"", "bad.json:"},
    {"not json", "bad.json:1:"},
    {"[1, 2]", "neither bench results"},
    {"3", "bad.json"},
    {"{\"benchmarks\": 4}", "neither bench results"},
    {"{\"benchmarks\": []}", "no results"},
    {"{\"rows\": [3]}", "rows[0]: expected an object"},
    {"{\"context\": [], \"rows\": []}", "context: expected an object"},
    {"{\"benchmarks\": [{}]}", "benchmarks[0].name: missing"},
    {"{\"benchmarks\": [{\"name\": \"a\", \"contender\": \"b\", \"query\": \"c\"}]}", "benchmarks[0].ns_per_pair: missing"},
    {"{\"benchmarks\": [{\"name\": \"a\", \"contender\": \"b\", \"query\": \"c\", \"ns_per_pair\": \"x\"}]}",
     "benchmarks[0].ns_per_pair: expected a number"},
    {"{\"benchmarks\": [{\"name\": \"a\", \"contender\": \"b\", \"query\": \"c\", \"ns_per_pair\": 0}]}",
     "benchmarks[0].ns_per_pair: 0 is not positive"},
    {"{\"benchmarks\": [{\"name\": \"a\", \"contender\": \"b\", \"query\": \"c\", \"ns_per_pair\": 1, \"shapes\": -1}]}",
     "benchmarks[0].shapes: -1 is negative"},
    {"{\"benchmarks\": [{\"name\": \"a\", \"contender\": \"b\", \"query\": \"c\", \"ns_per_pair\": 1, \"iteration_histogram\": 1}]}",
     "iteration_histogram: expected an array"},
    {"{\"rows\": [{\"contender\": \"a\", \"query\": \"b\", \"pairs\": 1}]}", "rows[0].wrong: missing"},
    {"{\"rows\": [{\"contender\": \"a\", \"query\": \"b\", \"pairs\": 1, \"wrong\": 0, \"error_histogram\": [1, \"\"]}]}",
     "rows[0].error_histogram[1]: expected a count"},
    {"{\"rows\": [{\"contender\": \"a\", \"query\": \"b\", \"pairs\": 1e999, \"wrong\": 0}]}", "bad.json:1:"},
};

Test(report, bad_files_are_refused_in_one_line)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        gjb_error error = {{0}};
        const char *path = in_folder("bad.json");
        write_text(path, bad[i].content);
        cr_expect_lt(gjb_report_write(&path, 1, in_folder("page"), &error), 0, "%s", bad[i].content);
        cr_expect_not_null(strstr(error.text, bad[i].says), "'%s' gave '%s'", bad[i].content, error.text);
        cr_expect_not_null(strstr(error.text, "bad.json"), "'%s' gave '%s'", bad[i].content, error.text);
        cr_expect_null(strchr(error.text, '\n'));
        cr_expect_neq(access(page_path, F_OK), 0, "a page was written all the same");
    }
}

Test(report, unreadable_files_and_folders_are_refused)
{
    gjb_error error = {{0}};
    const char *path = in_folder("absent.json");
    cr_expect_lt(gjb_report_write(&path, 1, in_folder("page"), &error), 0);
    cr_expect_not_null(strstr(error.text, "absent.json"), "%s", error.text);
    error.text[0] = '\0';
    path = folder; /* a folder is no file */
    cr_expect_lt(gjb_report_write(&path, 1, in_folder("page"), &error), 0);
    cr_expect_str_not_empty(error.text);
    error.text[0] = '\0';
    cr_expect_lt(gjb_report_write(NULL, 0, in_folder("page"), &error), 0);
    cr_expect_str_not_empty(error.text);
    error.text[0] = '\0';
    path = write_json("verify.json", sample_verify());
    write_text(in_folder("occupied"), "a file");
    cr_expect_lt(gjb_report_write(&path, 1, in_folder("occupied/page"), &error), 0);
    cr_expect_not_null(strstr(error.text, "occupied"), "%s", error.text);
}

/* A gnuplot that fails, or prints something else, costs the drawings alone. */
Test(report, a_broken_gnuplot_leaves_a_page_with_tables)
{
    static const char *const scripts[] = {"#!/bin/sh\nexit 3\n", "#!/bin/sh\necho hello\n", "#!/bin/sh\necho '</svg>'\n",
                                          "#!/bin/sh\necho '<svg viewBox=\"0 0 9 9\"></defs></svg>'\nexit 1\n"};
    for (size_t i = 0; i < 4; i++) {
        gjb_error error = {{0}};
        const char *path = write_json("bench.json", sample_bench()), *program = in_folder("gnuplot");
        write_text(program, scripts[i]);
        cr_assert_eq(chmod(program, 0755), 0);
        setenv("GJKBENCH_GNUPLOT", program, 1);
        cr_expect_eq(gjb_report_write(&path, 1, in_folder("page"), &error), GJB_REPORT_UNDRAWN);
        cr_expect_not_null(strstr(error.text, "gnuplot"));
        char *page = read_text(page_path);
        expect_sections(page);
        cr_expect_null(strstr(page, "role=\"img\""));
        free(page);
    }
}

Test(report, another_base_point_is_named)
{
    json_t *bench = bench_of_two(8, 100), *row;
    size_t i;
    json_array_foreach(json_object_get(bench, "benchmarks"), i, row)
        json_object_set_new(row, "workload", json_string("hull16"));
    char *page = page_of_json(bench, NULL, 0);
    cr_expect_not_null(strstr(page, "The standard base point was not measured"));
    cr_expect_not_null(strstr(page, "hull16"));
    cr_expect_not_null(strstr(page, "<span class=\"big\">12×"));
    free(page);
}
