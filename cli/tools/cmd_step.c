/* The command `step`: moves the boxes of a scene over a step, prints the hits, saves frames and a page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "reports/figures/film.h"
#include "reports/report.h"
#include "scenes/scene.h"
#include "simd/simd.h"
#include "stepping/step.h"

enum { HITS_PRINTED = 40 };

typedef struct request {
    const char *path, *fixed, *out, *json;
    uint64_t frames;
    gjb_step_settings settings;
} request;

static int interrupted(void)
{
    return cli_interrupted != 0;
}

/* ---- a scene as moving boxes ---- */

/* Inverse masses, by --fixed. 0, or -1. */
static int fix(const request *wanted, gjb_step_box *boxes, uint32_t count, gjb_error *error)
{
    const int still = !strcmp(wanted->fixed, "still"), none = !strcmp(wanted->fixed, "none");
    for (uint32_t i = 0; i < count && !still; i++)
        boxes[i].inverse_mass = 1;
    for (const char *at = still || none ? "" : wanted->fixed; *at;) {
        char *end;
        const unsigned long i = strtoul(at, &end, 10);
        if (end == at || (*end && *end != ',') || *at == '-' || i >= count)
            return gjb_fail(error,
                            "--fixed wants still, none, or bodies of 0 to %u with commas between, not '%s'",
                            count - 1, wanted->fixed);
        boxes[i].inverse_mass = 0;
        at = *end ? end + 1 : end;
    }
    return 0;
}

/* NULL with one line in `error`. */
static gjb_step_box *read_boxes(const request *wanted, const gjb_scene *scene, gjb_error *error)
{
    gjb_step_box *boxes = gjb_step_of_scene(scene, wanted->path, error);
    if (boxes && !fix(wanted, boxes, scene->body_count, error))
        return boxes;
    free(boxes);
    return NULL;
}

/* ---- what came of it ---- */

static const char *const status_names[] = {"done", "capped", "interrupted"};

static const char *words_of(const request *wanted, char out[48])
{
    if (wanted->settings.response == GJB_RESPOND_REFLECT)
        snprintf(out, 48, "reflect with a restitution of %g", wanted->settings.restitution);
    else
        snprintf(out, 48, "%s", gjb_response_name(wanted->settings.response));
    return out;
}

static void print(const request *wanted, const gjb_step *s, const gjb_step_box *boxes)
{
    FILE *to = cli_text_stream(wanted->json);
    char words[48];
    uint32_t walls = 0;
    for (uint32_t i = 0; i < s->count; i++)
        walls += !(boxes[i].inverse_mass > 0);
    fprintf(to, "%s: %u boxes, %u of them fixed; %s; %zu hits, %u at the cap\n", wanted->path, s->count,
            walls, words_of(wanted, words), s->event_count, s->capped);
    if (s->overlapping)
        fprintf(to, "  note: %u pairs overlap when the step begins; penetration is the query for that\n",
                s->overlapping);
    if (s->status == GJB_STEP_INTERRUPTED)
        fprintf(to, "  interrupted at t = %.6g; what follows is up to there\n", s->time);
    if (s->event_count)
        fprintf(to, "%12s %6s %6s  %s  %s\n", "time", "box", "meets", "face", "responses");
    for (size_t e = 0; e < s->event_count && e < HITS_PRINTED; e++) {
        const gjb_step_event *v = &s->events[e];
        fprintf(to, "%12.9f %6u %6u    %c%c  %9u\n", v->time, v->a, v->b, v->side > 0 ? '+' : '-',
                "xyz"[v->axis], v->responses);
    }
    if (s->event_count > HITS_PRINTED)
        fprintf(to, "  and %zu more: --json has them all\n", s->event_count - HITS_PRINTED);
}

static json_t *numbers(const double *x, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k < count; k++)
        json_array_append_new(list, json_real(x[k]));
    return list;
}

static int save_json(const request *wanted, const gjb_step *s, gjb_error *error)
{
    const uint32_t dim = wanted->settings.dim;
    json_t *top = json_object(), *events = json_array(), *bodies = json_array();
    json_object_set_new(top, "context", cli_context());
    json_object_set_new(top, "scene", json_string(wanted->path));
    json_object_set_new(top, "response", json_string(gjb_response_name(wanted->settings.response)));
    json_object_set_new(top, "restitution", json_real(wanted->settings.restitution));
    json_object_set_new(top, "status", json_string(status_names[s->status]));
    json_object_set_new(top, "time", json_real(s->time));
    for (size_t e = 0; e < s->event_count; e++) {
        const gjb_step_event *v = &s->events[e];
        double normal[3] = {0};
        normal[v->axis] = v->side;
        json_t *event = json_object();
        json_object_set_new(event, "time", json_real(v->time));
        json_object_set_new(event, "a", json_integer(v->a));
        json_object_set_new(event, "b", json_integer(v->b));
        json_object_set_new(event, "normal", numbers(normal, dim));
        json_object_set_new(event, "responses", json_integer(v->responses));
        json_object_set_new(event, "at_a", numbers(v->at[0], dim));
        json_object_set_new(event, "at_b", numbers(v->at[1], dim));
        json_object_set_new(event, "by_a", numbers(v->by[0], dim));
        json_object_set_new(event, "by_b", numbers(v->by[1], dim));
        json_array_append_new(events, event);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        json_t *body = json_object();
        json_object_set_new(body, "at", numbers(s->boxes[i].at, dim));
        json_object_set_new(body, "by", numbers(s->boxes[i].by, dim));
        json_object_set_new(body, "fixed", json_boolean(!(s->boxes[i].inverse_mass > 0)));
        json_object_set_new(body, "skin", numbers(s->skins[i], dim));
        json_object_set_new(body, "reached_cap", json_boolean(s->reached_cap[i]));
        json_array_append_new(bodies, body);
    }
    json_object_set_new(top, "events", events);
    json_object_set_new(top, "bodies", bodies);
    const int failed = cli_write_json(top, wanted->json, error);
    json_decref(top);
    return failed;
}

