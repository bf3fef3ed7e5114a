/* Conservative advancement (Mirtich 1996) as 2D tutorials teach it for bullets: the distance by GJK, the
 * speed at which the shapes may close at most (relative velocity along the normal, and of each the rate of
 * turning times its largest radius), a step of the one over the other; until the distance is below an
 * absolute tolerance, or 30 steps are done, which then counts as contact. */
#include "contenders/textbook/textbook_parts.h"

static double reach(const gjb_body2 *body)
{
    double most = 0;
    for (uint32_t i = 0; i < body->count; i++)
        most = fmax(most, hypot(body->vertices[i][0], body->vertices[i][1]));
    return most + body->radius;
}

static void move(const gjb_body2 *from, double t, gjb_body2 *to)
{
    const double c = cos(t * from->motion.angle), s = sin(t * from->motion.angle);
    to->pose.x = from->pose.x + t * from->motion.x;
    to->pose.y = from->pose.y + t * from->motion.y;
    to->pose.c = c * from->pose.c - s * from->pose.s;
    to->pose.s = s * from->pose.c + c * from->pose.s;
}

void tb_ca2(const gjb_pair2 *pair, tb_space2 *space, gjb_answer *answer)
{
    const gjb_motion2d *a = &pair->a.motion, *b = &pair->b.motion;
    const double way[2] = {b->x - a->x, b->y - a->y};
    const double turning = fabs(a->angle) * reach(&pair->a) + fabs(b->angle) * reach(&pair->b);
    gjb_pair2 at = *pair;
    double t = 0;
    for (int step = 0;; step++) {
        gjb_answer now = {.status = GJB_UNSUPPORTED};
        move(&pair->a, t, &at.a);
        move(&pair->b, t, &at.b);
        tb_dist2(&at, 0, 1, space, NULL, &now);
        answer->iterations += now.iterations;
        if (now.status == GJB_SEPARATED) /* else the last one stays: overlap has none */
            memcpy(answer->normal, now.normal, sizeof now.normal);
        answer->sigma = t;
        answer->status = now.status != GJB_SEPARATED && now.status != GJB_OVERLAPPING ? now.status
                         : t > 0                                                      ? GJB_HIT
                                                                                      : GJB_OVERLAPPING;
        if (now.status != GJB_SEPARATED || now.sigma < TB_DISTANCE_TOLERANCE || step == TB_CA2_STEPS)
            return;
        const double speed = turning - tb_dot2(way, now.normal);
        answer->status = GJB_SEPARATED;
        if (!(speed > 0))
            return;
        t += now.sigma / speed;
        if (!(t <= 1))
            return;
    }
}
