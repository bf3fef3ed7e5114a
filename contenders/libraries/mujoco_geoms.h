/* Shapes as geoms of a compiled MuJoCo model, for its packaged contender. By public functions of the library alone; what
 * it returns is in double.
 *
 * A model is compiled from MJCF text, as users do: all shapes are geoms of the world, each twice so that a shape can
 * meet itself. The compiler moves a mesh to its centre and axes, and keeps vertices as floats; where the geom is then,
 * geom_pos and geom_quat say. What it refuses (flat and tiny meshes), rounded boxes and hulls, and what has no geom are
 * NO_GEOM. Each thread that asks has an mjData, of which the collision functions read geom_xpos and geom_xmat; poses
 * are put there relative to A's translation.
 */
#ifndef GJB_CONTENDERS_MUJOCO_GEOMS_H
#define GJB_CONTENDERS_MUJOCO_GEOMS_H

#include <gjkbench/adapter.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { NO_GEOM = -1, PER_SHAPE = 2, MOST_DATA = 256 };
typedef struct shape {
    int geom; /* the first of PER_SHAPE, or NO_GEOM */
    gjb_placing within;
} shape;

typedef struct prepared {
    mjModel *model;
    pthread_mutex_t lock;
    mjData *idle[MOST_DATA]; /* of threads that are not asking now */
    int idle_count;
    shape shapes[];
} prepared;

static void say_nothing(const char *text)
{
    (void)text; /* it would write a file where the program runs */
}

/* --- the model as text -------------------------------------------------------- */

static const float *rows_of(const gjb_shapes *shapes, uint32_t i)
{
    return (const float *)shapes->rows + 3 * (size_t)shapes->first[i];
}

static void write_vector(FILE *f, const char *name, const double *v, size_t count)
{
    fprintf(f, " %s=\"", name);
    for (size_t i = 0; i < count; i++)
        fprintf(f, "%.17g ", v[i]);
    fputc('"', f);
}

static int all_positive(const float *sizes, int count)
{
    for (int i = 0; i < count; i++)
        if (!(sizes[i] > 0))
            return 0;
    return 1;
}

static void write_sizes(FILE *f, const char *type, const float *row)
{
    const double sizes[3] = {(double)row[0], (double)row[1], (double)row[2]};
    fprintf(f, "<geom type=\"%s\"", type);
    write_vector(f, "size", sizes, 3);
    fputs("/>", f);
}

/* A capsule of no length is a ball. */
static int write_round(FILE *f, const float *rows, int is_segment, double radius)
{
    double ends[6], length = 0;
    for (int i = 0; i < 6; i++)
        ends[i] = (double)rows[i < 3 || is_segment ? i : i - 3];
    for (int i = 0; i < 3; i++)
        length = hypot(length, ends[3 + i] - ends[i]);
    if (!(radius > 0))
        return 0;
    fprintf(f, "<geom type=\"%s\" size=\"%.17g\"", length > mjMINVAL ? "capsule" : "sphere", radius);
    write_vector(f, length > mjMINVAL ? "fromto" : "pos", ends, length > mjMINVAL ? 6 : 3);
    fputs("/>", f);
    return 1;
}

static int write_plane(FILE *f, const float *rows, double radius)
{
    double normal[3], at[3], length = 0;
    for (int i = 0; i < 3; i++)
        length = hypot(length, (double)rows[i]);
    for (int i = 0; i < 3; i++) {
        normal[i] = (double)rows[i] / length;
        at[i] = normal[i] * ((double)rows[3] + radius);
    }
    if (!(length > 0 && length < HUGE_VAL))
        return 0;
    fputs("<geom type=\"plane\" size=\"0 0 1\"", f);
    write_vector(f, "zaxis", normal, 3);
    write_vector(f, "pos", at, 3);
    fputs("/>", f);
    return 1;
}

