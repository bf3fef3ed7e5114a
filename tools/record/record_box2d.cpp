/* Records scenes from Box2D itself: for every few steps of a simulation the
 * poses of all bodies, their motions over the step to come (velocities then, of the local origin, times its length),
 * and the pairs that its broad phase hands over
 * (b2World::GetContactList: pairs whose fattened boxes met, touching or not).
 *
 * A fixture becomes a body: a body of several fixtures (the tumbler's walls)
 * becomes several with one pose, vertices in the frame of the Box2D body.
 * Shapes are recorded sharp: polygons without their skin. Bars keep theirs, which is as thick as they are: they
 * stand for capsules, which this engine lacks. Nothing here is random, so two runs write the same bytes.
 */
#include <algorithm>
#include <cmath>
#include <vector>

#include <box2d/box2d.h>

#include "tools/record/recorder.hpp"

namespace {

constexpr float time_step = 1.0f / 60.0f;
constexpr int velocity_iterations = 8, position_iterations = 3; /* as in Box2D's own samples */

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

    void add_circle(b2Body *body, float radius, float density = 1.0f, b2Vec2 center = b2Vec2(0.0f, 0.0f))
    {
        b2CircleShape shape;
        shape.m_radius = radius;
        shape.m_p = center;
        add(body, shape, GJB_POINT, {shape.m_p}, radius, density);
    }

    /* A box with a thick skin. */
    void add_bar(b2Body *body, float hx, float hy, float radius, float density)
    {
        b2PolygonShape shape;
        shape.SetAsBox(hx, hy);
        shape.m_radius = radius;
        add(body, shape, GJB_BOX, {b2Vec2(hx, hy)}, radius, density);
    }

