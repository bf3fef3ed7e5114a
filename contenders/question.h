/* Does a contender take the question that a scene asks? */
#ifndef GJB_CONTENDERS_QUESTION_H
#define GJB_CONTENDERS_QUESTION_H

#include <gjkbench/contender.h>

#include "scenes/scene.h"

/* 0: the scene asks for a margin (gjb_scene.within), or that contacts are ignored that are left (gjb_scene.leaving),
 * and the contender does not take that, and another answer than to that question would be wrong: sessions answer
 * GJB_UNSUPPORTED then, without asking it. */
int gjb_takes_question(const gjb_contender *contender, const gjb_scene *scene, gjb_query query);
/* gjb_contender.within; 0 of a table that ends before it. */
uint32_t gjb_within_of(const gjb_contender *contender);
/* gjb_contender.leaving, likewise. */
uint32_t gjb_leaving_of(const gjb_contender *contender);

#endif
