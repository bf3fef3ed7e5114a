/* The command `certify`: writes certificates for pairs, of the reference's truth or of a contender's answers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/verification/verify_plan.h"
#include "core/json_file.h"
#include "grading/answer_certificate.h"
#include "verify/replay.h"

typedef struct certifying {
    const char *out;
    char name[128];   /* of the files of this pair, before what tells them apart */
    gjb_scene *scene; /* of one pair */
    gjb_scene *converted;
    gjb_pair_space space;
    gjb_placed_pair placed;
    json_t *taken; /* names of files that were written */
    uint64_t written, refused, without, moving;
    gjb_error error;
    const gjb_replay_plan *plan; /* NULL: the reference answers */
    int failed; /* some file is */
} certifying;

/* ---- claims of an answer ---- */

static gjb_tolerance granted_to(const gjb_replay_case *one, const gjb_pair *pair, gjb_precision own)
{
    gjb_tolerance granted = gjb_tolerance_for(one->contender, one->query, one->precision, pair->dim);
    granted.epsilon = fmax(granted.epsilon, gjb_epsilon(own));
    return gjb_tolerance_on(&granted, pair);
}

static int all_finite(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

/* What is no number claims nothing. */
static int is_answer(const gjb_replay_case *one)
{
    const gjb_result *r = &one->result;
    int finite = r->count <= GJB_CONTACTS_3D;
    for (uint32_t i = 0; finite && i < r->count; i++)
        finite = all_finite(r->contact[i].point_a) && all_finite(r->contact[i].point_b);
    return finite && (r->status == GJB_SEPARATED || r->status == GJB_OVERLAPPING) && isfinite(r->value) &&
           all_finite(r->normal) && all_finite(r->point_a) && all_finite(r->point_b);
}

/* The proof is of what the contender said, as far as it said it; the rest is searched for. `contact` is one of a
 * manifold. */
static int certify_answer(certifying *k, const gjb_replay_case *one, const gjb_pair *pair, uint32_t contact,
                          ref_certificate *c)
{
    const gjb_tolerance granted = granted_to(one, pair, (gjb_precision)k->scene->shapes.precision);
    if (gjb_place_pair(&k->placed, pair))
        return gjb_fail(&k->error, "%s: out of memory", k->name);
    if (gjb_queries[one->query].has_patch)
        gjb_certify_contact(&k->placed, &one->result, contact, &granted, c);
    else
        gjb_certify_answer(&k->placed, one->query, &one->result, &granted, c);
    return 0;
}

/* ---- files ---- */

/* What file names may hold. */
static void plain(char *text)
{
    for (; *text; text++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._", *text))
            *text = '_';
}

/* Pairs of different folders may have one name: the second of it is numbered. */
static int path_of(certifying *k, const char *apart, char *path, size_t room)
{
    for (unsigned n = 1;; n++) {
        char number[16] = "";
        if (n > 1)
            snprintf(number, sizeof number, "-%u", n);
        if (snprintf(path, room, "%s/%s%s%s.json", k->out, k->name, apart, number) >= (int)room)
            return gjb_fail(&k->error, "%.80s: the path is too long", k->out);
        if (!json_object_get(k->taken, path))
            break;
    }
    const int failed = json_object_set_new_nocheck(k->taken, path, json_true());
    return failed ? gjb_fail(&k->error, "%s: out of memory", k->name) : 0;
}

static int save(certifying *k, const ref_certificate_file *file, const gjb_pair *pair, const char *apart)
{
    char path[4608];
    ref_certified verdict;
    if (path_of(k, apart, path, sizeof path))
        return -1;
    if (ref_certificate_save(file, path, &k->error))
        return -1;
    ref_certificate_check(pair, &file->certificate, &verdict);
    k->written++;
    k->refused += !verdict.accepted;
    if (verdict.accepted)
        printf("%s: %.17g <= sigma <= %.17g\n", path, verdict.lo, verdict.hi);
    else
        printf("%s: %srefused%s: %s\n", path, cli_color(stdout, CLI_BAD), cli_color(stdout, CLI_PLAIN),
               verdict.reason);
    return 0;
}

static int certify_reference(certifying *k)
{
    gjb_pair pair;
    ref_certificate_file file = {.scene = k->scene, .by = "reference"};
    if (gjb_scene_pair(k->scene, 0, 0, &k->space, &pair))
        return gjb_fail(&k->error, "%s: out of memory", k->name);
    if (gjb_pair_unbounded(&pair) == 2) { /* they have no signed distance that could be claimed */
        k->without++;
        return 0;
    }
    ref_certificate_open(&file.certificate);
    ref_certificate_prove(&pair, &(ref_evidence){0}, &file.certificate);
    ref_certificate_claim(&pair, &file.certificate);
    const int failed = save(k, &file, &pair, "");
    ref_certificate_close(&file.certificate);
    return failed;
}

static gjb_scene *scene_in(certifying *k, gjb_precision precision)
{
    if (k->scene->shapes.precision == (uint32_t)precision)
        return k->scene;
    if (k->converted && k->converted->shapes.precision == (uint32_t)precision)
        return k->converted;
    gjb_scene_free(k->converted);
    return k->converted = gjb_scene_convert(k->scene, precision);
}

/* A manifold has a certificate of each contact, and other answers have one. */
static void take_contact(certifying *k, const gjb_replay_case *one, gjb_scene *scene, const gjb_pair *pair,
                         uint32_t contact)
{
    char apart[160], number[16] = "", of[32] = "";
    const int one_way = !strcmp(one->backend, "-");
    if (one->result.count) {
        snprintf(number, sizeof number, "-%u", (unsigned)contact);
        snprintf(of, sizeof of, ", contact %u", (unsigned)contact);
    }
    ref_certificate_file file = {.scene = scene};
    snprintf(file.by, sizeof file.by, "%.31s", one->contender->name);
    snprintf(file.about, sizeof file.about, "%s in %s%s%.31s%s, within what is granted to it",
             gjb_queries[one->query].name, gjb_precision_name(one->precision), one_way ? "" : " on ",
             one_way ? "" : one->backend, of);
    snprintf(apart, sizeof apart, "-%.31s%s%.31s-%s-%s%s", one->contender->name, one_way ? "" : "-",
             one_way ? "" : one->backend, gjb_precision_name(one->precision), gjb_queries[one->query].name, number);
    ref_certificate_open(&file.certificate);
    if (!certify_answer(k, one, pair, contact, &file.certificate))
        save(k, &file, pair, apart);
    ref_certificate_close(&file.certificate);
}

static void take(void *context, const gjb_replay_case *one)
{
    certifying *k = context;
    if (gjb_queries[one->query].moving || *k->error.text)
        return;
    if (!is_answer(one)) {
        k->without++;
        return;
    }
    gjb_scene *scene = scene_in(k, one->precision);
    gjb_pair pair;
    if (!scene || gjb_scene_pair(scene, 0, 0, &k->space, &pair)) {
        gjb_fail(&k->error, "%s: out of memory", k->name);
        return;
    }
    for (uint32_t i = 0; i < (one->result.count ? one->result.count : 1) && !*k->error.text; i++)
        take_contact(k, one, scene, &pair, i);
}

static int certify_pair(certifying *k, const gjb_scene *scene, uint32_t frame, uint64_t pair,
                        const gjb_replay_plan *plan)
{
    k->scene = gjb_scene_extract(scene, frame, pair);
    if (!k->scene)
        return gjb_fail(&k->error, "%s: out of memory", k->name);
    k->moving += gjb_scene_moves(k->scene);
    int failed = plan ? gjb_replay_scene(k->scene, k->name, plan, take, k, &k->error) : certify_reference(k);
    gjb_scene_free(k->scene);
    gjb_scene_free(k->converted);
    k->scene = k->converted = NULL;
    return failed || *k->error.text ? -1 : 0;
}

static int certify_file(certifying *k, const char *path, const gjb_replay_plan *plan)
{
    const char *slash = strrchr(path, '/'), *base = cli_is_stdout(path) ? "pair" : slash ? slash + 1 : path;
    gjb_scene *scene = gjb_scene_load(path, &k->error);
    if (!scene)
        return -1;
    cli_warn_scene(scene, path);
    scene->leaving = GJB_LEAVING_HIT;
    scene->within = 0; /* a certificate is about sigma, and so are the answers that become one */
    uint64_t pairs = 0;
    for (uint32_t f = 0; f < scene->frame_count; f++)
        pairs += scene->frames[f].pair_count;
    int failed = pairs == 0 ? gjb_fail(&k->error, "%s: no pairs in it", path)
                            : cli_check_bounded(scene, cli_is_stdout(path) ? "standard input" : path, &k->error);
    const char *dot = strrchr(base, '.');
    const int length = dot && dot > base && dot - base < 80 ? (int)(dot - base) : 80;
    for (uint32_t f = 0; f < scene->frame_count && !failed; f++)
        for (uint64_t p = 0; p < scene->frames[f].pair_count && !failed && !cli_interrupted; p++) {
            if (pairs == 1)
                snprintf(k->name, sizeof k->name, "%.*s", length, base);
            else
                snprintf(k->name, sizeof k->name, "%.*s-%u-%llu", length, base, (unsigned)f,
                         (unsigned long long)p);
            plain(k->name);
            failed = certify_pair(k, scene, f, p, plan);
        }
    gjb_scene_free(scene);
    return failed;
}

static void print_sum(const certifying *k)
{
    if (!k->written && !k->without)
        return;
    printf("%llu certificate%s in %s, %llu of them refused; %llu answer%s had nothing to certify\n",
           (unsigned long long)k->written, k->written == 1 ? "" : "s", k->out, (unsigned long long)k->refused,
           (unsigned long long)k->without, k->without == 1 ? "" : "s");
    if (k->moving)
        printf("%llu pair%s: certificates are of the start alone; sweep and toi have none\n",
               (unsigned long long)k->moving, k->moving == 1 ? " moves" : "s move");
}

static void certify_one(void *context, const char *path, const char *why)
{
    certifying *k = context;
    k->error = (gjb_error){{0}};
    if (why ? gjb_fail(&k->error, "%s", why) : certify_file(k, path, k->plan)) {
        fprintf(stderr, CLI_PROGRAM " certify: %s\n", k->error.text);
        k->failed = 1;
    }
}

static int certify_all(certifying *k, const char **files, size_t count, const gjb_replay_plan *plan)
{
    if (cli_make_folder(k->out, &k->error))
        return cli_usage_error("--out: %s", k->error.text);
    k->taken = json_object();
    k->plan = plan;
    cli_catch_interrupt();
    for (size_t i = 0; i < count && !cli_interrupted; i++)
        cli_each_file(files[i], certify_one, k);
    print_sum(k);
    if (!k->failed && !k->written && !cli_interrupted)
        return cli_usage_error("nothing to certify: no selected contender answered");
    return k->failed ? GJB_EXIT_USAGE : cli_interrupted ? CLI_EXIT_INTERRUPTED : GJB_EXIT_OK;
}

int cmd_certify(int argc, char **argv)
{
    static const char *const takes[] = {"query", "contender", "backend", "precision", NULL};
    cli_select select = {.takes = takes};
    certifying k = {.out = "certificates"};
    const cli_option options[] = {
        {"out", CLI_TEXT, &k.out, "DIR", "folder for the certificates (default: certificates)"}, {0}};
    const cli_spec spec = {
        .usage = "certify FILE... [SELECT] [--out DIR]",
        .about =
            "Writes certificates. A certificate is a file with a pair of shapes, a claim about their signed distance\n"
            "sigma, and a proof, which 'check' verifies in exact arithmetic, whichever program wrote it. FILE is a\n"
            "failing pair that 'verify' saved, any other scene (JSON or binary), each pair of which gets a certificate,\n"
            "or a folder of these. If the name of a certificate is taken, a number is added.\n\n"
            "Without --contender the reference answers, and the certificate claims all that its proof proves. With\n"
            "--contender, each answer of these contenders becomes a certificate. It claims the part of the answer that\n"
            "is graded. The answer's own normal and witness points are the proof. The reference adds what an answer does\n"
            "not have: the polytope that proves a depth from below. If 'check' refuses a certificate, the answer's own\n"
            "evidence does not prove it.\n\n"
            "A manifold has a certificate of each contact: of the normal, both points, and how deep the shapes are. Queries\n"
            "about motion have no certificates: if a pair moves, its start is certified. Exits with 0 if files were\n"
            "written, also refused ones: 'check' judges.",
        .options = options,
        .select = &select,
        .examples =
            "  gjkbench certify pair.json                              sigma, with its proof\n"
            "  gjkbench certify failures/*.json --contender box2d      claims of a library, and its evidence\n"
            "  gjkbench certify scene.gjb --contender batch --query penetration --out proofs\n",
        .min_files = 1,
        .max_files = (size_t)-1};
    const char **files = calloc((size_t)argc, sizeof *files);
    size_t count = 0;
    if (!files)
        return GJB_EXIT_HARNESS;
    int code = cli_parse(&spec, argc, argv, files, &count);
    if (code < 0) {
        static cli_verify_lists lists;
        gjb_verify_plan entries = {0};
        cli_verify_plan(&select, &lists, &entries);
        const gjb_replay_plan plan = {.entries = entries.entries,
                                      .entry_count = entries.entry_count,
                                      .stop = &cli_interrupted,
                                      .queries = select.queries_given ? select.queries & GJB_AT_REST_QUERIES : 0,
                                      .precisions = select.precisions_given ? select.precisions : 0};
        code = select.queries_given && !plan.queries
                   ? cli_usage_error("--query: queries about motion have no certificates")
               : !select.contenders_given && (select.queries_given || select.precisions_given)
                   ? cli_usage_error("--query and --precision select answers of a contender: name one with --contender")
                   : certify_all(&k, files, count, select.contenders_given ? &plan : NULL);
    }
    json_decref(k.taken);
    gjb_placed_free(&k.placed);
    gjb_pair_space_free(&k.space);
    free(files);
    return code;
}