    /* Convex corners, counter-clockwise. */
    void add_corners(b2Body *body, const std::vector<b2Vec2> &corners)
    {
        b2PolygonShape shape;
        shape.Set(corners.data(), int(corners.size()));
        add(body, shape, GJB_POLYGON, {shape.m_vertices, shape.m_vertices + shape.m_count}, 0.0f);
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

    RecordedFrame look()
    {
        RecordedFrame frame;
        for (const b2Fixture *fixture : fixtures) {
            const b2Transform &t = fixture->GetBody()->GetTransform();
            frame.poses2.push_back({double(t.p.x), double(t.p.y), double(t.q.c), double(t.q.s)});
            const b2Vec2 v = fixture->GetBody()->GetLinearVelocityFromLocalPoint(b2Vec2(0.0f, 0.0f));
            frame.motions.push_back({double(time_step * v.x), double(time_step * v.y),
                                     double(time_step * fixture->GetBody()->GetAngularVelocity())});
        }
        for (b2Contact *c = world.GetContactList(); c != nullptr; c = c->GetNext()) {
            frame.pairs.push_back(uint32_t(c->GetFixtureA()->GetUserData().pointer));
            frame.pairs.push_back(uint32_t(c->GetFixtureB()->GetUserData().pointer));
        }
        return frame;
    }

    b2World world;
    std::vector<b2Body *> driven; /* by what comes before each step */
    std::vector<b2Fixture *> fixtures;
    std::vector<RecordedShape> shapes; /* one each */

private:
    void add(b2Body *body, const b2Shape &shape, gjb_kind kind, const std::vector<b2Vec2> &rows, float radius,
             float density = 1.0f)
    {
        b2FixtureDef def;
        def.shape = &shape;
        def.density = density;
        def.friction = 0.6f;
        def.userData.pointer = fixtures.size();
        fixtures.push_back(body->CreateFixture(&def));
        RecordedShape recorded = {kind, {}, double(radius)};
        for (const b2Vec2 &row : rows) {
            recorded.rows.push_back(double(row.x));
            recorded.rows.push_back(double(row.y));
        }
        shapes.push_back(recorded);
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

/* A floor and two walls, `half` wide and `tall` high by half. */
void add_bin(Stage *stage, float half, float tall)
{
    b2Body *bin = stage->add_body(b2_staticBody, b2Vec2(0.0f, 0.0f));
    stage->add_box(bin, half, 0.5f, b2Vec2(0.0f, -0.5f));
    stage->add_box(bin, 0.5f, tall, b2Vec2(0.5f - half, tall));
    stage->add_box(bin, 0.5f, tall, b2Vec2(half - 0.5f, tall));
}

/* Circles, boxes and polygons of 3 to 8 corners, dropped into a bin. */
void build_pile(Stage *stage)
{
    constexpr int across = 14, count = 320;
    add_bin(stage, 12.0f, 15.0f);
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

/* A part of a doll that stands with its arms spread: a box, a bar if it has a radius, a circle if it has only that. */
struct Part {
    b2Vec2 at;
    float hx, hy, radius;
};
const Part parts[] = {
    {{0.0f, 0.0f}, 0.2f, 0.3f, 0.0f},          {{0.0f, -0.42f}, 0.18f, 0.1f, 0.0f},
    {{0.0f, 0.5f}, 0.0f, 0.0f, 0.17f},         {{-0.4f, 0.22f}, 0.11f, 0.03f, 0.05f},
    {{0.4f, 0.22f}, 0.11f, 0.03f, 0.05f},      {{-0.72f, 0.22f}, 0.11f, 0.02f, 0.05f},
    {{0.72f, 0.22f}, 0.11f, 0.02f, 0.05f},     {{-0.12f, -0.77f}, 0.04f, 0.16f, 0.06f},
    {{0.12f, -0.77f}, 0.04f, 0.16f, 0.06f},    {{-0.12f, -1.21f}, 0.03f, 0.16f, 0.06f},
    {{0.12f, -1.21f}, 0.03f, 0.16f, 0.06f},
};
enum { TORSO, PELVIS, HEAD, ARM_LEFT, ARM_RIGHT, HAND_LEFT, HAND_RIGHT, THIGH_LEFT, THIGH_RIGHT, SHIN_LEFT, SHIN_RIGHT,
       PARTS };

/* Where two parts meet, and how far they turn. */
struct Link {
    int a, b;
    b2Vec2 at;
    float lower, upper;
};
const Link links[] = {
    {TORSO, PELVIS, {0.0f, -0.31f}, -0.5f, 0.5f},           {TORSO, HEAD, {0.0f, 0.32f}, -0.6f, 0.6f},
    {TORSO, ARM_LEFT, {-0.24f, 0.22f}, -0.6f, 1.5f},        {TORSO, ARM_RIGHT, {0.24f, 0.22f}, -1.5f, 0.6f},
    {ARM_LEFT, HAND_LEFT, {-0.56f, 0.22f}, -0.1f, 2.2f},    {ARM_RIGHT, HAND_RIGHT, {0.56f, 0.22f}, -2.2f, 0.1f},
    {PELVIS, THIGH_LEFT, {-0.12f, -0.52f}, -0.8f, 0.2f},    {PELVIS, THIGH_RIGHT, {0.12f, -0.52f}, -0.2f, 0.8f},
    {THIGH_LEFT, SHIN_LEFT, {-0.12f, -0.99f}, -0.1f, 1.4f}, {THIGH_RIGHT, SHIN_RIGHT, {0.12f, -0.99f}, -1.4f, 0.1f},
};

void add_doll(Stage *stage, b2Vec2 at, float angle)
{
    const b2Transform place(at, b2Rot(angle));
    b2Body *bodies[PARTS];
    for (int i = 0; i < PARTS; i++) {
        const Part &part = parts[i];
        bodies[i] = stage->add_body(b2_dynamicBody, b2Mul(place, part.at), angle);
        if (part.hx == 0.0f)
            stage->add_circle(bodies[i], part.radius);
        else if (part.radius == 0.0f)
            stage->add_box(bodies[i], part.hx, part.hy);
        else
            stage->add_bar(bodies[i], part.hx, part.hy, part.radius, 5.0f);
    }
    for (const Link &link : links) {
        b2RevoluteJointDef joint;
        joint.Initialize(bodies[link.a], bodies[link.b], b2Mul(place, link.at));
        joint.lowerAngle = link.lower;
        joint.upperAngle = link.upper;
        joint.enableLimit = joint.enableMotor = true; /* at rest: friction */
        joint.maxMotorTorque = 0.05f;
        stage->world.CreateJoint(&joint);
    }
}

/* Dolls of eleven parts, dropped into a bin. */
void build_ragdolls(Stage *stage)
{
    constexpr int across = 6, count = 30;
    add_bin(stage, 7.5f, 12.0f);
    for (int i = 0; i < count; i++) {
        const b2Vec2 at(2.05f * (float(i % across) - 0.5f * (across - 1)) + 0.2f * spread(3 * i + 1) - 0.1f,
                        2.2f + 2.6f * float(i / across));
        add_doll(stage, at, 0.9f * spread(7 * i) - 0.45f);
    }
}

enum { TILES = 48, WALKERS = 56, ROLLERS = 110, BRIDGES = 8, LIFTS = 8 };
constexpr float tile = 4.0f; /* metres */

/* Of the ground at the left end of a tile: slopes, steps of a metre and flats. */
float ground_height(int i)
{
    return i % 8 == 7 ? 1.0f : 1.2f * std::sin(0.9f * float(i)) * spread(5 * i);
}

/* Columns with level, sloping or bulging tops, and a wall at each end. */
void add_ground(Stage *stage)
{
    b2Body *ground = stage->add_body(b2_staticBody, b2Vec2(0.0f, 0.0f));
    for (int i = 0; i < TILES; i++) {
        const float left = tile * float(i), right = left + tile, from = ground_height(i), to = ground_height(i + 1);
        const float top = 0.4f + std::max(from, to);
        if (i % 6 == 2)
            stage->add_corners(ground, {{left, -3.0f}, {right, -3.0f}, {right, from}, {left, from}});
        else if (i % 6 == 4)
            stage->add_corners(ground, {{left, -3.0f}, {right, -3.0f}, {right, to}, {right - 1.0f, top},
                                        {left + 1.0f, top}, {left, from}});
        else
            stage->add_corners(ground, {{left, -3.0f}, {right, -3.0f}, {right, to}, {left, from}});
    }
    stage->add_box(ground, 1.0f, 12.0f, b2Vec2(-1.0f, 9.0f));
    stage->add_box(ground, 1.0f, 12.0f, b2Vec2(tile * TILES + 1.0f, 9.0f));
}

/* Ledges: some level, some tilted so that things roll off, and blocks of crates on the level ones. */
void add_ledges(Stage *stage)
{
    for (int i = 0; i < TILES / 2; i++) {
        const b2Vec2 at(2.0f * tile * (float(i) + 0.5f), 4.5f + 3.0f * spread(3 * i));
        const bool level = i % 3 != 0;
        stage->add_box(stage->add_body(b2_staticBody, at, level ? 0.0f : 0.5f * spread(i) - 0.25f), 2.2f, 0.25f);
        for (int k = 0; level && k < 4; k++) {
            const b2Vec2 above(0.9f * float(k % 2) - 0.6f, 0.66f + 0.82f * float(k / 2));
            stage->add_box(stage->add_body(b2_dynamicBody, at + above), 0.4f, 0.4f);
        }
    }
}

/* Planks that hang as a chain between two posts. */
void add_bridge(Stage *stage, b2Vec2 from)
{
    constexpr int planks = 10;
    constexpr float half = 0.35f;
    b2Body *before = stage->add_body(b2_staticBody, from - b2Vec2(0.3f, 0.0f)), *posts[2] = {before, nullptr};
    posts[1] = stage->add_body(b2_staticBody, from + b2Vec2(2.0f * half * planks + 0.3f, 0.0f));
    for (b2Body *post : posts)
        stage->add_box(post, 0.3f, 0.5f);
    for (int i = 0; i <= planks; i++) {
        const b2Vec2 joint_at = from + b2Vec2(2.0f * half * float(i), 0.0f);
        b2Body *next = i == planks ? posts[1] : stage->add_body(b2_dynamicBody, joint_at + b2Vec2(half, 0.0f));
        if (i < planks)
            stage->add_box(next, half, 0.1f);
        b2RevoluteJointDef joint;
        joint.Initialize(before, next, joint_at);
        stage->world.CreateJoint(&joint);
        before = next;
    }
}

/* Upright: a box between two circles, or a box alone. */
void add_walker(Stage *stage, b2Vec2 at, bool round)
{
    b2Body *body = stage->add_body(b2_dynamicBody, at);
    body->SetFixedRotation(true);
    stage->add_box(body, 0.3f, round ? 0.35f : 0.65f);
    if (round) {
        stage->add_circle(body, 0.3f, 1.0f, b2Vec2(0.0f, -0.35f));
        stage->add_circle(body, 0.3f, 1.0f, b2Vec2(0.0f, 0.35f));
    }
    stage->driven.push_back(body);
}

void add_roller(Stage *stage, int i, b2Vec2 at)
{
    const float size = 0.25f + 0.3f * spread(7 * i);
    b2Body *body = stage->add_body(b2_dynamicBody, at);
    if (i % 2 == 0)
        stage->add_circle(body, size);
    else
        stage->add_polygon(body, 5 + i % 4, size, 0.3f * spread(11 * i));
    body->SetAngularVelocity(20.0f * spread(5 * i) - 10.0f);
}

/* A long level of a platform game: uneven ground, ledges with crates, bridges, lifts, and much that walks and rolls. */
void build_level(Stage *stage)
{
    constexpr float length = tile * TILES;
    add_ground(stage);
    add_ledges(stage);
    for (int i = 0; i < BRIDGES; i++)
        add_bridge(stage, b2Vec2(length * (float(i) + 0.3f) / BRIDGES, 3.2f));
    for (int i = 0; i < LIFTS; i++) {
        b2Body *lift = stage->add_body(b2_kinematicBody, b2Vec2(length * (float(i) + 0.8f) / LIFTS, 2.9f));
        stage->add_box(lift, 1.5f, 0.2f);
        stage->driven.push_back(lift);
    }
    for (int i = 0; i < WALKERS; i++)
        add_walker(stage, b2Vec2(length * (float(i) + 0.5f) / WALKERS, 9.0f + 2.0f * spread(i)), i % 3 != 0);
    for (int i = 0; i < ROLLERS; i++)
        add_roller(stage, i, b2Vec2(length * (float(i) + 0.25f) / ROLLERS, 11.5f + 2.0f * spread(3 * i)));
}

/* Lifts swing up and down or to and fro; walkers turn now and again, and jump. */
void drive_level(Stage *stage, int step)
{
    for (int i = 0; i < LIFTS; i++) {
        const float speed = 2.0f * std::cos(0.03f * float(step) + float(i));
        stage->driven[size_t(i)]->SetLinearVelocity(i % 2 == 0 ? b2Vec2(speed, 0.0f) : b2Vec2(0.0f, speed));
    }
    for (int i = 0; i < WALKERS; i++) {
        b2Body *walker = stage->driven[size_t(LIFTS + i)];
        const int clock = step + 37 * i;
        const float way = clock / 150 % 2 == 0 ? 3.0f : -3.0f;
        const float up = clock % 90 == 0 ? 6.0f : walker->GetLinearVelocity().y;
        walker->SetLinearVelocity(b2Vec2(way, up));
    }
}

void leave(Stage *, int) {}

template <void (*Build)(Stage *), void (*Before)(Stage *, int) = leave> Recording simulate(const Play &play, int frames)
{
    Stage stage;
    Recording recording = {2, {}, {}};
    Build(&stage);
    for (int step = 0; int(recording.frames.size()) < frames; step++) {
        Before(&stage, step);
        stage.world.Step(time_step, velocity_iterations, position_iterations);
        if (step >= play.first_step && (step - play.first_step) % play.every == 0)
            recording.frames.push_back(stage.look());
    }
    recording.shapes = stage.shapes;
    return recording;
}

const Play plays[] = {
    {"pyramid", "a pyramid of boxes, knocked over by a ball", simulate<build_pyramid>, 20, 6, 30},
    {"tumbler", "boxes in a turning drum of four walls", simulate<build_tumbler>, 60, 8, 30},
    {"pile", "circles, boxes and polygons of 3 to 8 corners, falling into a bin", simulate<build_pile>, 20, 8, 30},
    {"ragdolls", "dolls of jointed boxes, circles and rounded bars, heaped up in a bin", simulate<build_ragdolls>,
     40, 8, 30},
    {"level", "a platform game's level, in which much walks, jumps and rolls", simulate<build_level, drive_level>,
     90, 8, 30},
};

} // namespace

int main(int argc, char **argv)
{
    /* b2_version of 2.4.1 still says 2.4.0. */
    const Recorder recorder = {"box2d", "Box2D " GJB_BOX2D_VERSION, plays, sizeof plays / sizeof plays[0]};
    return recorder_main(recorder, argc, argv);
}
