/* Faults found in an answer, at rest or in motion. */
#include "grading/grade_private.h"

/* No square of a double leaves the range of long double. */
long double gjb_length_of(const long double v[3])
{
    return sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void gjb_set_fault(gjb_grade *grade, gjb_fault fault)
{
    if (grade->verdict != GJB_RIGHT && grade->verdict != GJB_UNGRADED)
        return;
    grade->verdict = GJB_WRONG;
    grade->fault = fault;
}

int gjb_is_unit(gjb_grade *grade, long double length, const gjb_tolerance *granted)
{
    grade->length_off = (double)(length - 1);
    return fabsl(length - 1) <= 4 * (long double)granted->epsilon;
}

void gjb_check_normal(gjb_grade *grade, const gjb_normal_check *check, const gjb_tolerance *granted)
{
    const int has_direction = check->length > 0, is_unit = gjb_is_unit(grade, check->length, granted);
    const long double shortfall = has_direction ? check->wanted - check->gap : INFINITY;
    grade->has_normal = 1;
    grade->normal_eps = shortfall > 0 ? in_units(shortfall, (double)check->unit) : 0;
    if (has_direction && !(shortfall <= check->allowed))
        gjb_set_fault(grade, GJB_FAULT_NORMAL);
    else if (!is_unit)
        gjb_set_fault(grade, GJB_FAULT_LENGTH);
}

double gjb_in_eps(const gjb_grading *g, long double distance)
{
    return in_units(distance, unit_of(g->granted, gjb_path_size(g->truth->pair)));
}
