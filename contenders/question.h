/* Does a contender take the question that a scene asks? */
#ifndef GJB_CONTENDERS_QUESTION_H
#define GJB_CONTENDERS_QUESTION_H

#include <gjkbench/contender.h>

#include "scenes/scene.h"

/* 0: the scene asks what the contender does not take: a margin (gjb_scene.within), or that contacts that are left are
 * ignored (gjb_scene.leaving). Its answer would be to another question, and wrong. So sessions do not ask it:
 * GJB_UNSUPPORTED. */
int gjb_takes_question(const gjb_contender *contender, const gjb_scene *scene, gjb_query query);
/* gjb_contender.within; 0 of a table that ends before it. */
uint32_t gjb_within_of(const gjb_contender *contender);
/* gjb_contender.leaving, likewise. */
uint32_t gjb_leaving_of(const gjb_contender *contender);

#endif
