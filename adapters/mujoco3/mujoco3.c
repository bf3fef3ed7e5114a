/* MuJoCo 3 (3.3 and later) as a plug-in of gjkbench: mj_geomDistance.
 *
 * Build: cmake -S . -B build -DCMAKE_PREFIX_PATH=... && cmake --build build. It finds MuJoCo's own CMake package.
 *
 * The algorithm is "nativeccd", the default since 3.3: its own GJK and EPA in double (mjc_ccd), of pairs with a mesh,
 * an ellipsoid, of two boxes, and of a cylinder with a box, a capsule or a cylinder. libccd's portals, which answered
 * in MuJoCo 2, are not asked. Pairs of spheres, capsules, one box and planes have functions in closed form.
 *
 * Frames: shapes are geoms of a model, which its compiler makes from an mjSpec. It moves a mesh to its centre and axes
 * and rounds vertices to float; where a geom is then, geom_pos and geom_quat say. Poses go to geom_xpos and geom_xmat
 * of an mjData, relative to A's translation and in world axes, and so are the points that come back.
 * The function is asked for distances up to a `distmax` that is beyond what both geoms reach, for every query: with 0
 * it would answer 0 for shapes about one centre, too, which it calls apart then.
 * Overlapping is a distance within ccd_tolerance, which it takes for touching itself; of signed_distance, 0 or less.
 * Margins: geoms have none here. If distmax or NaN comes back, that is no answer.
 * Normals: the manual's normal is the direction between both points, which says little where they are near. It is
 * stored and not graded.
 * tau is ccd_tolerance, "in units of distance", 1e-6 as it ships. The manual gives 50 as ccd_iterations; 3.12 sets 35.
 * Unsupported: rounded boxes and hulls, points and segments without a radius, triangles, and meshes that the compiler
 * refuses, as flat and tiny ones.
 */
#include <gjkbench/adapter.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { PER_SHAPE = 2, MOST_DATA = 256, ARENA = 1 << 20 }; /* each shape twice, so that it can meet itself */

static const double TOLERANCE = 1e-6; /* ccd_tolerance as it ships */

typedef struct shape {
    int has_geom, geom; /* the first of PER_SHAPE */
    gjb_placing within;
} shape;

typedef struct prepared {
    mjModel *model;
    pthread_mutex_t lock;
    mjData *idle[MOST_DATA]; /* of threads that are not asking now */
    int idle_count;
    shape shapes[];
} prepared;

/* It would write a file where the program runs. */
static void say_nothing(const char *text)
{
    (void)text;
}

/* --- the model ---------------------------------------------------------------- */

static const float *rows_of(const gjb_shapes *shapes, uint32_t i)
{
    return (const float *)shapes->rows + 3 * (size_t)shapes->first[i];
}

/* A capsule of no length is a sphere. */
static int set_round(mjsGeom *geom, const float *rows, int is_segment, double radius)
{
    double length = 0;
    for (int k = 0; k < 3; k++) {
        geom->pos[k] = geom->fromto[k] = (double)rows[k];
        geom->fromto[3 + k] = (double)rows[is_segment ? 3 + k : k];
        length = hypot(length, geom->fromto[3 + k] - geom->fromto[k]);
    }
    geom->type = length > mjMINVAL ? mjGEOM_CAPSULE : mjGEOM_SPHERE;
    geom->size[0] = radius;
    if (geom->type == mjGEOM_SPHERE)
        geom->fromto[0] = NAN; /* not given */
    return radius > 0;
}

static int set_plane(mjsGeom *geom, const float *rows, double radius)
{
    double normal[3], length;
    for (int k = 0; k < 3; k++)
        normal[k] = (double)rows[k];
    length = gjb_unit(normal);
    geom->type = mjGEOM_PLANE;
    geom->size[2] = 1;
    mju_quatZ2Vec(geom->quat, normal);
    mju_scl3(geom->pos, normal, (double)rows[3] + radius);
    return length > 0;
}

static int set_sizes(mjsGeom *geom, mjtGeom type, const float *row, int count)
{
    int positive = 1;
    geom->type = type;
    for (int k = 0; k < count; k++) {
        geom->size[k] = (double)row[k];
        positive &= row[k] > 0;
    }
    return positive;
}

