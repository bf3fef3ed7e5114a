/* The command `check`: follows the proofs of certificate files in exact arithmetic, and prints what they prove. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "core/json_file.h"
#include "reference/certificate/certificate.h"

typedef struct checking {
    json_t *list; /* NULL: no JSON wanted */
    FILE *stream;
    uint64_t accepted, refused, unread;
} checking;

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static const char *relation_of(int sign)
{
    return sign > 0 ? "apart" : sign < 0 ? "overlap" : "undecided";
}

/* How far apart the proven bounds are, in units of eps S in double. */
static double width_of(const gjb_pair *pair, const ref_certified *verdict)
{
    return (verdict->hi - verdict->lo) /
           (gjb_epsilon(GJB_F64) * fmax(gjb_pair_size(pair), gjb_least_size(GJB_F64)));
}

static void tell(checking *k, const char *path, const ref_certificate_file *file,
                 const ref_certified *verdict, double width)
{
    const char *dash = *file->by ? " by " : "";
    if (verdict->accepted)
        fprintf(k->stream, "%saccepted%s %s%s%s: %.17g <= sigma <= %.17g, %s, %.3g eps S wide\n",
                cli_color(k->stream, CLI_GOOD), cli_color(k->stream, CLI_PLAIN), gjb_json_place(path), dash,
                file->by, verdict->lo, verdict->hi, relation_of(verdict->sign), width);
    else
        fprintf(k->stream, "%srefused%s  %s%s%s: %s\n", cli_color(k->stream, CLI_BAD),
                cli_color(k->stream, CLI_PLAIN), gjb_json_place(path), dash, file->by, verdict->reason);
    if (k->list)
        json_array_append_new(k->list,
                              json_pack("{ss ss ss sb so so ss so ss}", "file", gjb_json_place(path), "by",
                                        file->by, "verdict", verdict->accepted ? "accepted" : "refused",
                                        "accepted", verdict->accepted, "lo", number(verdict->lo),
                                        "hi", number(verdict->hi), "is", relation_of(verdict->sign),
                                        "width_eps", number(width), "reason", verdict->reason));
}

static void tell_unread(checking *k, const char *path, const char *line)
{
    fprintf(stderr, CLI_PROGRAM " check: %s\n", line);
    k->unread++;
    if (k->list)
        json_array_append_new(k->list, json_pack("{ss ss sb ss}", "file", gjb_json_place(path), "verdict",
                                                 "unreadable", "accepted", 0, "reason", line));
}

static void check_file(void *context, const char *path, const char *why)
{
    checking *k = context;
    gjb_error error = {{0}}, ignored = {{0}};
    gjb_pair_space space = {0};
    ref_certificate_file file = {0};
    gjb_pair pair;
    ref_certified verdict;
    int failed = why ? gjb_fail(&error, "%s", why) : ref_certificate_load(path, &file, &error);
    if (!failed && gjb_scene_pair(file.scene, 0, 0, &space, &pair))
        failed = gjb_fail(&error, "%s: out of memory", path);
    if (failed) {
        gjb_scene *scene = cli_is_stdout(path) ? NULL : gjb_scene_load(path, &ignored);
        if (scene) {
            error = (gjb_error){{0}};
            gjb_fail(&error, "%s: this is a scene; 'certify' makes certificates from it", path);
        }
        gjb_scene_free(scene);
        tell_unread(k, path, error.text);
    } else {
        ref_certificate_check(&pair, &file.certificate, &verdict);
        ++*(verdict.accepted ? &k->accepted : &k->refused);
        tell(k, path, &file, &verdict, width_of(&pair, &verdict));
    }
    gjb_pair_space_free(&space);
    if (!why)
        ref_certificate_file_close(&file);
}

static int finish(checking *k, const char *json_path)
{
    gjb_error error = {{0}};
    if (k->accepted || k->refused)
        fprintf(k->stream, "%s%llu accepted, %llu refused, %llu unreadable%s\n",
                cli_color(k->stream, k->refused || k->unread ? CLI_BAD : CLI_GOOD),
                (unsigned long long)k->accepted, (unsigned long long)k->refused,
                (unsigned long long)k->unread, cli_color(k->stream, CLI_PLAIN));
    if (k->list) {
        json_t *json = json_pack("{so so}", "context", cli_context(), "certificates", k->list);
        if (cli_write_json(json, json_path, &error)) {
            fprintf(stderr, CLI_PROGRAM " check: %s\n", error.text);
            k->unread++;
        }
        json_decref(json);
    }
    if (k->refused)
        return GJB_EXIT_WRONG;
    return k->unread ? GJB_EXIT_USAGE : cli_interrupted ? CLI_EXIT_INTERRUPTED : GJB_EXIT_OK;
}

int cmd_check(int argc, char **argv)
{
    const char *json_path = NULL;
    const cli_option options[] = {{"json", CLI_TEXT, &json_path, "FILE",
                                   "write verdicts as JSON; '-' is stdout, and the text goes to stderr"},
                                  {0}};
    const cli_spec spec = {
        .usage = "check CERTIFICATE... [--json FILE]",
        .about =
            "Verifies proofs of signed distances. Each CERTIFICATE is a file that 'certify' or another program wrote, or a\n"
            "folder of such files. It has a pair of shapes, a claim about the pair, and a proof of the claim: a direction,\n"
            "the plane of a half-space, points, a simplex or a polytope. It is accepted if every step holds and the claim\n"
            "follows, in exact arithmetic. Otherwise it is refused, and the step that fails is named. The proven\n"
            "interval is printed next to it, rounded outwards, with its width in units of eps S of double. Formats and\n"
            "lemmas are in docs/certificates.md.\n\n"
            "Exits with 1 if one is refused, else with 2 if one cannot be read. In JSON each has the verdict 'accepted',\n"
            "'refused' or 'unreadable', and a reason for the last two.",
        .options = options,
        .examples = "  gjkbench certify pair.json && gjkbench check certificates   prove an answer, and "
                    "verify the proof\n"
                    "  gjkbench check certificates/*.json --json -                 verdicts for a script\n",
        .min_files = 1,
        .max_files = (size_t)-1};
    gjb_error error = {{0}};
    const char **files = calloc((size_t)argc, sizeof *files);
    size_t count = 0;
    if (!files)
        return GJB_EXIT_HARNESS;
    int code = cli_parse(&spec, argc, argv, files, &count);
    if (code < 0 && json_path && cli_check_writable(json_path, &error))
        code = cli_usage_error("%s", error.text);
    if (code < 0) {
        checking k = {.list = json_path ? json_array() : NULL, .stream = cli_text_stream(json_path)};
        cli_catch_interrupt();
        for (size_t i = 0; i < count && !cli_interrupted; i++)
            cli_each_file(files[i], check_file, &k);
        code = finish(&k, json_path);
    }
    free(files);
    return code;
}
