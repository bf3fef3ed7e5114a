/* Wrong answers of MuJoCo 3, by its public functions alone: boxes that touch are found far apart, shapes about
 * one centre have no depth, and of cylinders ccd_iterations end before ccd_tolerance is reached. usage: wrong; prints
 * the signed distances that the library has. */
#include <mujoco/mujoco.h>
#include <stdio.h>

typedef struct shape {
    double size[3], at[3], quat[4];
} shape;

static double distance_of(mjtGeom type, shape a, shape b)
{
    const shape *const shapes[] = {&a, &b};
    mjSpec *spec = mj_makeSpec();
    for (int which = 0; which < 2; which++) {
        mjsGeom *geom = mjs_addGeom(mjs_findBody(spec, "world"), NULL);
        geom->type = type;
        for (int k = 0; k < 3; k++) {
            geom->size[k] = shapes[which]->size[k];
            geom->pos[k] = shapes[which]->at[k];
        }
        for (int k = 0; k < 4; k++)
            geom->quat[k] = shapes[which]->quat[k];
    }
    mjModel *model = mj_compile(spec, NULL);
    mjData *data = mj_makeData(model);
    mj_kinematics(model, data);
    const double found = mj_geomDistance(model, data, 0, 1, 100, NULL);
    mj_deleteData(data);
    mj_deleteModel(model);
    mj_deleteSpec(spec);
    return found;
}

int main(void)
{
    const shape bar = {{8, 1, 1}, {0, 0, 0}, {0.5, -0.5, 0.5, -0.5}},
                block = {{7, 7, 8}, {0, 8, 8}, {0.5, -0.5, 0.5, 0.5}};
    const shape cube = {{1, 1, 1}, {0, 0, 0}, {1, 0, 0, 0}}, tin = {{0.5, 0.5, 0}, {0, 0, 0}, {1, 0, 0, 0}};
    const shape aside = {{0.5, 0.5, 0}, {0.001, 0, 0}, {1, 0, 0, 0}},
                around = {{1, 1, 0}, {0, 0, 0}, {1, 0, 0, 0}};
    printf("two boxes that touch by their faces, 0: %g\n", distance_of(mjGEOM_BOX, bar, block));
    printf("two boxes of half extents 1 in one place, -2: %g\n", distance_of(mjGEOM_BOX, cube, cube));
    printf("a cylinder of radius and half height 0.5 within one of 1, in one place, -1.5: %g\n",
           distance_of(mjGEOM_CYLINDER, tin, around));
    printf("the same, 0.001 out of it, -1.499: %g\n", distance_of(mjGEOM_CYLINDER, aside, around));
    return 0;
}