/* 0 if MuJoCo has no geom like it. */
static int set_geom(mjsGeom *geom, const gjb_shapes *shapes, uint32_t i)
{
    const float *row = rows_of(shapes, i);
    const double radius = gjb_shape_radius(shapes, i);
    char name[16];
    switch ((gjb_kind)shapes->kind[i]) {
    case GJB_POINT:
    case GJB_SEGMENT:
        return set_round(geom, row, shapes->kind[i] == GJB_SEGMENT, radius);
    case GJB_HALFSPACE:
        return set_plane(geom, row, radius);
    case GJB_BOX:
        return set_sizes(geom, mjGEOM_BOX, row, 3) && radius == 0;
    case GJB_ELLIPSOID:
        return set_sizes(geom, mjGEOM_ELLIPSOID, row, 3) && radius == 0;
    case GJB_CYLINDER:
        return set_sizes(geom, mjGEOM_CYLINDER, row, 2) && radius == 0;
    case GJB_HULL:
        snprintf(name, sizeof name, "%u", (unsigned)i);
        mjs_setString(geom->meshname, name);
        geom->type = mjGEOM_MESH;
        return radius == 0;
    default:
        return 0;
    }
}

static void add_mesh(mjSpec *spec, const gjb_shapes *shapes, uint32_t i)
{
    char name[16];
    mjsMesh *mesh = mjs_addMesh(spec, NULL);
    snprintf(name, sizeof name, "%u", (unsigned)i);
    mjs_setName(mesh->element, name);
    mjs_setFloat(mesh->uservert, rows_of(shapes, i), (int)(3 * shapes->row_count[i]));
}

static void add_shape(mjSpec *spec, const gjb_shapes *shapes, uint32_t i, shape *s, int *geoms)
{
    mjsBody *world = mjs_findBody(spec, "world");
    mjsGeom *geom = mjs_addGeom(world, NULL);
    if (!set_geom(geom, shapes, i)) {
        mjs_delete(spec, geom->element);
        s->has_geom = 0;
        return;
    }
    if (shapes->kind[i] == GJB_HULL)
        add_mesh(spec, shapes, i);
    s->geom = *geoms;
    for (int k = 1; k < PER_SHAPE; k++)
        set_geom(mjs_addGeom(world, NULL), shapes, i);
    *geoms += PER_SHAPE;
}

/* Of those shapes from `from` that may have a geom. NULL if the compiler refuses one. */
static mjModel *compile(const gjb_shapes *shapes, uint32_t from, uint32_t to, shape *all)
{
    int geoms = 0;
    mjSpec *spec = mj_makeSpec();
    spec->memory = ARENA;
    for (uint32_t i = from; i < to; i++)
        if (all[i].has_geom)
            add_shape(spec, shapes, i, &all[i], &geoms);
    mjModel *model = mj_compile(spec, NULL);
    mj_deleteSpec(spec);
    return model;
}

/* For the sake of one mesh the compiler refuses all. So those that it refuses are found one by one. */
static mjModel *compile_all(const gjb_shapes *shapes, shape *all)
{
    mjModel *model = compile(shapes, 0, shapes->count, all);
    for (uint32_t i = 0; model == NULL && i < shapes->count; i++) {
        mjModel *alone = compile(shapes, i, i + 1, all);
        if (alone == NULL)
            all[i].has_geom = 0;
        else
            mj_deleteModel(alone);
    }
    return model != NULL ? model : compile(shapes, 0, shapes->count, all);
}

static void release(void *prepared_by_us)
{
    prepared *p = prepared_by_us;
    for (int i = 0; i < p->idle_count; i++)
        mj_deleteData(p->idle[i]);
    if (p->model != NULL)
        mj_deleteModel(p->model);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    prepared *p = calloc(1, sizeof *p + shapes->count * sizeof *p->shapes);
    mju_user_warning = say_nothing;
    if (p == NULL || pthread_mutex_init(&p->lock, NULL) != 0) {
        free(p);
        return NULL;
    }
    for (uint32_t i = 0; i < shapes->count; i++)
        p->shapes[i].has_geom = 1;
    p->model = compile_all(shapes, p->shapes);
    if (p->model == NULL) {
        release(p);
        return NULL;
    }
    for (uint32_t i = 0; i < shapes->count; i++)
        if (p->shapes[i].has_geom) {
            mju_quat2Mat(p->shapes[i].within.r, p->model->geom_quat + 4 * p->shapes[i].geom);
            mju_copy3(p->shapes[i].within.t, p->model->geom_pos + 3 * p->shapes[i].geom);
        }
    return p;
}

/* --- a pair ------------------------------------------------------------------- */

typedef struct asker {
    const prepared *p;
    mjData *data;
} asker;

/* Puts a body's geom where it is, and returns its number. */
static int place(const asker *by, const gjb_batch *batch, const uint32_t *pair, int which)
{
    const shape *s = &by->p->shapes[gjb_batch_shape(batch, pair[which])];
    const gjb_pose3d origin = gjb_batch_pose3d(batch, pair[0]), pose = gjb_batch_pose3d(batch, pair[which]);
    const gjb_placing body = gjb_place(&pose, &origin);
    const int geom = s->geom + which;
    gjb_place_point(&body, s->within.t, by->data->geom_xpos + 3 * geom);
    mju_mulMatMat(by->data->geom_xmat + 9 * geom, body.r, s->within.r, 3, 3, 3);
    return geom;
}

