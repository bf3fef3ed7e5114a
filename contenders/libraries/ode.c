/* ODE 0.16 as a contender (f64 as packaged): boxes by separating axes, spheres,
 * capsules and cylinders by its colliders.
 *
 * intersect on boxes is dBoxTouchesBox; penetration on boxes is dBoxBox, which
 * also clips the contact, so it does more than the query asks. Their normal
 * points from the first box to the second, as ours does, and the depth is
 * positive. A contact position lies on the incident box if a face is the
 * reference (return codes 1 to 3: of the first box, 4 to 6: of the second), and half way
 * between two edges. An edge axis counts only if it is better than a face by a
 * factor of 1.05 ("fudge_factor"), so a depth may be 5% of itself too large by design:
 * no absolute tolerance says that, so tau is 0.
 *
 * manifold on boxes is dBoxBox too, with four contacts at most, which it picks itself: the deepest, and others by
 * their angle about the middle. Its manual says of a contact that pos is in world coordinates, depth is how far the
 * bodies are in each other, and normal points into the first body (dCollide's; dBoxBox's is the other way); it does
 * not say on which surface pos lies, so points are put where its source has them and not held against it. It gives
 * contacts of overlaps alone. Of the others two capsules side by side give two contacts, cylinders and boxes
 * several, and all else one.
 *
 * Pairs with a sphere, a capsule, a cylinder or a plane go through dCollide, whose normal points from
 * the second to the first and is turned here. Where capsules meet
 * capsules or boxes the position lies half way; with a sphere both points are drawn from
 * its centre. Cylinders meet spheres in closed form and boxes by separating axes; with capsules and one
 * another ODE takes portals from libccd, whose depth is by design not the least. Rounded boxes and cylinders,
 * cylinders without a thickness, and whatever has faces apart from a box, are
 * unsupported: its convex shapes are meant for planes. Nothing of its own is
 * left in: it knows no margin. Positions are relative to A's.
 */
#include "contenders/contender_lists.h"

#include <math.h>
#include <ode/ode.h>
#include <pthread.h>
#include <stdlib.h>

#include "contenders/libraries/adapter.h"

enum { MAX_CONTACTS = 8, FACES_OF_A = 3, FACES_OF_B = 6, CAPSULE_AXIS = 2 /* and a cylinder's */ };

/* What a shape is to ODE. */
typedef enum form { NONE, BALL, CAPSULE, CYLINDER, BLOCK, PLANE, FORMS } form;

typedef struct shape {
    form form;
    dVector3 size;      /* side lengths, or a length alone; a plane's unit normal */
    double radius;      /* a plane's distance along it */
    gjb_placing within; /* the capsule's axis, the ball's centre */
} shape;

typedef struct body {
    const shape *shape;
    dVector3 at;
    dMatrix3 turn;
} body;

/* Geometries carry their pose, so each thread has its own: of either body, by form. */
static _Thread_local dGeomID geoms[2][FORMS];

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void)
{
    dInitODE2(0);
}

static void make_geoms(void)
{
    dAllocateODEDataForThread(dAllocateMaskAll);
    for (int i = 0; i < 2; i++) {
        geoms[i][BALL] = dCreateSphere(NULL, 1);
        geoms[i][CAPSULE] = dCreateCapsule(NULL, 1, 1);
        geoms[i][CYLINDER] = dCreateCylinder(NULL, 1, 1);
        geoms[i][BLOCK] = dCreateBox(NULL, 1, 1, 1);
        geoms[i][PLANE] = dCreatePlane(NULL, 0, 0, 1, 0);
    }
}

