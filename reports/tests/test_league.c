/* The league table: made from results, merged, read back, ranked and drawn, with bad files refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/league/league_rank.h"
#include "reports/report.h"
#include "reports/tests/pages.h"
#include "reports/tests/sample.h"

TestSuite(league, .init = set_up, .fini = tear_down);

static const char *write_text(const char *name, const char *content)
{
    const char *path = in_folder(name);
    FILE *f = fopen(path, "wb");
    cr_assert_not_null(f);
    fputs(content, f);
    fclose(f);
    return path;
}

static json_t *parse(const char *s)
{
    json_error_t at;
    json_t *json = json_loads(s, 0, &at);
    cr_assert_not_null(json, "%d:%d: %s", at.line, at.column, at.text);
    return json;
}

static json_t *entry_of(json_t *league, const char *contender, const char *backend)
{
    json_t *one;
    size_t i;
    json_array_foreach(json_object_get(league, "entries"), i, one)
        if (!strcmp(json_string_value(json_object_get(one, "contender")), contender) &&
            !strcmp(json_string_value(json_object_get(one, "backend")), backend))
            return one;
    return NULL;
}

static double number_at(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* ---- making ---- */

#define VERIFIED(family, workload, graded, wrong, worst, again, flipped, change)                                        \
    "{\"contender\":\"other\",\"backend\":\"-\",\"precision\":\"f32\",\"dim\":2,\"query\":\"distance\",\"family\":\"" family  \
    "\",\"workload\":\"" workload "\",\"pairs\":" graded ",\"graded\":" graded ",\"wrong\":" wrong ",\"hung\":1,"            \
    "\"ungraded\":3,\"unsupported\":4,\"beyond_1e6\":5,\"beyond_1e3\":6,\"nan\":7,\"crashed\":8,\"unasked\":9,"             \
    "\"capped\":10,\"unwritten\":11,\"symmetry_wrong\":2,\"worst_error_eps\":" worst ",\"metrics\":{\"repeat\":{\"pairs\":10,\"again\":" again              \
    ",\"reordered\":0,\"other_session\":0},\"shifts\":[{\"log2\":20,\"pairs\":9,\"inexact\":1,\"changed\":5,\"flipped\":"    \
    flipped ",\"worst_eps\":" change "}]}}"

static const char verified[] =
    "{\"context\":{\"date\":\"2026-01-02T00:00:00Z\",\"commit\":\"abc\",\"cpu\":\"X\",\"num_cpus\":4,\"contenders\":"
    "[{\"name\":\"other\",\"version\":\"2\",\"licence\":\"Zlib\"},{\"name\":\"idle\",\"version\":\"1\"}]},"
    "\"summary\":{\"seed\":7},\"rows\":["
    VERIFIED("far", "polygon8", "100", "1", "3.5", "4", "2", "7.5") ","
    VERIFIED("far", "box", "50", "0", "9.5", "0", "1", "2.5") ","
    VERIFIED("deep", "box", "20", "20", "4", "1", "0", "1") "]}";

#define MEASURED(name, workload, family, sweep, ns, shapes)                                                            \
    "{\"name\":\"" name "\",\"contender\":\"other\",\"backend\":\"-\",\"precision\":\"f32\",\"dim\":2,\"query\":\"distance\"," \
    "\"workload\":\"" workload "\",\"family\":\"" family "\",\"sweep\":\"" sweep "\",\"ns_per_pair\":" ns ",\"ns_low\":1," \
    "\"ns_high\":2,\"label\":\"ff\",\"shapes\":" shapes ",\"threads\":1,\"pairs_per_call\":4096}"

static const char measured[] =
    "{\"context\":{},\"benchmarks\":["
    MEASURED("c", "polygon64", "mixed", "vertices", "30", "2048") ","
    MEASURED("a", "polygon8", "mixed", "base,families,vertices", "10.123456", "4096") ","
    MEASURED("b", "polygon8", "far", "families", "20", "4096") ","
    MEASURED("e", "polygon256", "mixed", "vertices-f64", "50", "1024") ","
    MEASURED("d", "polygon8", "mixed", "shapes", "40", "64") "]}";

