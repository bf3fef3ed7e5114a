/* Plug-ins: what is wrong with one is said in one line, and costs nothing else;
 * what is right answers, and never enters this process. */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/harness.h"
#include "contenders/plugin.h"
#include "contenders/table.h"
#include "contenders/tests/scenes.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

static const char *spec(const char *file, const char *options)
{
    static char text[4096];
    snprintf(text, sizeof text, "%s/%s%s%s", getenv("GJB_PLUGINS"), file, *options ? ":" : "", options);
    return text;
}

Test(plugin, what_is_wrong_is_said)
{
    static const struct {
        const char *file, *options, *says;
    } wrong[] = {
        {"none.so", "", "No such file"},
        {"plugin-empty.so", "", "no symbol gjb_plugin"},
        {"../meson-private", "", "is a directory"},
        {"plugin-sample.so", "refuse", "option 'refuse': I do?not like it"},
        {"plugin-sample.so", "silent", "does not say why"},
        {"plugin-sample.so", "none", "no table"},
#if !SANITIZED /* they refuse RTLD_DEEPBIND */
        {"plugin-sample.so", "whose", "its own"},
#endif
        {"plugin-sample.so", "crash", "crashed while it was loaded: Aborted"},
        {"plugin-sample.so", "exit", "exited with 5 while it was loaded"},
        {"plugin-sample.so", "old", "table 0: abi_version: 1, and this program has 2"},
        {"plugin-sample.so", "short", "table 0: struct_size: 64 bytes"},
        {"plugin-sample.so", "no-name", "name: missing"},
        {"plugin-sample.so", "empty-name", "name: missing"},
        {"plugin-sample.so", "long-name", "longer than 31"},
        {"plugin-sample.so", "odd-name", "name: 'Sam ple'"},
        {"plugin-sample.so", "all", "every contender"},
        {"plugin-sample.so", "no-version", "version: missing"},
        {"plugin-sample.so", "no-licence", "licence: missing"},
        {"plugin-sample.so", "no-note", "note: missing"},
        {"plugin-sample.so", "long-note", "note: longer"},
        {"plugin-sample.so", "not-utf8", "not UTF-8"},
        {"plugin-sample.so", "no-dims", "dims: 0x10"},
        {"plugin-sample.so", "no-kinds", "kinds: 0"},
        {"plugin-sample.so", "later-kinds", "kinds: 0x4000"},
        {"plugin-sample.so", "no-queries", "queries: 0x8000"},
        {"plugin-sample.so", "no-precisions", "precisions: 0"},
        {"plugin-sample.so", "no-vertices", "max_vertices: 0"},
        {"plugin-sample.so", "ours", "ours: 1"},
        {"plugin-sample.so", "bad-tau", "tau[1]: -1"},
        {"plugin-sample.so", "bad-skin", "skin: nan"},
        {"plugin-sample.so", "bad-time", "tau_time: -1"},
        {"plugin-sample.so", "bad-relative", "tau_relative[1]: 1:"},
        {"plugin-sample.so", "no-backends", "backends: empty"},
        {"plugin-sample.so", "odd-backends", "backends[0]: 'Two words'"},
        {"plugin-sample.so", "none-available", "no backend is available"},
        {"plugin-sample.so", "no-prepare", "prepare: missing"},
        {"plugin-sample.so", "no-size", "workspace_size: missing"},
        {"plugin-sample.so", "no-run", "run: missing"},
        {"plugin-sample.so", "no-release", "release: missing"},
        {"plugin-sample.so", "wild", "crashed while it was loaded"},
    };
    const size_t before = gjb_contender_count();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        gjb_error error = {""};
        cr_expect_eq(gjb_plugin_add(spec(wrong[i].file, wrong[i].options), &error), -1, "%s", wrong[i].options);
        cr_expect_not_null(strstr(error.text, wrong[i].says), "%s: %s", wrong[i].options, error.text);
        cr_expect_not_null(strstr(error.text, wrong[i].file), "names the file: %s", error.text);
    }
    cr_assert_eq(gjb_contender_count(), before);
}

Test(plugin, one_that_hangs_while_loaded_is_given_up, .timeout = 60)
{
    gjb_error error = {""};
    cr_assert_eq(gjb_plugin_add(spec("plugin-sample.so", "hang"), &error), -1);
    cr_assert_not_null(strstr(error.text, "no answer within"), "%s", error.text);
}

Test(plugin, names_are_unique)
{
    gjb_error error = {""};
    if (gjb_contender_find("batch") != NULL) {
        cr_assert_eq(gjb_plugin_add(spec("plugin-sample.so", "taken"), &error), -1);
        cr_assert_not_null(strstr(error.text, "name 'batch'"), "%s", error.text);
    }
    error.text[0] = '\0';
    cr_assert_eq(gjb_plugin_add(spec("plugin-sample.so", ""), &error), 0, "%s", error.text);
    cr_assert_eq(gjb_plugin_add(spec("plugin-sample.so", ""), &error), -1);
    cr_assert_not_null(strstr(error.text, "name 'sample'"), "%s", error.text);
    error.text[0] = '\0';
    cr_assert_eq(gjb_plugin_add(spec("plugin-sample.so", "seven"), &error), 0, "%s", error.text);
}