static shape shape_of(const gjb_shapes *shapes, uint32_t index)
{
    const double(*rows)[3] = (const double(*)[3])shapes->rows + shapes->first[index];
    shape s = {NONE, {0, 0, 0, 0}, ((const double *)shapes->radius)[index], {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}}};
    switch ((gjb_kind)shapes->kind[index]) {
    case GJB_POINT:
        s.form = s.radius > 0 ? BALL : NONE;
        memcpy(s.within.t, rows[0], sizeof s.within.t);
        break;
    case GJB_SEGMENT:
        s.form = s.radius > 0 ? CAPSULE : NONE;
        s.size[0] = gjb_capsule_frame(rows, CAPSULE_AXIS, &s.within);
        break;
    case GJB_BOX:
        s.form = s.radius > 0 ? NONE : BLOCK;
        for (int i = 0; i < 3; i++)
            s.size[i] = 2 * rows[0][i];
        break;
    case GJB_CYLINDER:
        s.form = s.radius == 0 && rows[0][0] > 0 && rows[0][1] > 0 ? CYLINDER : NONE;
        s.radius = rows[0][0];
        s.size[0] = 2 * rows[0][1];
        break;
    case GJB_HALFSPACE: {
        const double length = sqrt(rows[0][0] * rows[0][0] + rows[0][1] * rows[0][1] + rows[0][2] * rows[0][2]);
        s.form = length > 0 && length < HUGE_VAL ? PLANE : NONE;
        for (int i = 0; i < 3; i++)
            s.size[i] = rows[0][i] / length;
        s.radius += rows[1][0];
        break;
    }
    default:
        break;
    }
    return s;
}

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    pthread_once(&once, initialise);
    shape *all = malloc((shapes->count + 1u) * sizeof *all);
    for (uint32_t i = 0; all != NULL && i < shapes->count; i++)
        all[i] = shape_of(shapes, i);
    return all;
}

static void place(const shape *all, const gjb_batch *batch, uint32_t index, const gjb_pose3d *origin, body *b)
{
    const gjb_pose3d pose = gjb_batch_pose3d(batch, index);
    b->shape = &all[gjb_batch_shape(batch, index)];
    gjb_placing p = gjb_place(&pose, origin);
    if (b->shape->form != BLOCK) {
        const gjb_placing outer = p;
        gjb_compose(&outer, &b->shape->within, &p);
    }
    for (int i = 0; i < 3; i++) {
        b->at[i] = p.t[i];
        for (int k = 0; k < 3; k++)
            b->turn[4 * i + k] = p.r[3 * i + k];
        b->turn[4 * i + 3] = 0;
    }
    b->at[3] = 0;
}

static void box_depth(const body *a, const body *b, int manifold, gjb_answer *answer)
{
    dContactGeom contacts[MAX_CONTACTS];
    dVector3 normal;
    dReal depth;
    int code;
    const int most = manifold ? (int)GJB_CONTACTS_3D : MAX_CONTACTS;
    const int count = dBoxBox(a->at, a->turn, a->shape->size, b->at, b->turn, b->shape->size, normal, &depth,
                              &code, most, contacts, sizeof contacts[0]);
    answer->status = count > 0 ? GJB_OVERLAPPING : GJB_SEPARATED;
    if (count <= 0)
        return;
    int deepest = 0;
    for (int i = 1; i < count; i++)
        deepest = contacts[i].depth > contacts[deepest].depth ? i : deepest;
    answer->sigma = -depth;
    double middle[3];
    const double shift = code <= FACES_OF_A ? 0.5 : code <= FACES_OF_B ? -0.5 : 0;
    for (int i = 0; i < 3; i++)
        answer->normal[i] = normal[i];
    for (int i = manifold ? 0 : deepest; i < (manifold ? count : deepest + 1); i++) {
        const double own = manifold ? contacts[i].depth : depth;
        for (int k = 0; k < 3; k++)
            middle[k] = contacts[i].pos[k] + shift * own * normal[k];
        if (manifold)
            gjb_answer_contact_about(answer, middle, -own, (uint32_t)i);
    }
    gjb_answer_about(answer, middle);
}

/* Planes have no pose. */
static dGeomID plane_of(const body *b, dGeomID geom)
{
    double n[3], distance = b->shape->radius;
    for (int i = 0; i < 3; i++) {
        n[i] = b->turn[4 * i] * b->shape->size[0] + b->turn[4 * i + 1] * b->shape->size[1] +
               b->turn[4 * i + 2] * b->shape->size[2];
        distance += n[i] * b->at[i];
    }
    dGeomPlaneSetParams(geom, n[0], n[1], n[2], distance);
    return geom;
}

static dGeomID geom_of(const body *b, int which)
{
    if (geoms[0][BALL] == NULL)
        make_geoms();
    dGeomID geom = geoms[which][b->shape->form];
    if (b->shape->form == PLANE)
        return plane_of(b, geom);
    switch (b->shape->form) {
    case BALL:
        dGeomSphereSetRadius(geom, b->shape->radius);
        break;
    case CAPSULE:
        dGeomCapsuleSetParams(geom, b->shape->radius, b->shape->size[0]);
        break;
    case CYLINDER:
        dGeomCylinderSetParams(geom, b->shape->radius, b->shape->size[0]);
        break;
    default:
        dGeomBoxSetLengths(geom, b->shape->size[0], b->shape->size[1], b->shape->size[2]);
    }
    dGeomSetPosition(geom, b->at[0], b->at[1], b->at[2]);
    dGeomSetRotation(geom, b->turn);
    return geom;
}

