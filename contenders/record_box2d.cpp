/* Records scenes from Box2D itself: for every few steps of a simulation the
 * poses of all bodies and the pairs that its broad phase hands over
 * (b2World::GetContactList: pairs whose fattened boxes met, touching or not).
 *
 * A fixture becomes a body: a body of several fixtures (the tumbler's walls)
 * becomes several with one pose, vertices in the frame of the Box2D body.
 * Shapes are recorded sharp: polygons without their skin. Nothing here is
 * random, so two runs write the same bytes.
 */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <getopt.h>

#include <box2d/box2d.h>

extern "C" {
#include "core/scene.h"
}

namespace {

constexpr float time_step = 1.0f / 60.0f;
constexpr int velocity_iterations = 8, position_iterations = 3; /* as in Box2D's own samples */

struct Recorded {
    b2Fixture *fixture;
    gjb_kind kind;
    std::vector<b2Vec2> rows;
    float radius;
};

struct Frame {
    std::vector<b2Transform> poses;
    std::vector<uint32_t> pairs;
};

class Stage {
public:
    Stage() : world(b2Vec2(0.0f, -10.0f)) { world.SetAllowSleeping(false); }

    b2Body *add_body(b2BodyType type, b2Vec2 position, float angle = 0.0f)
    {
        b2BodyDef def;
        def.type = type;
        def.position = position;
        def.angle = angle;
        return world.CreateBody(&def);
    }

    /* A box about the body's origin stays a box; one set aside becomes a polygon. */
    void add_box(b2Body *body, float hx, float hy, b2Vec2 center = b2Vec2(0.0f, 0.0f))
    {
        b2PolygonShape shape;
        shape.SetAsBox(hx, hy, center, 0.0f);
        if (center == b2Vec2(0.0f, 0.0f))
            add(body, shape, GJB_BOX, {b2Vec2(hx, hy)}, 0.0f);
        else
            add(body, shape, GJB_POLYGON, {shape.m_vertices, shape.m_vertices + shape.m_count}, 0.0f);
    }

    void add_circle(b2Body *body, float radius, float density = 1.0f)
    {
        b2CircleShape shape;
        shape.m_radius = radius;
        add(body, shape, GJB_POINT, {shape.m_p}, radius, density);
    }

    /* `sides` corners on a circle, unevenly spread by `skew` in [0, 1). */
    void add_polygon(b2Body *body, int sides, float radius, float skew)
    {
        b2Vec2 corners[b2_maxPolygonVertices];
        for (int i = 0; i < sides; i++) {
            const double share = (i + 0.5 * skew * std::sin(2.4 * i)) / sides;
            const double angle = 2.0 * M_PI * share;
            corners[i].Set(float(radius * std::cos(angle)), float(radius * std::sin(angle)));
        }
        b2PolygonShape shape;
        shape.Set(corners, sides);
        add(body, shape, GJB_POLYGON, {shape.m_vertices, shape.m_vertices + shape.m_count}, 0.0f);
    }

    Frame look()
    {
        Frame frame;
        for (const Recorded &r : recorded)
            frame.poses.push_back(r.fixture->GetBody()->GetTransform());
        for (b2Contact *c = world.GetContactList(); c != nullptr; c = c->GetNext()) {
            frame.pairs.push_back(uint32_t(c->GetFixtureA()->GetUserData().pointer));
            frame.pairs.push_back(uint32_t(c->GetFixtureB()->GetUserData().pointer));
        }
        return frame;
    }

