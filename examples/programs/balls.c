/* A contender of a few lines: circles and spheres. Build it with `cc -O2 balls.c -lm -o balls`, then try
 * gjkbench verify --contender-program ./balls --contender c-balls */
#include <math.h>

#include "gjkbench-program.h"

static void gjb_prepare(gjb_shape *shape, uint32_t dim)
{
    (void)shape; /* a ball is a point with a radius */
    (void)dim;
}

static void gjb_answer(const gjb_question *q, gjb_reply *reply)
{
    double from[3] = {0}, to[3] = {0}, length = 0;
    gjb_place(q->dim, q->pose[0], q->a->rows, q->pose[0], from); /* points are relative to the translation of A */
    gjb_place(q->dim, q->pose[1], q->b->rows, q->pose[0], to);
    for (int i = 0; i < 3; i++)
        length = hypot(length, to[i] - from[i]);
    reply->sigma = length - q->a->radius - q->b->radius;
    reply->status = reply->sigma > 0 ? SEPARATED : OVERLAPPING;
    for (int i = 0; i < 3; i++) {
        reply->normal[i] = length > 0 ? (to[i] - from[i]) / length : i == 0;
        reply->point_a[i] = from[i] + q->a->radius * reply->normal[i];
        reply->point_b[i] = to[i] - q->b->radius * reply->normal[i];
    }
}

int main(void)
{
    gjb_serve("{\"gjkbench\":1,\"form\":\"binary\",\"name\":\"c-balls\",\"version\":\"1\",\"licence\":\"MIT\",\"dims\":[2,3],"
              "\"kinds\":[\"point\"],\"queries\":[\"intersect\",\"distance\",\"penetration\",\"signed_distance\"],"
              "\"precisions\":[\"f64\"]}");
    return 0;
}
