/* What the programs that record scenes share: their command line, and the
 * scene that frames of poses and pairs become. */
#ifndef GJB_CONTENDERS_RECORDER_HPP
#define GJB_CONTENDERS_RECORDER_HPP

#include <array>
#include <cstdint>
#include <vector>

extern "C" {
#include "scenes/scene.h"
}

/* A body as it is recorded: one shape each. */
struct RecordedShape {
    gjb_kind kind;
    std::vector<double> rows; /* [row][dim] */
    double radius;
};

/* Of one dimension alone. */
struct RecordedFrame {
    std::vector<gjb_pose2d> poses2;
    std::vector<gjb_pose3d> poses3;
    std::vector<std::array<double, 6>> motions; /* of the engine's next step: its velocities times its length */
    std::vector<uint32_t> pairs;
};

struct Recording {
    uint32_t dim;
    std::vector<RecordedShape> shapes;
    std::vector<RecordedFrame> frames;
};

struct Play {
    const char *name, *note;
    Recording (*simulate)(const Play &play, int frames);
    int first_step, every, frames; /* unless the command line says how many frames */
};

struct Recorder {
    const char *engine;  /* as in scene names and in the program's: "box2d" */
    const char *version; /* with the engine's own name, for the note */
    const Play *plays;
    size_t count;
};

/* Records what the command line asks for; the exit code. */
int recorder_main(const Recorder &recorder, int argc, char **argv);

#endif
