/* Records scenes from Bullet itself: for every few steps of a simulation the
 * poses of all bodies, their motions over the step to come (velocities then, times its length), and
 * the pairs that its broad phase hands over (its
 * manifolds: one for each overlapping pair of boxes, touching or not).
 *
 * Steps are of one length and no body ever sleeps. Shapes are recorded sharp:
 * hulls without the collision margin that the engine adds around them; its boxes hold
 * theirs inside. Nothing here is random but for fixed seeds, so two runs write the same bytes.
 */
#include <cmath>
#include <memory>
#include <vector>

#include <btBulletDynamicsCommon.h>

#include "tools/record/pieces.hpp"
#include "tools/record/recorder.hpp"

namespace {

constexpr float time_step = 1.0f / 60.0f, gravity = 10.0f;

class Stage {
public:
    Stage()
        : dispatcher(&configuration), world(&dispatcher, &broadphase, &solver, &configuration)
    {
        world.setGravity(btVector3(0.0f, 0.0f, -gravity));
    }

    ~Stage()
    {
        for (const auto &body : bodies)
            world.removeRigidBody(body.get());
    }

    /* A mass of 0 stands still. */
    btRigidBody *add_box(const btVector3 &half, float mass, const btVector3 &at,
                         const btQuaternion &turn = btQuaternion::getIdentity())
    {
        return add(std::make_unique<btBoxShape>(half), {GJB_BOX, row(half), 0.0}, mass, at, turn);
    }

    btRigidBody *add_sphere(float radius, float mass, const btVector3 &at)
    {
        return add(std::make_unique<btSphereShape>(radius), {GJB_POINT, {0.0, 0.0, 0.0}, double(radius)}, mass, at,
                   btQuaternion::getIdentity());
    }

    /* Along z. */
    btRigidBody *add_capsule(float radius, float half, float mass, const btVector3 &at, const btQuaternion &turn)
    {
        const double h = double(half);
        return add(std::make_unique<btCapsuleShapeZ>(radius, 2.0f * half),
                   {GJB_SEGMENT, {0.0, 0.0, -h, 0.0, 0.0, h}, double(radius)}, mass, at, turn);
    }

    /* The margin is around the hull, and not recorded. */
    btRigidBody *add_hull(const std::vector<btVector3> &points, float mass, const btVector3 &at,
                          const btQuaternion &turn, float margin = CONVEX_DISTANCE_MARGIN)
    {
        auto hull = std::make_unique<btConvexHullShape>();
        hull->setMargin(margin);
        RecordedShape recorded = {GJB_HULL, {}, 0.0};
        for (const btVector3 &point : points) {
            hull->addPoint(point, false);
            for (int i = 0; i < 3; i++)
                recorded.rows.push_back(double(point[i]));
        }
        hull->recalcLocalAabb();
        return add(std::move(hull), recorded, mass, at, turn);
    }

    RecordedFrame look()
    {
        RecordedFrame frame;
        for (const auto &body : bodies) {
            const btVector3 &at = body->getWorldTransform().getOrigin();
            const btQuaternion q = body->getWorldTransform().getRotation();
            frame.poses3.push_back({double(at.x()), double(at.y()), double(at.z()), double(q.x()), double(q.y()),
                                    double(q.z()), double(q.w())});
            const btVector3 way = time_step * body->getLinearVelocity(), turn = time_step * body->getAngularVelocity();
            frame.motions.push_back({double(way.x()), double(way.y()), double(way.z()), double(turn.x()),
                                     double(turn.y()), double(turn.z())});
        }
        for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
            const btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(i);
            frame.pairs.push_back(uint32_t(manifold->getBody0()->getUserIndex()));
            frame.pairs.push_back(uint32_t(manifold->getBody1()->getUserIndex()));
        }
        return frame;
    }

private:
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;

public:
    btDiscreteDynamicsWorld world;
    std::vector<RecordedShape> shapes; /* one a body */

private:
    static std::vector<double> row(const btVector3 &v)
    {
        return {double(v.x()), double(v.y()), double(v.z())};
    }

