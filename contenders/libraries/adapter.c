/* Geometry for adapters in C: frames of capsules, composed poses, relative motion. */
#include "contenders/libraries/adapter.h"

#include <math.h>

/* Columns: the segment's direction at `axis`, the others at right angles to it. */
double gjb_capsule_frame(const double ends[2][3], int axis, gjb_placing *frame)
{
    double along[3], across[3], third[3], length = 0;
    for (int i = 0; i < 3; i++) {
        along[i] = ends[1][i] - ends[0][i];
        frame->t[i] = 0.5 * ends[0][i] + 0.5 * ends[1][i];
        length = hypot(length, along[i]);
    }
    int least = 0;
    for (int i = 0; i < 3; i++) {
        along[i] = length > 0 ? along[i] / length : i == axis;
        least = fabs(along[i]) < fabs(along[least]) ? i : least;
    }
    double size = 0;
    for (int i = 0; i < 3; i++) {
        across[i] = (i == least) - along[least] * along[i];
        size = hypot(size, across[i]);
    }
    for (int i = 0; i < 3; i++)
        across[i] /= size;
    for (int i = 0; i < 3; i++)
        third[i] = along[(i + 1) % 3] * across[(i + 2) % 3] - along[(i + 2) % 3] * across[(i + 1) % 3];
    for (int i = 0; i < 3; i++) {
        frame->r[3 * i + axis] = along[i];
        frame->r[3 * i + (axis + 1) % 3] = across[i];
        frame->r[3 * i + (axis + 2) % 3] = third[i];
    }
    return length;
}

void gjb_compose(const gjb_placing *second, const gjb_placing *first, gjb_placing *out)
{
    for (int i = 0; i < 3; i++) {
        out->t[i] = second->t[i];
        for (int k = 0; k < 3; k++) {
            out->t[i] += second->r[3 * i + k] * first->t[k];
            out->r[3 * i + k] = 0;
            for (int j = 0; j < 3; j++)
                out->r[3 * i + k] += second->r[3 * i + j] * first->r[3 * j + k];
        }
    }
}

int gjb_relative_motions(const gjb_batch *batch, gjb_precision precision, uint32_t dim, const uint32_t *pair,
                         double a[6], double b[6])
{
    int turns = 0;
    gjb_batch_motion(batch, precision, dim, pair[0], a);
    gjb_batch_motion(batch, precision, dim, pair[1], b);
    for (uint32_t i = 0; i < dim; i++) {
        b[i] -= a[i];
        a[i] = 0;
    }
    for (uint32_t i = dim; i < 6; i++)
        turns |= a[i] != 0 || b[i] != 0;
    return turns;
}
