/* MuJoCo before 3, as Debian packages it (2.2.2), as a contender: its collision functions for a pair of geoms.
 *
 * They are the public table mjCOLLISIONFUNC, which mj_collision calls for each pair that its broad phase leaves. Pairs
 * with an ellipsoid, a cylinder or a mesh, planes apart, go to mjc_Convex there, which is not the GJK and EPA of MuJoCo
 * 3 but libccd's ccdMPRPenetration: portals, at the tolerance mpr_tolerance (1e-6 as it ships, hence tau) and with at
 * most 50 iterations, whose end it calls apart. The depth of portals is not the least by design. For a margin the
 * supports of both grow by half of it. Spheres, capsules, boxes and planes have functions of their own.
 *
 * Conventions: a contact's normal points from the first geom to the second, and the first is the one with the lower
 * mjtGeom, so it is turned here if that is B. `dist` is the signed distance. `pos` is the middle between both surfaces,
 * by the manual "approximate" for meshes, hence no_points. Contacts are given up to the margin that is passed. Those of
 * one pair may have several normals, and a manifold here has one: it is that of the deepest, and contacts with another
 * are left out. Of eight contacts of boxes four are kept that are far from each other.
 *
 * Scenes are f32 since meshes hold floats; all else is computed in double. mujoco_geoms.h says how shapes become geoms.
 */
#include "contenders/contender_lists.h"

#include "contenders/libraries/mujoco_geoms.h"

static const double SAME_NORMAL = 1e-12; /* 1 - cosine */

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    return prepare_with(shapes, 0);
}

static void *prepare_multiccd(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    return prepare_with(shapes, 1);
}

/* --- a pair ------------------------------------------------------------------- */

/* A margin without end would leave no digits to supports that grow by it: what both reach is as good. */
static double margin_of(const mjModel *m, const mjData *data, const gjb_batch *batch, int a, int b)
{
    if (batch->query != GJB_MANIFOLD && batch->query != GJB_INTERSECT)
        return 0;
    return fmin(batch->margin, reach_of(m, data, a, b));
}

static double apart(const mjContact *a, const mjContact *b)
{
    return mju_dist3(a->pos, b->pos);
}

/* Of `count`, the first chosen is put first: then the one that is farthest from all chosen, and so on. */
static int choose_four(mjContact *contacts, int count)
{
    int chosen = 1;
    for (; chosen < count && chosen < (int)GJB_CONTACTS_3D; chosen++) {
        int best = chosen;
        double most = -1;
        for (int i = chosen; i < count; i++) {
            double nearest = HUGE_VAL;
            for (int k = 0; k < chosen; k++)
                nearest = fmin(nearest, apart(&contacts[i], &contacts[k]));
            best = nearest > most ? i : best;
            most = fmax(nearest, most);
        }
        const mjContact other = contacts[chosen];
        contacts[chosen] = contacts[best];
        contacts[best] = other;
    }
    return chosen;
}

/* Those with the normal of the deepest, which comes first. */
static int keep_one_normal(mjContact *contacts, int count)
{
    int kept = 1;
    for (int i = 1; i < count; i++)
        if (1 - mju_dot3(contacts[0].frame, contacts[i].frame) <= SAME_NORMAL)
            contacts[kept++] = contacts[i];
    return kept;
}

static void deepest_first(mjContact *contacts, int count)
{
    int deepest = 0;
    for (int i = 1; i < count; i++)
        deepest = contacts[i].dist < contacts[deepest].dist ? i : deepest;
    const mjContact first = contacts[0];
    contacts[0] = contacts[deepest];
    contacts[deepest] = first;
}

static void fill(mjContact *contacts, int count, int swapped, const gjb_batch *batch, gjb_answer *answer)
{
    const double sign = swapped ? -1 : 1;
    deepest_first(contacts, count);
    answer->sigma = contacts[0].dist;
    for (int k = 0; k < 3; k++)
        answer->normal[k] = sign * contacts[0].frame[k];
    gjb_answer_about(answer, contacts[0].pos);
    if (batch->query != GJB_MANIFOLD)
        return;
    const int kept = choose_four(contacts, keep_one_normal(contacts, count));
    for (int i = 0; i < kept; i++)
        gjb_answer_contact_about(answer, contacts[i].pos, contacts[i].dist, (uint32_t)i);
}