    b2World world;
    std::vector<Recorded> recorded;

private:
    void add(b2Body *body, const b2Shape &shape, gjb_kind kind, std::vector<b2Vec2> rows, float radius,
             float density = 1.0f)
    {
        b2FixtureDef def;
        def.shape = &shape;
        def.density = density;
        def.friction = 0.6f;
        def.userData.pointer = recorded.size();
        recorded.push_back({body->CreateFixture(&def), kind, std::move(rows), radius});
    }
};

/* Well spread numbers in [0, 1) without randomness: multiples of the golden ratio. */
float spread(int i)
{
    return float(std::fmod(i * 0.6180339887498949, 1.0));
}

/* Boxes stacked in rows, which a ball then knocks over. */
void build_pyramid(Stage *stage)
{
    constexpr int base = 18;
    stage->add_box(stage->add_body(b2_staticBody, b2Vec2(0.0f, -1.0f)), 40.0f, 1.0f);
    for (int row = 0; row < base; row++)
        for (int i = 0; i < base - row; i++) {
            const b2Vec2 at(1.125f * float(i) + 0.5625f * float(row) - 0.5625f * (base - 1),
                            0.55f + 1.05f * float(row));
            stage->add_box(stage->add_body(b2_dynamicBody, at), 0.5f, 0.5f);
        }
    b2Body *ball = stage->add_body(b2_dynamicBody, b2Vec2(-30.0f, 6.0f));
    stage->add_circle(ball, 1.5f, 6.0f);
    ball->SetLinearVelocity(b2Vec2(25.0f, 4.0f));
}

/* A box of four walls that a motor turns, filled with small boxes. */
void build_tumbler(Stage *stage)
{
    constexpr int across = 18;
    b2Body *ground = stage->add_body(b2_staticBody, b2Vec2(0.0f, 0.0f));
    b2Body *drum = stage->add_body(b2_dynamicBody, b2Vec2(0.0f, 10.0f));
    stage->add_box(drum, 0.5f, 10.0f, b2Vec2(10.0f, 0.0f));
    stage->add_box(drum, 0.5f, 10.0f, b2Vec2(-10.0f, 0.0f));
    stage->add_box(drum, 10.0f, 0.5f, b2Vec2(0.0f, 10.0f));
    stage->add_box(drum, 10.0f, 0.5f, b2Vec2(0.0f, -10.0f));
    b2RevoluteJointDef joint;
    joint.bodyA = ground;
    joint.bodyB = drum;
    joint.localAnchorA = b2Vec2(0.0f, 10.0f);
    joint.motorSpeed = 0.2f * b2_pi;
    joint.maxMotorTorque = 1e8f;
    joint.enableMotor = true;
    stage->world.CreateJoint(&joint);
    for (int i = 0; i < across * across; i++) {
        const b2Vec2 at(0.9f * (float(i % across) - 0.5f * (across - 1)),
                        10.0f + 0.9f * (float(i / across) - 0.5f * (across - 1)));
        stage->add_box(stage->add_body(b2_dynamicBody, at), 0.3f, 0.3f);
    }
}

/* Circles, boxes and polygons of 3 to 8 corners, dropped into a bin. */
void build_pile(Stage *stage)
{
    constexpr int across = 14, count = 320;
    b2Body *bin = stage->add_body(b2_staticBody, b2Vec2(0.0f, 0.0f));
    stage->add_box(bin, 12.0f, 0.5f, b2Vec2(0.0f, -0.5f));
    stage->add_box(bin, 0.5f, 15.0f, b2Vec2(-11.5f, 15.0f));
    stage->add_box(bin, 0.5f, 15.0f, b2Vec2(11.5f, 15.0f));
    for (int i = 0; i < count; i++) {
        const float size = 0.35f + 0.35f * spread(i);
        const b2Vec2 at(1.5f * (float(i % across) - 0.5f * (across - 1)) + 0.1f * spread(3 * i + 1),
                        1.5f + 1.5f * float(i / across));
        b2Body *body = stage->add_body(b2_dynamicBody, at, 2.0f * b2_pi * spread(7 * i));
        if (i % 8 == 0)
            stage->add_circle(body, size);
        else if (i % 8 == 4)
            stage->add_box(body, size, size * (0.4f + 0.6f * spread(5 * i)));
        else
            stage->add_polygon(body, 3 + i % 6, size, spread(11 * i));
    }
}

struct Play {
    const char *name, *note;
    void (*build)(Stage *);
    int first_step, every;
};

const Play plays[] = {
    {"pyramid", "a pyramid of boxes, knocked over by a ball", build_pyramid, 20, 6},
    {"tumbler", "boxes in a turning drum of four walls", build_tumbler, 60, 8},
    {"pile", "circles, boxes and polygons of 3 to 8 corners, falling into a bin", build_pile, 20, 8},
};

std::vector<Frame> simulate(const Play &play, Stage *stage, int frames)
{
    std::vector<Frame> seen;
    play.build(stage);
    for (int step = 0; int(seen.size()) < frames; step++) {
        stage->world.Step(time_step, velocity_iterations, position_iterations);
        if (step >= play.first_step && (step - play.first_step) % play.every == 0)
            seen.push_back(stage->look());
    }
    return seen;
}

using ScenePtr = std::unique_ptr<gjb_scene, decltype(&gjb_scene_free)>;

void fill_frame(gjb_scene *scene, uint32_t index, const Frame &frame)
{
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const b2Transform &t = frame.poses[i];
        gjb_scene_set_pose(scene, index, i, {t.p.x, t.p.y, t.q.c, t.q.s});
    }
    if (!frame.pairs.empty())
        std::memcpy(scene->frames[index].pairs, frame.pairs.data(), frame.pairs.size() * sizeof(uint32_t));
}