static void round_depth(const body *a, const body *b, int manifold, gjb_answer *answer)
{
    dContactGeom contacts[MAX_CONTACTS];
    const int most = manifold ? (int)GJB_CONTACTS_3D : MAX_CONTACTS;
    const int count = dCollide(geom_of(a, 0), geom_of(b, 1), most, contacts, sizeof contacts[0]);
    answer->status = count > 0 ? GJB_OVERLAPPING : GJB_SEPARATED;
    if (count <= 0)
        return;
    const dContactGeom *deepest = contacts;
    for (int i = 1; i < count; i++)
        deepest = contacts[i].depth > deepest->depth ? &contacts[i] : deepest;
    answer->sigma = -deepest->depth;
    for (int i = 0; i < 3; i++)
        answer->normal[i] = -deepest->normal[i];
    if (a->shape->form == BALL)
        gjb_answer_from_ball(answer, 1, a->at, a->shape->radius);
    else if (b->shape->form == BALL)
        gjb_answer_from_ball(answer, -1, b->at, b->shape->radius);
    else
        gjb_answer_about(answer, deepest->pos);
    const int ball = a->shape->form == BALL || b->shape->form == BALL;
    if (manifold && ball)
        gjb_answer_contact(answer, answer->point_a, answer->point_b, answer->sigma, 0);
    for (int i = 0; manifold && !ball && i < count; i++)
        gjb_answer_contact_about(answer, contacts[i].pos, -contacts[i].depth, (uint32_t)i);
}

static void answer_pair(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const gjb_pose3d origin = gjb_batch_pose3d(batch, pair[0]);
    body a, b;
    place(prepared, batch, pair[0], &origin, &a);
    place(prepared, batch, pair[1], &origin, &b);
    if (a.shape->form == NONE || b.shape->form == NONE)
        return;
    const int manifold = batch->query == GJB_MANIFOLD;
    if (a.shape->form != BLOCK || b.shape->form != BLOCK)
        round_depth(&a, &b, manifold, answer);
    else if (batch->query == GJB_PENETRATION || manifold)
        box_depth(&a, &b, manifold, answer);
    else
        answer->status = dBoxTouchesBox(a.at, a.turn, a.shape->size, b.at, b.turn, b.shape->size)
                             ? GJB_OVERLAPPING
                             : GJB_SEPARATED;
}

static void run(const void *prepared, const gjb_batch *batch)
{
    const int known = batch->query == GJB_INTERSECT || batch->query == GJB_PENETRATION || batch->query == GJB_MANIFOLD;
    gjb_answer_all(prepared, batch, GJB_F64, 3, known ? answer_pair : gjb_answer_unsupported);
}

static const gjb_contender boxbox = {
    .abi_version = GJB_CONTENDER_ABI,
    .struct_size = sizeof(gjb_contender),
    .name = "ode-boxbox",
    .version = GJB_ODE_VERSION,
    .licence = "BSD-3-Clause or LGPL-2.1",
    .note =
        "separating axes for boxes, and spheres, capsules, cylinders and planes: penetration also clips a contact; prefers "
        "faces to edges by 5%; cylinders and capsules by libccd's portals, whose depth is not the least; contacts in "
        "overlap only, one of most round shapes",
    .dims = 1u << 3,
    .kinds = 1u << GJB_POINT | 1u << GJB_SEGMENT | 1u << GJB_BOX | 1u << GJB_CYLINDER | GJB_UNBOUNDED,
    .queries = 1u << GJB_INTERSECT | 1u << GJB_PENETRATION | 1u << GJB_MANIFOLD,
    .does_more = 1u << GJB_PENETRATION,
    .no_points = 1u << GJB_PENETRATION | 1u << GJB_MANIFOLD,
    .precisions = 1u << GJB_F64,
    .max_vertices = GJB_NO_VERTEX_LIMIT,
    .prepare = prepare,
    .workspace_size = gjb_no_workspace,
    .run = run,
    .release = free,
    .partial = 1u << GJB_MANIFOLD,
    .touching_only = 1u << GJB_MANIFOLD,
};

const gjb_contender *const gjb_contenders_ode[] = {&boxbox, NULL};