static void answer_pair(const void *asker_by_us, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const prepared *p = ((const asker *)asker_by_us)->p;
    mjData *data = ((const asker *)asker_by_us)->data;
    const mjModel *m = p->model;
    mjContact contacts[mjMAXCONPAIR];
    const int a = place(p, batch, pair, 0, data), b = place(p, batch, pair, 1, data);
    if (a == NO_GEOM || b == NO_GEOM)
        return;
    const int swapped = m->geom_type[a] > m->geom_type[b], first = swapped ? b : a, second = swapped ? a : b;
    const mjfCollision collide = mjCOLLISIONFUNC[m->geom_type[first]][m->geom_type[second]];
    if (collide == NULL)
        return;
    const double margin = margin_of(m, data, batch, a, b);
    const int count = collide(m, data, contacts, first, second, margin);
    answer->status = GJB_SEPARATED;
    if (count <= 0)
        return;
    if (batch->query == GJB_INTERSECT)
        answer->status = GJB_OVERLAPPING;
    else {
        fill(contacts, count, swapped, batch, answer);
        answer->status = answer->sigma <= 0 || batch->query == GJB_PENETRATION ? GJB_OVERLAPPING : GJB_SEPARATED;
    }
}

static void run(const void *p, const gjb_batch *batch)
{
    const int known = batch->query == GJB_INTERSECT || batch->query == GJB_PENETRATION || batch->query == GJB_MANIFOLD;
    run_with(p, batch, known ? answer_pair : gjb_answer_unsupported);
}

#define DIGIT(place) (char)('0' + mjVERSION_HEADER / (place) % 10)
static const char version[] = {DIGIT(100), '.', DIGIT(10), '.', DIGIT(1), '\0'};

#define MUJOCO                                                                                                \
    .abi_version = GJB_CONTENDER_ABI, .struct_size = sizeof(gjb_contender), .version = version,               \
    .licence = "Apache-2.0", .dims = 1u << 3,                                                                 \
    .kinds = 1u << GJB_POINT | 1u << GJB_SEGMENT | 1u << GJB_BOX | 1u << GJB_HULL | 1u << GJB_ELLIPSOID |     \
             1u << GJB_CYLINDER | GJB_UNBOUNDED,                                                              \
    .does_more = 1u << GJB_INTERSECT | 1u << GJB_PENETRATION,                                                 \
    .no_points = 1u << GJB_PENETRATION | 1u << GJB_MANIFOLD, .precisions = 1u << GJB_F32,                     \
    .max_vertices = GJB_NO_VERTEX_LIMIT,                                                                      \
    .tau = {[GJB_INTERSECT] = 1e-6, [GJB_PENETRATION] = 1e-6, [GJB_MANIFOLD] = 1e-6},                         \
    .workspace_size = gjb_no_workspace, .run = run, .release = release, .partial = 1u << GJB_MANIFOLD,        \
    .within = 1u << GJB_INTERSECT

static const gjb_contender mujoco = {
    MUJOCO,
    .name = "mujoco",
    .note = "libccd's portals for meshes, cylinders and ellipsoids, to 1e-6, whose depth is not the least; not the GJK "
            "and EPA of MuJoCo 3; own functions for balls, capsules, boxes and planes; intersect and penetration make "
            "contacts, up to eight of boxes; one contact of portals; computes in double",
    .queries = 1u << GJB_INTERSECT | 1u << GJB_PENETRATION | 1u << GJB_MANIFOLD,
    .prepare = prepare,
};
static const gjb_contender multiccd = {
    MUJOCO,
    .name = "mujoco-multiccd",
    .variant_of = "mujoco",
    .note = "the option multiccd: of meshes and cylinders up to five contacts, by portals of both turned by 0.001",
    .queries = 1u << GJB_MANIFOLD,
    .prepare = prepare_multiccd,
};

const gjb_contender *const gjb_contenders_mujoco[] = {&mujoco, &multiccd, NULL};