/* One geom; 0 if MuJoCo has none like it. */
static int write_geom(FILE *f, const gjb_shapes *shapes, uint32_t i)
{
    const float *row = rows_of(shapes, i);
    const double radius = (double)((const float *)shapes->radius)[i];
    static const char *const types[GJB_KINDS] = {[GJB_BOX] = "box", [GJB_ELLIPSOID] = "ellipsoid",
                                                 [GJB_CYLINDER] = "cylinder"};
    const gjb_kind kind = (gjb_kind)shapes->kind[i];
    if (kind == GJB_POINT || kind == GJB_SEGMENT)
        return write_round(f, row, kind == GJB_SEGMENT, radius);
    if (kind == GJB_HALFSPACE)
        return write_plane(f, row, radius);
    if (radius > 0 || (kind != GJB_HULL && types[kind] == NULL))
        return 0;
    if (kind == GJB_HULL)
        fprintf(f, "<geom type=\"mesh\" mesh=\"%u\"/>", (unsigned)i);
    else if (all_positive(row, kind == GJB_CYLINDER ? 2 : 3))
        write_sizes(f, types[kind], row);
    else
        return 0;
    return 1;
}

static void write_mesh(FILE *f, const gjb_shapes *shapes, uint32_t i)
{
    const float *row = rows_of(shapes, i);
    fprintf(f, "<mesh name=\"%u\" vertex=\"", (unsigned)i);
    for (uint32_t k = 0; k < 3 * shapes->row_count[i]; k++)
        fprintf(f, "%.9g ", (double)row[k]);
    fputs("\"/>", f);
}

/* Of those shapes that `wanted` says; sets what is a geom. Returns how many there are. */
static int write_model(FILE *f, const gjb_shapes *shapes, uint32_t from, uint32_t to, int multiccd, shape *all)
{
    int geoms = 0;
    fprintf(f,
            "<mujoco><option><flag multiccd=\"%s\"/></option><size njmax=\"1\" nconmax=\"1\" nstack=\"10000\"/><asset>",
            multiccd ? "enable" : "disable");
    for (uint32_t i = from; i < to; i++)
        if (shapes->kind[i] == GJB_HULL && all[i].geom != NO_GEOM)
            write_mesh(f, shapes, i);
    fputs("</asset><worldbody>", f);
    for (uint32_t i = from; i < to; i++) {
        if (all[i].geom == NO_GEOM || !write_geom(f, shapes, i)) {
            all[i].geom = NO_GEOM;
            continue;
        }
        write_geom(f, shapes, i);
        all[i].geom = geoms;
        geoms += PER_SHAPE;
    }
    fputs("</worldbody></mujoco>", f);
    return geoms;
}

/* --- the model ---------------------------------------------------------------- */

static int add_file(mjVFS *files, const char *name, const char *text, int size)
{
    if (mj_makeEmptyFileVFS(files, name, size) != 0)
        return -1;
    memcpy(files->filedata[mj_findFileVFS(files, name)], text, (size_t)size);
    return 0;
}

/* NULL if MuJoCo refuses it. */
static mjModel *compile(const char *text, size_t size)
{
    static const char name[] = "shapes.xml";
    char error[1000] = "";
    mjVFS *files = malloc(sizeof *files);
    mjModel *model = NULL;
    if (files == NULL || size > INT32_MAX) {
        free(files);
        return NULL;
    }
    mj_defaultVFS(files);
    if (add_file(files, name, text, (int)size) == 0)
        model = mj_loadXML(name, files, error, sizeof error);
    mj_deleteVFS(files);
    free(files);
    return model;
}

static mjModel *model_of(const gjb_shapes *shapes, uint32_t from, uint32_t to, int multiccd, shape *all)
{
    char *text = NULL;
    size_t size = 0;
    mjModel *model = NULL;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return NULL;
    write_model(f, shapes, from, to, multiccd, all);
    if (fclose(f) == 0)
        model = compile(text, size);
    free(text);
    return model;
}

