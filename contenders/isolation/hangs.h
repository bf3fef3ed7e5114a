/* How often contenders hung in this run. A hang is waited for until its limit: one that hangs again and again is given
 * less time each time. */
#ifndef GJB_CONTENDERS_HANGS_H
#define GJB_CONTENDERS_HANGS_H

#include <gjkbench/contender.h>

enum { GJB_PREPARE_HANGS_MAX = 16 };

void gjb_hangs_count(const gjb_contender *contender);
/* Of these, those in which it prepared the shapes of a scene. */
void gjb_hangs_count_preparing(const gjb_contender *contender, unsigned hangs);
/* The share of a limit that a contender still gets: 1 for the first two hangs, an eighth after eight. */
double gjb_hangs_share(const gjb_contender *contender);
/* 1 if it hung while it prepared so often that it is not started any more; each time costs seconds. */
int gjb_hangs_too_often(const gjb_contender *contender);
/* 1 if it hung at all. */
int gjb_hangs_any(const gjb_contender *contender);

#endif