    btRigidBody *add(std::unique_ptr<btCollisionShape> shape, const RecordedShape &recorded, float mass,
                     const btVector3 &at, const btQuaternion &turn)
    {
        btVector3 inertia(0.0f, 0.0f, 0.0f);
        if (mass > 0.0f)
            shape->calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
        info.m_startWorldTransform = btTransform(turn, at);
        info.m_friction = 0.6f;
        bodies.push_back(std::make_unique<btRigidBody>(info));
        btRigidBody *body = bodies.back().get();
        body->setActivationState(DISABLE_DEACTIVATION);
        body->setUserIndex(int(shapes.size()));
        world.addRigidBody(body);
        forms.push_back(std::move(shape));
        shapes.push_back(recorded);
        return body;
    }

    std::vector<std::unique_ptr<btCollisionShape>> forms;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
};

/* Well spread numbers in [0, 1) without randomness: multiples of the golden ratio. */
float spread(int i)
{
    return float(std::fmod(i * 0.6180339887498949, 1.0));
}

btQuaternion turned(int i)
{
    const float z = 2.0f * spread(7 * i) - 1.0f, angle = 6.0f * spread(11 * i), r = std::sqrt(1.0f - z * z);
    return btQuaternion(btVector3(r * std::cos(angle), r * std::sin(angle), z), 6.0f * spread(13 * i + 1));
}

btVector3 vector(const Point &p)
{
    return btVector3(float(p[0]), float(p[1]), float(p[2]));
}

/* A floor and four walls, `half` wide inside. */
void add_bin(Stage *stage, float half, float height)
{
    stage->add_box(btVector3(half + 1.0f, half + 1.0f, 0.5f), 0.0f, btVector3(0.0f, 0.0f, -0.5f));
    for (int i = 0; i < 4; i++) {
        const float side = i % 2 == 0 ? half + 0.5f : -(half + 0.5f);
        const bool along_x = i < 2;
        stage->add_box(along_x ? btVector3(0.5f, half, height) : btVector3(half, 0.5f, height), 0.0f,
                       along_x ? btVector3(side, 0.0f, height) : btVector3(0.0f, side, height));
    }
}

/* A wall of boxes laid like bricks, which a ball then knocks over. */
void build_stack(Stage *stage)
{
    constexpr int across = 12, rows = 10;
    stage->add_box(btVector3(30.0f, 30.0f, 1.0f), 0.0f, btVector3(0.0f, 0.0f, -1.0f));
    for (int z = 0; z < rows; z++)
        for (int i = 0; i < across; i++)
            stage->add_box(btVector3(0.5f, 0.3f, 0.25f), 1.0f,
                           btVector3(1.02f * (float(i) - 0.5f * (across - 1)) + (z % 2 == 0 ? 0.0f : 0.5f), 0.0f,
                                     0.26f + 0.505f * float(z)));
    stage->add_sphere(0.7f, 20.0f, btVector3(0.5f, -8.0f, 2.0f))->setLinearVelocity(btVector3(0.0f, 14.0f, 2.0f));
}

/* Hulls of 4 to 32 corners, dropped into a bin. */
void build_heap(Stage *stage)
{
    constexpr int count = 120, across = 5;
    add_bin(stage, 4.0f, 6.0f);
    for (int i = 0; i < count; i++) {
        const int corners = 4 + i * 5 % 29;
        const float size = 0.4f + 0.3f * spread(i), flat = 0.5f + 0.5f * spread(3 * i);
        std::vector<btVector3> points;
        for (int k = 0; k < corners; k++) {
            const float z = (2.0f * float(k) + 1.0f) / float(corners) - 1.0f, angle = 2.4f * float(k) + spread(i + k);
            const float r = std::sqrt(1.0f - z * z);
            points.push_back(size * btVector3(r * std::cos(angle), r * std::sin(angle), flat * z));
        }
        const btVector3 at(1.5f * (float(i % across) - 2.0f), 1.5f * (float(i / across % across) - 2.0f),
                           1.0f + 1.5f * float(i / (across * across)));
        stage->add_hull(points, 1.0f, at, turned(i));
    }
}

