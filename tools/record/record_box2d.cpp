/* Records scenes from Box2D itself: for every few steps of a simulation the
 * poses of all bodies, their motions over the step to come (velocities then, of the local origin, times its length),
 * and the pairs that its broad phase hands over
 * (b2World::GetContactList: pairs whose fattened boxes met, touching or not).
 *
 * A fixture becomes a body: a body of several fixtures (the tumbler's walls)
 * becomes several with one pose, vertices in the frame of the Box2D body.
 * Shapes are recorded sharp: polygons without their skin. Nothing here is
 * random, so two runs write the same bytes.
 */
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

template <void (*Build)(Stage *)> Recording simulate(const Play &play, int frames)
{
    Stage stage;
    Recording recording = {2, {}, {}};
    Build(&stage);
    for (int step = 0; int(recording.frames.size()) < frames; step++) {
        stage.world.Step(time_step, velocity_iterations, position_iterations);
        if (step >= play.first_step && (step - play.first_step) % play.every == 0)
            recording.frames.push_back(stage.look());
    }
    recording.shapes = stage.shapes;
    return recording;
}

const Play plays[] = {
    {"pyramid", "a pyramid of boxes, knocked over by a ball", simulate<build_pyramid>, 20, 6},
    {"tumbler", "boxes in a turning drum of four walls", simulate<build_tumbler>, 60, 8},
    {"pile", "circles, boxes and polygons of 3 to 8 corners, falling into a bin", simulate<build_pile>, 20, 8},
};

} // namespace

int main(int argc, char **argv)
{
    /* b2_version of 2.4.1 still says 2.4.0. */
    const Recorder recorder = {"box2d", "Box2D " GJB_BOX2D_VERSION, plays, sizeof plays / sizeof plays[0], 30};
    return recorder_main(recorder, argc, argv);
}
