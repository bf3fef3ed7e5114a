/* Wrong answers of MuJoCo 3, by its public functions alone: of shapes about one centre it has no depth, and of cylinders
 * ccd_iterations end before ccd_tolerance is reached. usage: wrong; prints the signed distances that the library has. */
#include <mujoco/mujoco.h>
#include <stdio.h>

/* Of two shapes of the same kind, whose three sizes are each `size_a` and `size_b`, and whose centres are `apart`. */
static double distance_of(mjtGeom type, double size_a, double size_b, double apart)
{
    mjSpec *spec = mj_makeSpec();
    for (int which = 0; which < 2; which++) {
        mjsGeom *geom = mjs_addGeom(mjs_findBody(spec, "world"), NULL);
        geom->type = type;
        for (int k = 0; k < 3; k++)
            geom->size[k] = which == 0 ? size_a : size_b;
        geom->pos[0] = which * apart;
    }
    mjModel *model = mj_compile(spec, NULL);
    mjData *data = mj_makeData(model);
    mj_kinematics(model, data);
    const double found = mj_geomDistance(model, data, 0, 1, 10, NULL);
    mj_deleteData(data);
    mj_deleteModel(model);
    mj_deleteSpec(spec);
    return found;
}

int main(void)
{
    printf("two boxes of half extents 1 in one place, -2: %g\n", distance_of(mjGEOM_BOX, 1, 1, 0));
    printf("a cylinder of radius and half height 0.5 within one of 1, in one place, -1.5: %g\n",
           distance_of(mjGEOM_CYLINDER, 0.5, 1, 0));
    printf("the same, 0.001 out of it, -1.499: %g\n", distance_of(mjGEOM_CYLINDER, 0.5, 1, 0.001));
    return 0;
}