/* Capsules and boxes in a bin over which gravity turns, so that they roll on. */
void build_rollers(Stage *stage)
{
    constexpr int count = 120, across = 5;
    add_bin(stage, 3.5f, 6.0f);
    for (int i = 0; i < count; i++) {
        const btVector3 at(1.3f * (float(i % across) - 2.0f), 1.3f * (float(i / across % across) - 2.0f),
                           0.8f + 1.3f * float(i / (across * across)));
        const float size = 0.2f + 0.2f * spread(i);
        if (i % 3 == 0)
            stage->add_box(btVector3(size, size * 1.5f, size * (0.5f + spread(5 * i))), 1.0f, at, turned(i));
        else
            stage->add_capsule(size, 0.4f * spread(3 * i) + 0.1f, 1.0f, at, turned(i));
    }
}

/* Boulders that are cut into pieces of 20 to 60 corners, a little apart, and fall to a heap in a bin. */
void build_pieces(Stage *stage)
{
    struct Boulder {
        int facets, cuts;
    };
    static const Boulder boulders[] = {{60, 36}, {120, 30}, {180, 24}, {240, 18}, {90, 30}};
    constexpr float radius = 1.5f, apart = 1.2f, margin = 0.002f; /* so that they touch */
    add_bin(stage, 4.0f, 6.0f);
    for (int i = 0; i < int(sizeof boulders / sizeof *boulders); i++) {
        const btVector3 at(i % 2 == 0 ? -1.9f : 1.9f, i / 2 % 2 == 0 ? -1.9f : 1.9f, 2.0f + 3.8f * float(i / 4));
        for (const Piece &piece : cut_boulder(unsigned(i + 1), boulders[i].facets, boulders[i].cuts, 20, 60)) {
            std::vector<btVector3> points;
            for (const Point &corner : piece.corners)
                points.push_back(radius * vector(corner));
            stage->add_hull(points, 1.0f, at + apart * radius * vector(piece.center), btQuaternion::getIdentity(),
                            margin);
        }
    }
}

/* A prism that stands on one of its bases: hulls keep their margin outside, so it hovers by that. */
void add_barrel(Stage *stage, int sides, float radius, float half, const btVector3 &at)
{
    std::vector<btVector3> points;
    for (int i = 0; i < 2 * sides; i++) {
        const float angle = 6.2831853f * float(i / 2) / float(sides);
        points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), i % 2 == 0 ? -half : half);
    }
    stage->add_hull(points, 1.0f, at, btQuaternion::getIdentity());
}

/* Boxes one on another, none quite above the one below. */
void add_column(Stage *stage, int index, float x, float y)
{
    float z = 0.0f;
    for (int i = 0; i < 6; i++) {
        const int k = 6 * index + i;
        const btVector3 half(0.35f + 0.1f * spread(3 * k), 0.35f + 0.1f * spread(5 * k), 0.2f + 0.1f * spread(7 * k));
        const btVector3 at(x + 0.1f * spread(11 * k) - 0.05f, y + 0.1f * spread(13 * k) - 0.05f, z + half.z());
        stage->add_box(half, 1.0f, at, btQuaternion(btVector3(0.0f, 0.0f, 1.0f), 1.5f * spread(17 * k)));
        z += 2.0f * half.z();
    }
}

/* Bricks along x; each other row is set off by less than the half brick that would let its end tip over. */
void add_wall(Stage *stage, float x, float y)
{
    constexpr int across = 6, rows = 5;
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < across; i++)
            stage->add_box(
                btVector3(0.5f, 0.3f, 0.25f), 1.0f,
                btVector3(x + 1.01f * float(i) + (row % 2 == 0 ? 0.0f : 0.3f), y, 0.25f + 0.5f * float(row)));
}