Test(league, counts_are_summed_and_times_find_their_places)
{
    const char *files[] = {write_text("v.json", verified), write_text("b.json", measured)};
    gjb_error error = {{0}};
    json_t *league = gjb_league_make(files, 2, &error);
    cr_assert_not_null(league, "%s", error.text);
    cr_expect_eq(json_array_size(json_object_get(league, "entries")), 1);
    cr_expect_eq(json_array_size(json_object_get(league, "contenders")), 1, "who has no entry is not told of");
    cr_expect_eq(number_at(json_object_get(league, "context"), "seed"), 7);
    json_t *entry = entry_of(league, "other", "-");
    cr_assert_not_null(entry);
    const struct { const char *key; double value; } whole[] = {
        {"pairs", 170}, {"graded", 170}, {"wrong", 21}, {"hung", 3}, {"symmetry_wrong", 6}, {"worst_error_eps", 9.5},
        {"ungraded", 9}, {"unsupported", 12}, {"beyond_1e6", 15}, {"beyond_1e3", 18}, {"nan", 21}, {"crashed", 24},
        {"unasked", 27}, {"capped", 30}, {"unwritten", 33}};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        cr_expect_eq(number_at(entry, whole[i].key), whole[i].value, "%s: %g", whole[i].key,
                     number_at(entry, whole[i].key));
    json_t *expected = parse("{\"families\":{\"far\":[150,1],\"deep\":[20,20]},\"base\":{\"polygon8\":[10.123,1,2]},"
                             "\"classes\":{\"mixed\":[10.123,1,2],\"far\":[20,1,2]},"
                             "\"vertices\":{\"polygon8\":[10.123,1,2,8],\"polygon64\":[30,1,2,64],\"polygon256\":[50,1,2,256]},"
                             "\"metrics\":{\"repeat\":{\"pairs\":30,\"again\":5,\"reordered\":0,\"other_session\":0},"
                             "\"shifts\":[{\"log2\":20,\"pairs\":27,\"inexact\":3,\"changed\":15,\"flipped\":3,"
                             "\"worst_eps\":7.5}]},\"fingerprint\":\"ff\",\"date\":\"2026-01-02T00:00:00Z\","
                             "\"commit\":\"abc\"}");
    const char *key;
    json_t *value;
    json_object_foreach(expected, key, value) {
        char *got = json_dumps(json_object_get(entry, key), JSON_ENCODE_ANY);
        cr_expect(json_equal(json_object_get(entry, key), value), "%s: %s", key, got ? got : "missing");
        free(got);
    }
    json_decref(expected);
    json_decref(league);
}

Test(league, an_error_without_bound_stays_without_bound)
{
    json_t *file = parse(verified), *rows = json_object_get(file, "rows");
    json_object_set_new(json_array_get(rows, 1), "worst_error_eps", json_null());
    const char *path = write_json("v.json", file);
    gjb_error error = {{0}};
    json_t *league = gjb_league_make(&path, 1, &error);
    cr_assert_not_null(league, "%s", error.text);
    cr_expect(json_is_null(json_object_get(entry_of(league, "other", "-"), "worst_error_eps")));
    json_decref(league);
}

Test(league, a_row_that_is_written_reads_the_same)
{
    const char *files[] = {write_text("v.json", verified), write_text("b.json", measured)};
    gjb_error error = {{0}};
    json_t *league = gjb_league_make(files, 2, &error);
    json_t *entry = entry_of(league, "other", "-");
    league_row row;
    cr_assert_eq(league_read(&row, entry, "x", &error), 0, "%s", error.text);
    json_t *again = league_row_json(&row);
    cr_expect(json_equal(entry, again));
    json_decref(again);
    json_decref(league);
}

static void expect_cells(json_t *entry, const char *key, const char *value)
{
    json_t *wanted = parse(value), *got = json_object_get(entry, key);
    char *text = json_dumps(got, JSON_ENCODE_ANY);
    cr_expect(json_equal(got, wanted), "%s %s, %s: %s", json_string_value(json_object_get(entry, "contender")),
              json_string_value(json_object_get(entry, "query")), key, text ? text : "missing");
    free(text);
    json_decref(wanted);
}