ScenePtr to_scene(const Play &play, const Stage &stage, const std::vector<Frame> &frames)
{
    uint32_t rows = 0;
    for (const Recorded &r : stage.recorded)
        rows += uint32_t(r.rows.size());
    const auto bodies = uint32_t(stage.recorded.size());
    ScenePtr scene(gjb_scene_new(2, GJB_F32, bodies, rows, bodies, frames[0].pairs.size() / 2), gjb_scene_free);
    if (!scene)
        return scene;
    std::snprintf(scene->name, sizeof scene->name, "box2d-%s", play.name);
    std::snprintf(scene->note, sizeof scene->note, "%s; recorded from Box2D %s", play.note,
                  GJB_BOX2D_VERSION); /* b2_version of 2.4.1 still says 2.4.0 */
    uint32_t first = 0;
    for (uint32_t i = 0; i < bodies; i++) {
        const Recorded &r = stage.recorded[i];
        double vertices[b2_maxPolygonVertices][2];
        for (size_t v = 0; v < r.rows.size(); v++) {
            vertices[v][0] = r.rows[v].x;
            vertices[v][1] = r.rows[v].y;
        }
        gjb_scene_set_shape(scene.get(), i, r.kind, first, uint32_t(r.rows.size()), vertices, r.radius);
        first += uint32_t(r.rows.size());
    }
    fill_frame(scene.get(), 0, frames[0]);
    for (size_t f = 1; f < frames.size(); f++) {
        const uint32_t index = gjb_scene_add_frame(scene.get(), frames[f].pairs.size() / 2);
        if (index == UINT32_MAX)
            return ScenePtr(nullptr, gjb_scene_free);
        fill_frame(scene.get(), index, frames[f]);
    }
    return scene;
}

int record(const Play &play, const char *folder, int frames)
{
    Stage stage;
    const std::vector<Frame> seen = simulate(play, &stage, frames);
    const ScenePtr scene = to_scene(play, stage, seen);
    const std::string path = std::string(folder) + "/" + play.name + ".gjb";
    gjb_error error = {};
    if (!scene) {
        std::fprintf(stderr, "record-box2d: %s: out of memory\n", path.c_str());
        return GJB_EXIT_HARNESS;
    }
    if (gjb_scene_check(scene.get(), path.c_str(), &error) != 0 ||
        gjb_scene_save_binary(scene.get(), path.c_str(), &error) != 0) {
        std::fprintf(stderr, "record-box2d: %s\n", error.text);
        return GJB_EXIT_USAGE;
    }
    unsigned long long pairs = 0;
    for (const Frame &frame : seen)
        pairs += frame.pairs.size() / 2;
    std::printf("%s: %u bodies, %d frames, %llu pairs\n", path.c_str(), unsigned(scene->body_count), frames,
                pairs);
    return GJB_EXIT_OK;
}

void help(FILE *out)
{
    std::fputs("Usage: record-box2d [--frames N] FOLDER [SCENE...]\n"
               "Simulates with Box2D and writes FOLDER/SCENE.gjb: poses and pairs of the broad phase.\n"
               "The shipped scenes: record-box2d data/scenes\n\n"
               "  --frames N  frames of each scene (default 30)\n"
               "  --help      this text\n\nScenes (default: all):\n",
               out);
    for (const Play &play : plays)
        std::fprintf(out, "  %-8s  %s\n", play.name, play.note);
}

} // namespace

int main(int argc, char **argv)
{
    static const option options[] = {
        {"frames", required_argument, nullptr, 'f'},
        {"help", no_argument, nullptr, 'h'},
        {nullptr, 0, nullptr, 0},
    };
    long frames = 30;
    for (int c; (c = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
        char *end = nullptr;
        if (c == 'h') {
            help(stdout);
            return GJB_EXIT_OK;
        }
        if (c != 'f')
            return GJB_EXIT_USAGE;
        frames = std::strtol(optarg, &end, 10);
        if (end == optarg || *end != '\0' || frames < 1 || frames > 100000) {
            std::fprintf(stderr, "record-box2d: --frames: %s: a number from 1 to 100000 is wanted\n", optarg);
            return GJB_EXIT_USAGE;
        }
    }
    if (optind >= argc) {
        help(stderr);
        return GJB_EXIT_USAGE;
    }
    const char *folder = argv[optind++];
    for (int i = optind; i < argc; i++) {
        bool known = false;
        for (const Play &play : plays)
            known = known || std::strcmp(play.name, argv[i]) == 0;
        if (!known) {
            std::fprintf(stderr, "record-box2d: %s: no such scene; --help lists them\n", argv[i]);
            return GJB_EXIT_USAGE;
        }
    }
    for (const Play &play : plays) {
        bool wanted = optind == argc;
        for (int i = optind; i < argc; i++)
            wanted = wanted || std::strcmp(play.name, argv[i]) == 0;
        if (!wanted)
            continue;
        const int status = record(play, folder, int(frames));
        if (status != GJB_EXIT_OK)
            return status;
    }
    return GJB_EXIT_OK;
}