/* Layers of boxes on a square, each a row smaller. */
void add_square_pyramid(Stage *stage, float x, float y)
{
    constexpr int base = 4;
    constexpr float half = 0.4f, pitch = 0.85f;
    for (int layer = 0; layer < base; layer++)
        for (int i = 0; i < (base - layer) * (base - layer); i++) {
            const int side = base - layer;
            const float along = float(i % side) + 0.5f * float(layer), across = float(i / side) + 0.5f * float(layer);
            stage->add_box(btVector3(half, half, half), 1.0f,
                           btVector3(x + pitch * along, y + pitch * across, half + 2.0f * half * float(layer)));
        }
}

/* Two floors of three barrels, with a slab on each. */
void add_barrels(Stage *stage, int index, float x, float y)
{
    constexpr float margin = 0.04f, radius = 0.4f, half = 0.5f, slab = 0.1f;
    float z = 0.0f;
    for (int level = 0; level < 2; level++) {
        for (int i = 0; i < 3; i++) {
            const btVector3 at(x + 1.05f * float(i % 2) + 0.5f * float(i / 2), y + 0.95f * float(i / 2),
                               z + margin + half);
            add_barrel(stage, 8 + (index + i) % 5, radius, half, at);
        }
        z += 2.0f * (margin + half);
        stage->add_box(btVector3(1.05f, 1.0f, slab), 1.0f, btVector3(x + 0.52f, y + 0.32f, z + slab));
        z += 2.0f * slab;
    }
}

/* Stacks that are built as they stand, left alone. */
void build_rest(Stage *stage)
{
    stage->add_box(btVector3(20.0f, 20.0f, 1.0f), 0.0f, btVector3(0.0f, 0.0f, -1.0f));
    for (int i = 0; i < 12; i++)
        add_column(stage, i, 1.6f * (float(i % 6) - 2.5f), -6.0f + 1.6f * float(i / 6));
    for (int i = 0; i < 2; i++) {
        add_wall(stage, -6.5f + 7.5f * float(i), 0.0f);
        add_square_pyramid(stage, -4.0f + 5.0f * float(i), 2.0f);
    }
    for (int i = 0; i < 6; i++)
        add_barrels(stage, i, 3.0f * (float(i) - 2.5f), 7.0f);
}

void lean(Stage *stage, int step)
{
    const float angle = 0.02f * float(step);
    stage->world.setGravity(btVector3(0.6f * gravity * std::cos(angle), 0.6f * gravity * std::sin(angle), -0.8f * gravity));
}

void upright(Stage *, int) {}

template <void (*Build)(Stage *), void (*Before)(Stage *, int)> Recording simulate(const Play &play, int frames)
{
    Stage stage;
    Recording recording = {3, {}, {}};
    Build(&stage);
    for (int step = 0; int(recording.frames.size()) < frames; step++) {
        Before(&stage, step);
        stage.world.stepSimulation(time_step, 0);
        if (step >= play.first_step && (step - play.first_step) % play.every == 0)
            recording.frames.push_back(stage.look());
    }
    recording.shapes = stage.shapes;
    return recording;
}

const Play plays[] = {
    {"stack", "a wall of boxes, knocked over by a ball", simulate<build_stack, upright>, 20, 4, 20},
    {"heap", "hulls of 4 to 32 corners, falling into a bin", simulate<build_heap, upright>, 40, 6, 20},
    {"rollers", "capsules and boxes rolling in a bin", simulate<build_rollers, lean>, 60, 6, 20},
    {"pieces", "boulders cut into pieces of 20 to 60 corners, falling to a heap", simulate<build_pieces, upright>,
     20, 8, 30},
    {"rest", "columns, walls and pyramids of boxes and barrels, at rest", simulate<build_rest, upright>, 240, 8, 30},
};

} // namespace

int main(int argc, char **argv)
{
    const Recorder recorder = {"bullet", "Bullet " GJB_BULLET_VERSION, plays, sizeof plays / sizeof plays[0]};
    return recorder_main(recorder, argc, argv);
}
