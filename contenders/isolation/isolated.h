/* A session in a child process: what gjb_in_process is for ours. Asks in steps,
 * and if a child ends, finds the pair that made it end. */
#ifndef GJB_CONTENDERS_ISOLATED_H
#define GJB_CONTENDERS_ISOLATED_H

#include "contenders/isolation/in_process.h"

typedef struct gjb_isolated gjb_isolated;

/* As gjb_in_process_open. A contender that dies preparing opens, with a finding. */
gjb_isolated *gjb_isolated_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                                uint32_t threads, gjb_error *error);
void gjb_isolated_close(gjb_isolated *isolated); /* NULL is fine */
/* See gjb_session_start. */
int gjb_isolated_start(gjb_isolated *isolated, gjb_query query, gjb_start start, gjb_error *error);
double gjb_isolated_prepare_seconds(const gjb_isolated *isolated);
uint64_t gjb_isolated_float_changes(const gjb_isolated *isolated);
uint64_t gjb_isolated_run(gjb_isolated *isolated, const gjb_span *span, int poison, void *results,
                          gjb_session_stats *stats);
int gjb_isolated_time(gjb_isolated *isolated, gjb_stretch *stretch, int warm, gjb_timing *timing);
double gjb_isolated_time_prepare(gjb_isolated *isolated);
const gjb_finding *gjb_isolated_findings(const gjb_isolated *isolated, size_t *count);

#endif
