#include "core/types.h"

#include <math.h>

size_t gjb_result_size(gjb_query query, gjb_precision precision)
{
    if (query == GJB_INTERSECT) {
        return sizeof(gjb_head);
    }
    return precision == GJB_F32 ? sizeof(gjb_result2f) : sizeof(gjb_result2d);
}

static double body_size(const gjb_body2 *body)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < body->count; i++) {
        double length = hypot(body->vertices[i][0], body->vertices[i][1]);
        if (length > largest) {
            largest = length;
        }
    }
    return largest + body->radius;
}

double gjb_pair_size2(const gjb_pair2 *pair)
{
    double dx = pair->b.pose.x - pair->a.pose.x;
    double dy = pair->b.pose.y - pair->a.pose.y;
    return body_size(&pair->a) + body_size(&pair->b) + hypot(dx, dy);
}

double gjb_epsilon(gjb_precision precision)
{
    return precision == GJB_F32 ? 0x1p-24 : 0x1p-53;
}

double gjb_largest(gjb_precision precision)
{
    return precision == GJB_F32 ? 0x1p120 : 0x1p1016;
}

double gjb_least_size(gjb_precision precision)
{
    return precision == GJB_F32 ? 0x1p-122 : 0x1p-1018;
}

const char *gjb_precision_name(gjb_precision precision)
{
    return precision == GJB_F32 ? "f32" : "f64";
}

const char *gjb_kind_name(gjb_kind kind)
{
    static const char *const names[GJB_KINDS] = {"point", "segment", "polygon", "box"};
    return (unsigned)kind < GJB_KINDS ? names[kind] : "unknown";
}

const char *gjb_status_name(unsigned status)
{
    static const char *const names[GJB_STATUSES] = {
        "unwritten", "separated", "overlapping", "iteration-limit", "invalid-input", "unsupported",
    };
    return status < GJB_STATUSES ? names[status] : "unknown";
}