/* Of many meshes the compiler refuses all for the sake of one. So those that it refuses are found one by one. */
static mjModel *model_of_all(const gjb_shapes *shapes, int multiccd, shape *all)
{
    mjModel *model = model_of(shapes, 0, shapes->count, multiccd, all);
    if (model != NULL)
        return model;
    for (uint32_t i = 0; i < shapes->count; i++) {
        model = shapes->kind[i] == GJB_HULL ? model_of(shapes, i, i + 1, multiccd, all) : NULL;
        if (shapes->kind[i] == GJB_HULL && model == NULL)
            all[i].geom = NO_GEOM;
        if (model != NULL)
            mj_deleteModel(model);
    }
    return model_of(shapes, 0, shapes->count, multiccd, all);
}

static void release(void *prepared_by_us)
{
    prepared *p = prepared_by_us;
    for (int i = 0; i < p->idle_count; i++)
        mj_deleteData(p->idle[i]);
    mj_deleteModel(p->model);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

static void *prepare_with(const gjb_shapes *shapes, int multiccd)
{
    prepared *p = malloc(sizeof *p + (shapes->count + 1u) * sizeof *p->shapes);
    mju_user_warning = say_nothing;
    if (p == NULL || pthread_mutex_init(&p->lock, NULL) != 0) {
        free(p);
        return NULL;
    }
    memset(p->shapes, 0, (shapes->count + 1u) * sizeof *p->shapes);
    p->idle_count = 0;
    p->model = model_of_all(shapes, multiccd, p->shapes);
    if (p->model == NULL) {
        pthread_mutex_destroy(&p->lock);
        free(p);
        return NULL;
    }
    for (uint32_t i = 0; i < shapes->count; i++) {
        shape *s = &p->shapes[i];
        if (s->geom != NO_GEOM) {
            mju_quat2Mat(s->within.r, p->model->geom_quat + 4 * s->geom);
            mju_copy3(s->within.t, p->model->geom_pos + 3 * s->geom);
        }
    }
    return p;
}

/* --- a pair ------------------------------------------------------------------- */

static int place(const prepared *p, const gjb_batch *batch, const uint32_t *pair, int which, mjData *data)
{
    const shape *s = &p->shapes[gjb_batch_shape(batch, pair[which])];
    gjb_pose3f narrow[2];
    gjb_pose3d wide[2];
    if (s->geom == NO_GEOM)
        return NO_GEOM;
    for (int i = 0; i < 2; i++) {
        memcpy(&narrow[i], gjb_batch_pose(batch, pair[i]), sizeof narrow[i]);
        wide[i] = (gjb_pose3d){(double)narrow[i].x,  (double)narrow[i].y,  (double)narrow[i].z, (double)narrow[i].qx,
                               (double)narrow[i].qy, (double)narrow[i].qz, (double)narrow[i].qw};
    }
    const gjb_placing body = gjb_place(&wide[which], &wide[0]);
    const int geom = s->geom + which;
    double *at = data->geom_xpos + 3 * geom;
    gjb_turn(body.r, s->within.t, at);
    for (int i = 0; i < 3; i++)
        at[i] += body.t[i];
    mju_mulMatMat(data->geom_xmat + 9 * geom, body.r, s->within.r, 3, 3, 3);
    return geom;
}

/* No less than the distance of a pair. */
static double reach_of(const mjModel *m, const mjData *data, int a, int b)
{
    return mju_dist3(data->geom_xpos + 3 * a, data->geom_xpos + 3 * b) + m->geom_rbound[a] + m->geom_rbound[b];
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

/* What a pair needs apart from the batch. */
typedef struct asker {
    prepared *p;
    mjData *data;
} asker;

/* `ask` gets an asker as its prepared. Without memory every pair is unsupported. */
static void run_with(const void *prepared_by_us, const gjb_batch *batch, gjb_answer_pair ask)
{
    /* const by the contract, but the list of idle data is guarded. */
    union {
        const void *given;
        prepared *own;
    } p = {prepared_by_us};
    const asker by = {p.own, take(p.own)};
    gjb_answer_all(&by, batch, GJB_F32, 3, by.data != NULL ? ask : gjb_answer_unsupported);
    if (by.data != NULL)
        give_back(p.own, by.data);
}

#endif