static unsigned iterations_of(const char *name)
{
    gjb_error error = {""};
    gjb_scene *scene = test_spiral(GJB_F64, 4, 1);
    gjb_session *session = gjb_session_open(gjb_contender_find(name), NULL, scene, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    cr_assert_str_eq(gjb_session_backend(session), "plain", "the one that its CPU check leaves");
    unsigned char results[64];
    cr_assert_eq(gjb_session_run(session, GJB_INTERSECT, 0, 0, 3, 0, 1, results, NULL), 0);
    const gjb_result r = gjb_result_get(GJB_INTERSECT, GJB_F64, 2, results, 2);
    cr_assert_eq(r.status, GJB_OVERLAPPING);
    gjb_session_close(session);
    gjb_scene_free(scene);
    return r.iterations;
}

Test(plugin, answers_with_its_options_and_stays_outside)
{
    gjb_error error = {""};
    cr_assert_eq(gjb_plugin_add(spec("plugin-sample.so", ""), &error), 0, "%s", error.text);
    cr_assert_eq(gjb_plugin_add(spec("plugin-sample.so", "seven"), &error), 0, "%s", error.text);
    const gjb_contender *c = gjb_contender_find("sample");
    cr_assert_not_null(c);
    cr_assert_str_eq(c->licence, "MIT");
    cr_assert_str_eq(c->note, "a sample");
    cr_assert(c->tau[1] == 0.25 && c->skin == 0.5 && c->tau_time == 0.125 && c->tau_relative[1] == 0.0625);
    cr_assert(c->dims == 1u << 2 && c->queries == 1u << GJB_INTERSECT);
    cr_assert(gjb_contender_has(c, "plain") && !gjb_contender_has(c, "never"));
    cr_assert_eq(iterations_of("sample"), 0);
    cr_assert_eq(iterations_of("sample-seven"), 7, "options reach it");
    cr_assert_null(dlopen(spec("plugin-sample.so", ""), RTLD_NOW | RTLD_NOLOAD), "it was loaded into this process");
}

Test(plugin, may_claim_curved_kinds_alone)
{
    gjb_error error = {""};
    cr_assert_eq(gjb_plugin_add(spec("plugin-sample.so", "curved"), &error), 0, "%s", error.text);
    cr_assert_eq(gjb_contender_find("sample")->kinds, 1u << GJB_SUPERELLIPSE);
}

/* Built against the headers of before motion: its table is shorter, and says nothing of the queries and kinds that
 * came later. */
Test(plugin, a_shorter_table_is_one_of_before)
{
    gjb_error error = {""};
    cr_assert_eq(gjb_plugin_add(spec("plugin-sample.so", "older"), &error), 0, "%s", error.text);
    const gjb_contender *c = gjb_contender_find("sample");
    cr_assert(c->within == 0 && c->leaving == 0 && c->tau_time == 0 && !(c->queries >> GJB_TOI & 1u) &&
              !(c->kinds >> GJB_AABB & 1u));
    cr_assert_eq(iterations_of("sample"), 0);
}

/* What an accuracy relative to sizes would be lies behind its end. */
Test(plugin, a_table_of_before_relative_tolerances_has_none)
{
    gjb_error error = {""};
    cr_assert_eq(gjb_plugin_add(spec("plugin-sample.so", "before-relative"), &error), 0, "%s", error.text);
    const gjb_contender *c = gjb_contender_find("sample");
    cr_assert(c->tau[1] == 0.25 && c->tau_time == 0.125 && c->tau_relative[1] == 0);
    cr_assert_eq(iterations_of("sample"), 0);
}

Test(plugin, a_file_that_changed_is_noticed)
{
    gjb_error error = {""};
    char copy[] = "/tmp/gjb-plugin-XXXXXX", command[8192];
    const int fd = mkstemp(copy);
    cr_assert_geq(fd, 0);
    snprintf(command, sizeof command, "cp '%s' %s", spec("plugin-sample.so", ""), copy);
    cr_assert_eq(system(command), 0);
    cr_assert_eq(gjb_plugin_add(copy, &error), 0, "%s", error.text);
    snprintf(command, sizeof command, "cp '%s' %s", spec("plugin-empty.so", ""), copy);
    cr_assert_eq(system(command), 0);
    gjb_scene *scene = test_spiral(GJB_F64, 4, 1);
    cr_assert_null(gjb_session_open(gjb_contender_find("sample"), NULL, scene, 1, &error));
    cr_assert_not_null(strstr(error.text, "no symbol gjb_plugin"), "%s", error.text);
    gjb_scene_free(scene);
    remove(copy);
}
