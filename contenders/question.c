/* Which margins a contender takes, whether it ignores contacts that are left, and what is not asked of it for lack of
 * that. */
#include "contenders/question.h"

#include <stddef.h>

#include "core/query.h"

int gjb_takes_question(const gjb_contender *contender, const gjb_scene *scene, gjb_query query)
{
    const gjb_query_row *row = &gjb_queries[query];
    const int within = scene->within > 0 && row->has_within && !row->has_value;
    const int leaving = scene->leaving && row->has_leaving;
    return (!within || (gjb_within_of(contender) >> query & 1)) &&
           (!leaving || (gjb_leaving_of(contender) >> query & 1));
}

uint32_t gjb_within_of(const gjb_contender *contender)
{
    const size_t end = offsetof(gjb_contender, within) + sizeof contender->within;
    return contender->struct_size >= end ? contender->within : 0;
}

uint32_t gjb_leaving_of(const gjb_contender *contender)
{
    const size_t end = offsetof(gjb_contender, leaving) + sizeof contender->leaving;
    return contender->struct_size >= end ? contender->leaving : 0;
}