/* The scene as it is at so many times of the step, the motions being those until the next. */
static int save_frames(const request *wanted, const gjb_scene *from, const gjb_step *s,
                       const gjb_step_box *boxes, gjb_error *error)
{
    const uint32_t dim = wanted->settings.dim, count = s->count;
    char path[4200];
    gjb_scene *scene = gjb_scene_convert(from, GJB_F64);
    double(*places)[3] = malloc(2 * ((size_t)count + 1) * sizeof *places), (*ways)[3] = places + count + 1;
    int failed = !scene || !places;
    for (uint32_t f = 0; f < wanted->frames && !failed; f++) {
        const double part = (double)1 / (double)(wanted->frames - 1);
        while (scene->frame_count <= f && !failed) {
            failed = gjb_scene_add_frame(scene, from->frames[0].pair_count) == UINT32_MAX;
            if (!failed)
                memcpy(scene->frames[f].pairs, from->frames[0].pairs,
                       from->frames[0].pair_count * 2 * sizeof(uint32_t));
        }
        gjb_step_places(s, boxes, fmin(f * part, s->time), places, ways);
        for (uint32_t i = 0; i < count && !failed; i++) {
            double motion[6] = {ways[i][0] * part, ways[i][1] * part, dim == 3 ? ways[i][2] * part : 0};
            if (dim == 2)
                gjb_scene_set_pose(scene, f, i, (gjb_pose2d){places[i][0], places[i][1], 1, 0});
            else
                gjb_scene_set_pose3(scene, f, i,
                                    (gjb_pose3d){places[i][0], places[i][1], places[i][2], 0, 0, 0, 1});
            failed = gjb_scene_set_motion(scene, f, i, motion);
        }
    }
    if (failed)
        gjb_fail(error, "out of memory for %llu frames", (unsigned long long)wanted->frames);
    snprintf(path, sizeof path, "%s/frames.json", wanted->out);
    failed = failed || cli_make_folder(wanted->out, error) || gjb_scene_save_json(scene, path, error);
    free(places);
    gjb_scene_free(scene);
    return failed;
}

static int save(const request *wanted, const gjb_scene *scene, const gjb_step *s, const gjb_step_box *boxes,
                gjb_error *error)
{
    char words[48];
    int drawn;
    if (wanted->json && save_json(wanted, s, error))
        return -1;
    if (!wanted->out)
        return 0;
    if (save_frames(wanted, scene, s, boxes, error))
        return -1;
    const film f = {.title = *scene->name ? scene->name : wanted->path,
                    .note = scene->note,
                    .dim = wanted->settings.dim,
                    .boxes = boxes,
                    .step = s,
                    .response = words_of(wanted, words)};
    drawn = gjb_film_write(&f, wanted->out, error);
    if (drawn < 0)
        return -1;
    if (drawn == GJB_REPORT_UNDRAWN)
        fprintf(stderr, CLI_PROGRAM " step: %s\n", error->text);
    fprintf(cli_text_stream(wanted->json), "%s/index.html: the film; %s/frames.json: %llu frames\n",
            wanted->out, wanted->out, (unsigned long long)wanted->frames);
    return 0;
}

static int run(request *wanted, gjb_error *error)
{
    gjb_scene *scene = gjb_scene_load(wanted->path, error);
    if (scene)
        cli_warn_scene(scene, wanted->path);
    gjb_step_box *boxes = scene ? read_boxes(wanted, scene, error) : NULL;
    int code = GJB_EXIT_USAGE;
    if (boxes) {
        wanted->settings.dim = scene->shapes.dim;
        wanted->settings.interrupted = interrupted;
        cli_catch_interrupt();
        gjb_step s = gjb_step_boxes(boxes, scene->body_count, &wanted->settings);
        if (s.status == GJB_STEP_NO_MEMORY)
            gjb_fail(error, "out of memory for %u boxes", scene->body_count);
        else if (s.status == GJB_STEP_INVALID)
            gjb_fail(error, "%s: a number is above 2^1000", wanted->path);
        else {
            print(wanted, &s, boxes);
            code = save(wanted, scene, &s, boxes, error)   ? GJB_EXIT_USAGE
                   : s.status == GJB_STEP_INTERRUPTED      ? CLI_EXIT_INTERRUPTED
                                                           : GJB_EXIT_OK;
        }
        gjb_step_free(&s);
    }
    free(boxes);
    gjb_scene_free(scene);
    return code;
}