#define ASKED_IN_SPACE(contender, query, workload, family, sweep, ns)                                                \
    "{\"name\":\"a\",\"contender\":\"" contender "\",\"backend\":\"-\",\"precision\":\"f32\",\"dim\":3,\"query\":\"" query  \
    "\",\"workload\":\"" workload "\",\"family\":\"" family "\",\"sweep\":\"" sweep "\",\"ns_per_pair\":" ns              \
    ",\"ns_low\":1,\"ns_high\":2,\"shapes\":4096,\"threads\":1,\"pairs_per_call\":4096}"
#define IN_SPACE(contender, ...) ASKED_IN_SPACE(contender, "distance", __VA_ARGS__)

static const char boxes[] =
    "{\"context\":{},\"benchmarks\":["
    IN_SPACE("any", "hull16", "mixed", "base", "10") "," IN_SPACE("any", "hull16", "far", "families", "11") ","
    IN_SPACE("any", "box", "far", "families-box,map-vertices", "5") ","
    IN_SPACE("boxes", "box", "mixed", "base,families-box", "3") ","
    IN_SPACE("boxes", "box", "deep", "families-box", "4") "]}";

Test(league, who_takes_boxes_alone_has_its_classes_there)
{
    gjb_error error = {{0}};
    const char *path = write_text("b.json", boxes);
    json_t *league = gjb_league_make(&path, 1, &error);
    cr_assert_not_null(league, "%s", error.text);
    static const struct { const char *who, *key, *value; } cells[] = {
        {"any", "classes", "{\"mixed\":[10,1,2],\"far\":[11,1,2]}"}, {"any", "box_classes", "{\"far\":[5,1,2]}"},
        {"boxes", "classes", "{}"}, {"boxes", "box_classes", "{\"mixed\":[3,1,2],\"deep\":[4,1,2]}"}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        expect_cells(entry_of(league, cells[i].who, "-"), cells[i].key, cells[i].value);
    path = write_json("l.json", league);
    setenv("GJKBENCH_GNUPLOT", "/nonexistent/gnuplot", 1);
    cr_assert_geq(gjb_report_write(&path, 1, in_folder("page"), &error), 0, "%s", error.text);
    char *page = read_text(in_folder("page/index.html"));
    static const char *const words[] = {"deep: 1.00 to 2.00 ns\">4.0<small>box</small>", "title=\"not supported\">–",
                                        "far: 1.00 to 2.00 ns\">11</td>",
                                        "title=\"not measured\">–"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cr_expect(strstr(page, words[i]), "'%s' is not on the page", words[i]);
    free(page);
}

static const char moving[] =
    "{\"context\":{},\"benchmarks\":["
    ASKED_IN_SPACE("any", "toi", "hull16", "approach-turn", "base,motion", "10") ","
    ASKED_IN_SPACE("any", "toi", "hull16", "approach", "base,motion", "7") ","
    ASKED_IN_SPACE("any", "toi", "hull16", "graze-motion", "motion", "99") ","
    ASKED_IN_SPACE("any", "toi", "hull32", "approach-turn", "motion-vertices", "20") ","
    ASKED_IN_SPACE("any", "toi", "box", "approach-turn", "base,motion-vertices", "5") ","
    ASKED_IN_SPACE("any", "sweep", "box", "box-sweep", "base,swept,swept-shapes", "2") ","
    ASKED_IN_SPACE("any", "sweep", "box", "box-axis", "swept", "3") "]}";

Test(league, queries_in_motion_have_their_own_families)
{
    gjb_error error = {{0}};
    const char *path = write_text("m.json", moving);
    json_t *league = gjb_league_make(&path, 1, &error), *entries = json_object_get(league, "entries");
    cr_assert_not_null(league, "%s", error.text);
    cr_assert_eq(json_array_size(entries), 2);
    static const struct { size_t entry; const char *key, *value; } cells[] = {
        {0, "base", "{\"hull16\":[10,1,2],\"box\":[5,1,2]}"},
        {0, "classes", "{\"approach-turn\":[10,1,2],\"approach\":[7,1,2]}"},
        {0, "box_classes", "{\"approach-turn\":[5,1,2]}"},
        {0, "vertices", "{\"hull16\":[10,1,2,16],\"hull32\":[20,1,2,32]}"},
        {1, "base", "{\"box\":[2,1,2]}"},
        {1, "box_classes", "{\"box-sweep\":[2,1,2],\"box-axis\":[3,1,2]}"}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        expect_cells(json_array_get(entries, cells[i].entry), cells[i].key, cells[i].value);
    path = write_json("l.json", league);
    setenv("GJKBENCH_GNUPLOT", "/nonexistent/gnuplot", 1);
    cr_assert_geq(gjb_report_write(&path, 1, in_folder("page"), &error), 0, "%s", error.text);
    char *page = read_text(in_folder("page/index.html"));
    static const char *const words[] = {"class=\"tile\">turn</th>", "approach: 1.00 to 2.00 ns\">7.0</td>",
                                        "class=\"tile\">graze</th>", "box-axis: 1.00 to 2.00 ns\">3.0</td>"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cr_expect(strstr(page, words[i]), "'%s' is not on the page", words[i]);
    free(page);
}

/* Where most were timed at boxes, classes are those of boxes too. */
Test(league, a_table_of_boxes_has_the_classes_of_boxes)
{
    json_t *file = parse(boxes), *rows = json_object_get(file, "benchmarks");
    json_t *more = json_deep_copy(json_array_get(rows, 3));
    json_object_set_new(more, "contender", json_string("any"));
    json_array_append_new(rows, more);
    const char *path = write_json("b.json", file);
    gjb_error error = {{0}};
    setenv("GJKBENCH_GNUPLOT", "/nonexistent/gnuplot", 1);
    cr_assert_geq(gjb_report_write(&path, 1, in_folder("page"), &error), 0, "%s", error.text);
    char *page = read_text(in_folder("page/index.html"));
    static const char *const words[] = {"nanoseconds a pair, box", "far: 1.00 to 2.00 ns\">5.0</td>",
                                        "deep: 1.00 to 2.00 ns\">4.0</td>"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cr_expect(strstr(page, words[i]), "'%s' is not on the page", words[i]);
    free(page);
}

Test(league, a_run_of_boxes_alone_says_nothing_of_hulls)
{
    json_t *file = parse(boxes), *rows = json_object_get(file, "benchmarks");
    json_array_remove(rows, 0), json_array_remove(rows, 0);
    const char *path = write_json("b.json", file);
    gjb_error error = {{0}};
    json_t *league = gjb_league_make(&path, 1, &error);
    cr_assert_not_null(league, "%s", error.text);
    json_t *entry = entry_of(league, "boxes", "-");
    cr_expect_eq(json_object_size(json_object_get(entry, "classes")), 0);
    cr_expect_eq(json_object_size(json_object_get(entry, "box_classes")), 2);
    json_decref(league);
}

/* ---- merging ---- */

#define ENTRY(contender, backend, pairs)                                                                              \
    "{\"contender\":\"" contender "\",\"backend\":\"" backend "\",\"precision\":\"f32\",\"query\":\"distance\",\"dim\":2," \
    "\"pairs\":" pairs "}"
#define LEAGUE(cpu, seed, version, entries)                                                                           \
    "{\"league\":1,\"context\":{\"cpu\":\"" cpu "\",\"num_cpus\":2,\"seed\":" seed "},\"contenders\":[{\"name\":\"a\","   \
    "\"version\":\"1\"},{\"name\":\"b\",\"version\":\"" version "\"},{\"name\":\"c\",\"version\":\"1\"}],\"entries\":["      \
    entries "]}"

static json_t *merged_with(const char *before, gjb_league_change *change)
{
    json_t *kept = parse(before);
    json_t *fresh = parse(LEAGUE("X", "1", "2", ENTRY("a", "-", "10") "," ENTRY("b", "x", "20")));
    json_t *list = json_object_get(fresh, "contenders");
    json_array_remove(list, 2); /* c did not take part */
    json_t *merged = gjb_league_merge(kept, fresh, change);
    cr_assert_not_null(merged);
    cr_expect_eq(json_array_size(json_object_get(fresh, "entries")), 2, "what was merged stays as it was");
    json_decref(kept);
    json_decref(fresh);
    return merged;
}

Test(league, who_took_part_is_renewed_and_who_did_not_is_kept)
{
    gjb_league_change change;
    json_t *merged = merged_with(LEAGUE("X", "1", "2", ENTRY("a", "-", "1") "," ENTRY("b", "y", "2") "," ENTRY("c", "-", "3")),
                                 &change);
    cr_expect(change.renewed == 1 && change.added == 1 && change.kept == 2 && change.outdated == 0 && !*change.refused,
              "%zu renewed, %zu added, %zu kept, %zu outdated", change.renewed, change.added, change.kept, change.outdated);
    cr_expect_eq(json_array_size(json_object_get(merged, "entries")), 4);
    cr_expect_eq(number_at(entry_of(merged, "a", "-"), "pairs"), 10);
    cr_expect_eq(number_at(entry_of(merged, "b", "x"), "pairs"), 20);
    cr_expect_eq(number_at(entry_of(merged, "b", "y"), "pairs"), 2);
    cr_expect_eq(number_at(entry_of(merged, "c", "-"), "pairs"), 3);
    cr_expect_eq(json_array_size(json_object_get(merged, "contenders")), 3);
    json_decref(merged);
}

/* Each key alone tells entries apart. */
Test(league, what_differs_in_one_key_is_another_entry)
{
    static const char *const keys[] = {"contender", "backend", "precision", "query", "dim"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        gjb_league_change change;
        json_t *kept = parse(LEAGUE("X", "1", "2", ENTRY("a", "-", "1")));
        json_t *fresh = parse(LEAGUE("X", "1", "2", ENTRY("a", "-", "10")));
        json_t *entry = json_array_get(json_object_get(fresh, "entries"), 0);
        json_object_set_new(entry, keys[k], k == 4 ? json_integer(3) : json_string("b"));
        json_t *merged = gjb_league_merge(kept, fresh, &change);
        cr_expect(change.kept == 1 && change.added == 1 && change.renewed == 0, "%s: %zu kept, %zu renewed", keys[k],
                  change.kept, change.renewed);
        cr_expect_eq(json_array_size(json_object_get(merged, "entries")), 2, "%s", keys[k]);
        json_decref(merged);
        json_decref(kept);
        json_decref(fresh);
    }
}

Test(league, entries_of_another_version_go)
{
    gjb_league_change change;
    json_t *merged = merged_with(LEAGUE("X", "1", "1", ENTRY("b", "y", "2") "," ENTRY("c", "-", "3")), &change);
    cr_expect(change.outdated == 1 && change.kept == 1 && change.added == 2);
    cr_expect_null(entry_of(merged, "b", "y"));
    json_decref(merged);
}

Test(league, another_machine_or_seed_is_refused_and_said)
{
    static const struct { const char *before, *says; } cases[] = {
        {LEAGUE("Y", "1", "2", ENTRY("c", "-", "3")), "cpu was Y, and is X"},
        {LEAGUE("X", "9", "2", ENTRY("c", "-", "3")), "seed was 9, and is 1"},
        {"{\"league\":1,\"context\":{\"cpu\":\"X\",\"seed\":1},\"contenders\":[],\"entries\":[" ENTRY("c", "-", "3") "]}",
         "num_cpus was not said, and is 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gjb_league_change change;
        json_t *merged = merged_with(cases[i].before, &change);
        cr_expect_str_eq(change.refused, cases[i].says);
        cr_expect_eq(change.kept, 0);
        cr_expect_null(entry_of(merged, "c", "-"));
        cr_expect_eq(json_array_size(json_object_get(merged, "entries")), 2);
        json_decref(merged);
    }
}

/* ---- reading ---- */

Test(league, a_bad_file_is_refused_in_one_line)
{
#define ONE(more) "{\"league\":1,\"entries\":[{\"contender\":\"a\",\"backend\":\"-\",\"precision\":\"f32\",\"query\":\"distance\"," more "}]}"
    static const struct { const char *text, *says; } cases[] = {
        {"{\"entries\":[]}", "l.json: league: expected version 1"},
        {"{\"league\":2,\"entries\":[]}", "l.json:1:11: league: expected version 1"},
        {"{\"league\":1,\"entries\":[7]}", "l.json:1:24: entries[0]: expected an object"},
        {"{\"league\":1,\"entries\":[{}]}", "entries[0].contender: missing"},
        {ONE("\"dim\":4"), "entries[0].dim: 4 is neither 2 nor 3"},
        {ONE("\"dim\":2,\"pairs\":-1"), "entries[0].pairs: -1 is negative"},
        {ONE("\"dim\":2,\"wrong\":2,\"graded\":1"), "entries[0].wrong: 2 of 1 graded answers"},
        {ONE("\"dim\":2,\"classes\":[]"), "entries[0].classes: expected an object"},
        {ONE("\"dim\":2,\"classes\":{\"far\":[1,2]}"), "entries[0].classes.far: expected an array of 3 numbers"},
        {ONE("\"dim\":2,\"families\":{\"far\":[1,\"x\"]}"), "entries[0].families.far[1]: expected a number"},
        {ONE("\"dim\":2,\"base\":{\"box\":[null,1,1]}"), "entries[0].base.box[0]: expected a number"},
        {ONE("\"dim\":2,\"metrics\":{}"), "entries[0].metrics.repeat: expected an object"},
        {ONE("\"dim\":2,\"metrics\":{\"repeat\":{\"pairs\":1,\"again\":0,\"reordered\":0,\"other_session\":-3},\"shifts\":[]}"),
         "entries[0].metrics.repeat.other_session: -3 is negative"},
        {"{\"rows\":[{\"contender\":\"a\",\"query\":\"distance\",\"pairs\":1,\"wrong\":0}]}", "l.json: no league table"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gjb_error error = {{0}};
        const char *path = write_text("l.json", cases[i].text);
        json_t *league = gjb_league_load(path, &error);
        cr_expect_null(league);
        cr_expect(strstr(error.text, cases[i].says) && !strchr(error.text, '\n'), "%s: %s", cases[i].text, error.text);
    }
}

/* ---- ranking and drawing ---- */

static const char table[] =
    "{\"league\":1,\"context\":{\"cpu\":\"X\"},\"contenders\":[{\"name\":\"slow\",\"version\":\"1.2.3\",\"licence\":\"BSD-3-Clause\","
    "\"note\":\"says <so>\"},{\"name\":\"quick\",\"version\":\"4.5.6\",\"licence\":\"MIT\",\"does_more\":[\"distance\"]}],\"entries\":["
    "{\"contender\":\"quick\",\"backend\":\"-\",\"precision\":\"f32\",\"query\":\"distance\",\"dim\":3,\"pairs\":1000,\"graded\":1000,"
    "\"wrong\":250,\"beyond_1e3\":40,\"hung\":3,\"symmetry_wrong\":20,\"worst_error_eps\":null,\"base\":{\"hull16\":[12,11,13]},"
    "\"classes\":{\"far\":[5,4,6]},\"vertices\":{\"hull64\":[80,70,90],\"eight\":[8,7,9,8]},\"families\":{\"far\":[500,0],\"needle\":[500,250]},"
    "\"metrics\":{\"repeat\":{\"pairs\":100,\"again\":0,\"reordered\":7,\"other_session\":0},\"shifts\":[{\"log2\":0,\"pairs\":100,"
    "\"inexact\":0,\"changed\":0,\"flipped\":0,\"worst_eps\":0},{\"log2\":20,\"pairs\":100,\"inexact\":0,\"changed\":60,"
    "\"flipped\":31,\"worst_eps\":4321}]}},"
    "{\"contender\":\"slow\",\"backend\":\"scalar\",\"precision\":\"f32\",\"query\":\"distance\",\"dim\":3,\"pairs\":1000,\"graded\":1000,"
    "\"wrong\":0,\"base\":{\"hull16\":[900,890,910]}},"
    "{\"contender\":\"slow\",\"backend\":\"wide\",\"precision\":\"f32\",\"query\":\"distance\",\"dim\":3,\"pairs\":1000,\"graded\":1000,"
    "\"wrong\":0,\"base\":{\"hull16\":[300,290,310]}},"
    "{\"contender\":\"<b>\",\"backend\":\"-\",\"precision\":\"f64\",\"query\":\"distance\",\"dim\":3,\"pairs\":1000,\"graded\":1000,"
    "\"wrong\":1,\"base\":{\"hull16\":[2000,1990,2010]}},"
    "{\"contender\":\"dies\",\"backend\":\"-\",\"precision\":\"f64\",\"query\":\"distance\",\"dim\":3,\"pairs\":10,\"graded\":10,"
    "\"wrong\":0,\"crashed\":1}]}";

Test(league, the_right_come_first_then_the_fast)
{
    results r;
    gjb_error error = {{0}};
    const char *path = write_text("l.json", table);
    cr_assert_eq(results_load(&r, &path, 1, &error), 0, "%s", error.text);
    league_lines lines;
    league_rank(&r, "distance", &lines);
    static const char *const order[] = {"slow", "<b>", "quick", "dies"};
    cr_assert_eq(lines.n, 4, "one line a contender and precision");
    for (size_t i = 0; i < 3; i++)
        cr_expect_str_eq(lines.rows[i]->contender, order[i]);
    cr_expect_str_eq(lines.rows[0]->backend, "wide", "the fastest backend stands for all");
    cr_expect_str_eq(lines.base, "hull16");
    cr_expect_eq(league_class_of(lines.rows[0]), LEAGUE_RIGHT);
    cr_expect_eq(league_class_of(lines.rows[1]), LEAGUE_ALMOST);
    cr_expect_eq(league_class_of(lines.rows[2]), LEAGUE_OFTEN);
    league_rank(&r, "intersect", &lines);
    cr_expect_eq(lines.n, 0);
    results_free(&r);
}

Test(league, the_page_draws_a_file_that_was_kept)
{
    gjb_error error = {{0}};
    const char *path = write_text("l.json", table);
    setenv("GJKBENCH_GNUPLOT", "/nonexistent/gnuplot", 1);
    cr_assert_geq(gjb_report_write(&path, 1, in_folder("page"), &error), 0, "%s", error.text);
    char *page = read_text(in_folder("page/index.html"));
    static const char *const words[] = {
        "id=\"league-3d\"", "No wrong answer", "Wrong in at most 0.1%", "Wrong more often",
        "wide f32 · 1.2.3 · BSD-3-Clause", "<b>quick</b> †", "f32 · 4.5.6 · MIT", "says &lt;so&gt;", "<b>&lt;b&gt;</b>",
        "250 of 1,000 graded answers\">25%<small title=\"off by more than 1e-3 S\">4%", "needle: 250 wrong of 500", "∞",
        "eight 8.00 ns, hull64 80.0 ns", "in another order 7%", "moved 2<sup>20</sup>S",
        "60 of 100 answers changed; by at most 4,321 εS\">31%<small>4.3k εS", "league-3d-distance.csv",
        "<b>Right?</b> ", "No times of a run are in these results"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cr_expect(strstr(page, words[i]), "'%s' is not on the page", words[i]);
    cr_expect_lt(strstr(page, "id=\"health\""), strstr(page, "<h1>"));
    cr_expect_null(strstr(page, "id=\"league\""), "nothing is known of 2D");
    cr_expect_null(strstr(page, "id=\"throughput-3d\""), "nothing but the league was given");
    free(page);
    char *csv = read_text(in_folder("page/data/league-3d-distance.csv"));
    size_t lines = 0;
    for (const char *s = csv; (s = strchr(s, '\n')); s++)
        lines++;
    cr_expect_eq(lines, 6, "a line for every backend: %zu", lines);
    cr_expect(strstr(csv, "moved_20_flipped") && strstr(csv, "class_far_ns") && strstr(csv, "wrong_needle"));
    cr_expect_not_null(strstr(csv, "quick,4.5.6,MIT,-,f32,distance"));
    free(csv);
}

Test(league, the_page_of_a_run_has_the_league_of_that_run)
{
    gjb_error error = {{0}};
    const char *files[] = {write_json("b.json", sample_bench(3)), write_json("v.json", sample_verify(3))};
    setenv("GJKBENCH_GNUPLOT", "/nonexistent/gnuplot", 1);
    cr_assert_geq(gjb_report_write(files, 2, in_folder("page"), &error), 0, "%s", error.text);
    char *page = read_text(in_folder("page/index.html")), *league = strstr(page, "id=\"league"), *next;
    cr_assert_not_null(league);
    next = strstr(league, "</section>");
    *next = '\0';
    cr_expect(strstr(league, "bullet-gjkepa") && strstr(league, "libccd-mpr") && strstr(league, "4–4096 vertices"));
    free(page);
}