/* No less than the distance of a pair. rbound of a plane is 0. */
static double reach_of(const asker *by, int a, int b)
{
    const mjModel *m = by->p->model;
    return mju_dist3(by->data->geom_xpos + 3 * a, by->data->geom_xpos + 3 * b) + m->geom_rbound[a] +
           m->geom_rbound[b];
}

static void answer_pair(const void *asker_by_us, const gjb_batch *batch, const uint32_t *pair,
                        gjb_answer *answer)
{
    const asker *by = asker_by_us;
    double points[6] = {0};
    if (batch->query > GJB_SIGNED_DISTANCE)
        return;
    for (int which = 0; which < 2; which++)
        if (!by->p->shapes[gjb_batch_shape(batch, pair[which])].has_geom)
            return;
    const int a = place(by, batch, pair, 0), b = place(by, batch, pair, 1);
    const double most = 2 * reach_of(by, a, b);
    answer->sigma = mj_geomDistance(by->p->model, by->data, a, b, most, points);
    const double touching = batch->query == GJB_SIGNED_DISTANCE ? 0 : TOLERANCE;
    answer->status = answer->sigma > touching ? GJB_SEPARATED : GJB_OVERLAPPING;
    if (!(answer->sigma < most))
        answer->status = GJB_ITERATION_LIMIT;
    for (int k = 0; k < 3; k++) {
        answer->normal[k] = (points[3 + k] - points[k]) * (answer->sigma > 0 ? 1 : -1);
        answer->point_a[k] = points[k];
        answer->point_b[k] = points[3 + k];
    }
    gjb_unit(answer->normal);
    if (answer->status == GJB_OVERLAPPING)
        answer->sigma = fmin(answer->sigma, 0);
}

/* --- a batch ------------------------------------------------------------------ */

static mjData *take(prepared *p)
{
    pthread_mutex_lock(&p->lock);
    mjData *data = p->idle_count > 0 ? p->idle[--p->idle_count] : NULL;
    pthread_mutex_unlock(&p->lock);
    return data != NULL ? data : mj_makeData(p->model);
}

static void give_back(prepared *p, mjData *data)
{
    pthread_mutex_lock(&p->lock);
    if (p->idle_count < MOST_DATA) {
        p->idle[p->idle_count++] = data;
        data = NULL;
    }
    pthread_mutex_unlock(&p->lock);
    if (data != NULL)
        mj_deleteData(data);
}

/* Without memory every pair is unsupported. */
static void run(const void *prepared_by_us, const gjb_batch *batch)
{
    /* const by the contract, but the list of idle data is guarded. */
    union {
        const void *given;
        prepared *own;
    } p = {prepared_by_us};
    const asker by = {p.own, take(p.own)};
    gjb_answer_all(&by, batch, GJB_F32, 3, by.data != NULL ? answer_pair : gjb_answer_unsupported);
    if (by.data != NULL)
        give_back(p.own, by.data);
}

GJB_PLUGIN_EXPORT const gjb_contender *const *gjb_plugin(const char *options, char *error, size_t error_size)
{
    static gjb_contender mujoco = {
        .abi_version = GJB_CONTENDER_ABI,
        .struct_size = sizeof(gjb_contender),
        .name = "mujoco3",
        .licence = "Apache-2.0",
        .note =
            "mj_geomDistance with nativeccd: its own GJK and EPA to 1e-6, closed forms for balls, capsules and "
            "planes; a signed distance for each query; computes in double",
        .dims = 1u << 3,
        .kinds = 1u << GJB_POINT | 1u << GJB_SEGMENT | 1u << GJB_BOX | 1u << GJB_HULL | 1u << GJB_ELLIPSOID |
                 1u << GJB_CYLINDER | GJB_UNBOUNDED,
        .queries =
            1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_PENETRATION | 1u << GJB_SIGNED_DISTANCE,
        .does_more = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_PENETRATION,
        .no_normal = 1u << GJB_DISTANCE | 1u << GJB_PENETRATION | 1u << GJB_SIGNED_DISTANCE,
        .precisions = 1u << GJB_F32,
        .max_vertices = GJB_NO_VERTEX_LIMIT,
        .prepare = prepare,
        .workspace_size = gjb_no_workspace,
        .run = run,
        .release = release,
    };
    static const gjb_contender *const tables[] = {&mujoco, NULL};
    mujoco.version = mj_versionString();
    for (int query = 0; query <= GJB_SIGNED_DISTANCE; query++)
        mujoco.tau[query] = TOLERANCE;
    if (options[0] != '\0') {
        snprintf(error, error_size, "option '%s': there is none", options);
        return NULL;
    }
    return tables;
}