/* -1 to go on, else the exit code of a usage error. */
static int check(request *wanted, const char *response, uint64_t cap, const char *backend)
{
    gjb_error error = {{0}};
    gjb_step_settings *to = &wanted->settings;
    for (to->response = GJB_RESPOND_STOP; to->response < GJB_RESPONSES; to->response++)
        if (!strcmp(response, gjb_response_name(to->response)))
            break;
    if (to->response == GJB_RESPONSES)
        return cli_usage_error("--response wants stop, slide or reflect, not '%s'", response);
    if (!isnan(to->restitution) && to->response != GJB_RESPOND_REFLECT)
        return cli_usage_error("--restitution goes only with --response reflect, not with %s", response);
    if (isnan(to->restitution)) /* not given */
        to->restitution = 1;
    if (!(to->restitution >= 0 && to->restitution <= 1))
        return cli_usage_error("--restitution wants 0 to 1, not %g", to->restitution);
    if (cap < 1 || cap > 1024)
        return cli_usage_error("--cap wants 1 to 1024, not %llu", (unsigned long long)cap);
    if (wanted->frames < 2 || wanted->frames > 10000)
        return cli_usage_error("--frames wants 2 to 10000, not %llu", (unsigned long long)wanted->frames);
    if (backend && !gjb_backend_available(backend))
        return cli_usage_error("--backend: '%s' is not there; 'gjkbench list' has those of this CPU",
                               backend);
    if (wanted->json && cli_check_writable(wanted->json, &error))
        return cli_usage_error("%s", error.text);
    to->cap = (uint32_t)cap;
    to->backend = backend;
    return -1;
}

int cmd_step(int argc, char **argv)
{
    request wanted = {.fixed = "still", .frames = 9, .settings = {.restitution = NAN}};
    const char *response = "slide", *backend = NULL;
    uint64_t cap = GJB_STEP_CAP;
    const cli_option options[] = {
        {"response", CLI_TEXT, &response, "R", "response of two boxes to a hit: stop, slide or reflect (default: slide)"},
        {"restitution", CLI_REAL, &wanted.settings.restitution, "E",
         "with --response reflect: speed of parting divided by speed of approach, 0 to 1 (default: 1)"},
        {"fixed", CLI_TEXT, &wanted.fixed, "WHICH",
         "boxes that no hit moves: still (those without motion), none, or a list such as 0,3 (default: still)"},
        {"cap", CLI_COUNT, &cap, "N", "most responses of a box, 1 to 1024; then it stays where it is (default: 256)"},
        {"out", CLI_TEXT, &wanted.out, "DIR",
         "folder for a film strip, index.html, and the scene's frames, frames.json (default: none)"},
        {"frames", CLI_COUNT, &wanted.frames, "N", "number of frames in frames.json, evenly spaced in time (default: 9)"},
        {"json", CLI_TEXT, &wanted.json, "FILE", "write every hit and the final places, exactly; '-' is stdout"},
        {"backend", CLI_TEXT, &backend, "NAME",
         "backend of the sweeps (default: the widest); the answer is the same"},
        {0},
    };
    const cli_spec spec = {
        .usage = "step SCENE [OPTION]...",
        .about =
            "Moves all boxes of a scene over one step, t from 0 to 1, by their motions. Hits are taken in order of time,\n"
            "each with a response, and the rest of the step is swept again after each. Nothing tunnels, however thin or\n"
            "fast. SCENE has boxes, aabbs and points, not turned, and their motions in its first frame\n"
            "(docs/scene-format.md); which pairs it lists does not matter.\n\n"
            "  stop     both stay where they are until the end of the step\n"
            "  slide    both share one velocity along the normal, and keep theirs across it\n"
            "  reflect  both part along the normal at E times the speed of approach\n\n"
            "All boxes that are not fixed have the same mass. If two fixed boxes meet, they stop. A box that has used up\n"
            "its responses stays where it is, and is reported. Boxes that overlap at the start do not get deeper.",
        .options = options,
        .examples = "  gjkbench step data/motion/boxes.json --out film          then open film/index.html\n"
                    "  gjkbench step data/motion/boxes.json --response reflect --restitution 0.5\n"
                    "  gjkbench step scene.json --response stop --json - | jq '.events[0]'\n",
        .min_files = 1,
        .max_files = 1,
    };
    gjb_error error = {{0}};
    const char *files[1];
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code < 0)
        code = check(&wanted, response, cap, backend);
    if (code < 0) {
        wanted.path = files[0];
        code = run(&wanted, &error);
        if (code == GJB_EXIT_USAGE)
            fprintf(stderr, CLI_PROGRAM " step: %s\n", error.text);
    }
    return code;
}
