/* Which margins a contender takes, and what is not asked of it for lack of one. */
#include "contenders/question.h"

#include <stddef.h>

#include "core/query.h"

int gjb_takes_question(const gjb_contender *contender, const gjb_scene *scene, gjb_query query)
{
    const gjb_query_row *row = &gjb_queries[query];
    return !(scene->within > 0 && row->has_within && !row->has_value) ||
           (gjb_within_of(contender) >> query & 1);
}

uint32_t gjb_within_of(const gjb_contender *contender)
{
    const size_t end = offsetof(gjb_contender, within) + sizeof contender->within;
    return contender->struct_size >= end ? contender->within : 0;
}
