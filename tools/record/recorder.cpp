/* Gathers frames from an engine into a scene and saves it, with the command line that recorders share. */
#include "tools/record/recorder.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include <getopt.h>

namespace {

using ScenePtr = std::unique_ptr<gjb_scene, decltype(&gjb_scene_free)>;

bool fill_frame(gjb_scene *scene, uint32_t index, const RecordedFrame &frame)
{
    for (uint32_t i = 0; i < scene->body_count; i++) {
        if (scene->shapes.dim == 2)
            gjb_scene_set_pose(scene, index, i, frame.poses2[i]);
        else
            gjb_scene_set_pose3(scene, index, i, frame.poses3[i]);
        if (gjb_scene_set_motion(scene, index, i, frame.motions[i].data()) != 0)
            return false;
    }
    if (!frame.pairs.empty())
        std::memcpy(scene->frames[index].pairs, frame.pairs.data(), frame.pairs.size() * sizeof(uint32_t));
    return true;
}

ScenePtr to_scene(const Recorder &recorder, const Play &play, const Recording &seen)
{
    uint64_t rows = 0;
    for (const RecordedShape &shape : seen.shapes)
        rows += shape.rows.size() / seen.dim;
    const auto bodies = uint32_t(seen.shapes.size());
    ScenePtr scene(gjb_scene_new(seen.dim, GJB_F32, bodies, rows, bodies, seen.frames[0].pairs.size() / 2),
                   gjb_scene_free);
    if (!scene)
        return scene;
    std::snprintf(scene->name, sizeof scene->name, "%s-%s", recorder.engine, play.name);
    std::snprintf(scene->note, sizeof scene->note, "%s; recorded from %s", play.note, recorder.version);
    uint32_t first = 0;
    for (uint32_t i = 0; i < bodies; i++) {
        const RecordedShape &shape = seen.shapes[i];
        const auto count = uint32_t(shape.rows.size() / seen.dim);
        gjb_scene_set_shape(scene.get(), i, shape.kind, first, count, shape.rows.data(), shape.radius);
        first += count;
    }
    if (!fill_frame(scene.get(), 0, seen.frames[0]))
        return ScenePtr(nullptr, gjb_scene_free);
    for (size_t f = 1; f < seen.frames.size(); f++) {
        const uint32_t index = gjb_scene_add_frame(scene.get(), seen.frames[f].pairs.size() / 2);
        if (index == UINT32_MAX || !fill_frame(scene.get(), index, seen.frames[f]))
            return ScenePtr(nullptr, gjb_scene_free);
    }
    return scene;
}

int record(const Recorder &recorder, const Play &play, const char *folder, int frames)
{
    const Recording seen = play.simulate(play, frames);
    const ScenePtr scene = to_scene(recorder, play, seen);
    const std::string path = std::string(folder) + "/" + play.name + ".gjb";
    gjb_error error = {};
    if (!scene) {
        std::fprintf(stderr, "record-%s: %s: out of memory\n", recorder.engine, path.c_str());
        return GJB_EXIT_HARNESS;
    }
    if (gjb_scene_check(scene.get(), path.c_str(), &error) != 0 ||
        gjb_scene_save_binary(scene.get(), path.c_str(), &error) != 0) {
        std::fprintf(stderr, "record-%s: %s\n", recorder.engine, error.text);
        return GJB_EXIT_USAGE;
    }
    unsigned long long pairs = 0;
    for (const RecordedFrame &frame : seen.frames)
        pairs += frame.pairs.size() / 2;
    std::printf("%s: %u bodies, %d frames, %llu pairs\n", path.c_str(), unsigned(scene->body_count), frames,
                pairs);
    return GJB_EXIT_OK;
}

void help(const Recorder &recorder, FILE *out)
{
    std::fprintf(out,
                 "Usage: record-%s [--frames N] FOLDER [SCENE...]\n"
                 "Simulates with %s and writes FOLDER/SCENE.gjb: poses, motions and pairs of the broad phase.\n"
                 "The shipped scenes: record-%s data/scenes\n\n"
                 "  --frames N  frames of each scene (default: as many as ship)\n"
                 "  --help      this text\n\nScenes (default: all):\n",
                 recorder.engine, recorder.version, recorder.engine);
    for (size_t i = 0; i < recorder.count; i++)
        std::fprintf(out, "  %-8s  %s\n", recorder.plays[i].name, recorder.plays[i].note);
}

bool named(const char *name, char **names, int count)
{
    for (int i = 0; i < count; i++)
        if (std::strcmp(name, names[i]) == 0)
            return true;
    return false;
}

} // namespace

int recorder_main(const Recorder &recorder, int argc, char **argv)
{
    static const option options[] = {
        {"frames", required_argument, nullptr, 'f'},
        {"help", no_argument, nullptr, 'h'},
        {nullptr, 0, nullptr, 0},
    };
    long frames = 0;
    for (int c; (c = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
        char *end = nullptr;
        if (c == 'h') {
            help(recorder, stdout);
            return GJB_EXIT_OK;
        }
        if (c != 'f')
            return GJB_EXIT_USAGE;
        frames = std::strtol(optarg, &end, 10);
        if (end == optarg || *end != '\0' || frames < 1 || frames > 100000) {
            std::fprintf(stderr, "record-%s: --frames: %s: a number from 1 to 100000 is wanted\n", recorder.engine,
                         optarg);
            return GJB_EXIT_USAGE;
        }
    }
    if (optind >= argc) {
        help(recorder, stderr);
        return GJB_EXIT_USAGE;
    }
    const char *folder = argv[optind++];
    char **wanted = argv + optind;
    const int wanted_count = argc - optind;
    for (int i = 0; i < wanted_count; i++) {
        bool known = false;
        for (size_t p = 0; p < recorder.count; p++)
            known = known || std::strcmp(recorder.plays[p].name, wanted[i]) == 0;
        if (!known) {
            std::fprintf(stderr, "record-%s: %s: no such scene; --help lists them\n", recorder.engine, wanted[i]);
            return GJB_EXIT_USAGE;
        }
    }
    for (size_t p = 0; p < recorder.count; p++) {
        if (wanted_count > 0 && !named(recorder.plays[p].name, wanted, wanted_count))
            continue;
        const int status = record(recorder, recorder.plays[p], folder, frames ? int(frames) : recorder.plays[p].frames);
        if (status != GJB_EXIT_OK)
            return status;
    }
    return GJB_EXIT_OK;
}
