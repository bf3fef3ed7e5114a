/* Keeps one mishap of each kind for a measured point, and saves its pair as a file. */
#include "bench/mishaps.h"

#include <stdlib.h>
#include <string.h>

#include "contenders/isolation/finding_file.h"

/* The one that stands for its kind; NULL for none. */
static const gjb_finding *first_of(const gjb_session *session, size_t from, gjb_query query, gjb_mishap what)
{
    size_t count;
    const gjb_finding *found = gjb_session_findings(session, &count), *first = NULL;
    for (size_t i = from; i < count; i++)
        if (found[i].what == what && (found[i].query == query || found[i].pair == GJB_NO_PAIR || found[i].preparing) &&
            (first == NULL || (first->pair == GJB_NO_PAIR && found[i].pair != GJB_NO_PAIR)))
            first = &found[i];
    return first;
}

static char *save(const gjb_bench_settings *settings, const gjb_bench_case *point, const gjb_scene *fed,
                  const gjb_finding *finding)
{
    const gjb_finding_origin origin = {.contender = point->way.contender,
                                       .backend = point->way.backend,
                                       .workload = point->workload,
                                       .family = point->family,
                                       .seed = settings->seed};
    char path[GJB_FINDING_PATH];
    gjb_error error = {""};
    gjb_finding asked = *finding;
    asked.query = point->query; /* while it prepared there was none */
    if (!settings->out || finding->pair == GJB_NO_PAIR)
        return NULL;
    return gjb_finding_save(fed, &asked, &origin, settings->out, path, &error) ? NULL : strdup(path);
}

void gjb_bench_keep_mishaps(gjb_bench_mishaps *mishaps, const gjb_bench_settings *settings,
                            const gjb_bench_case *point, const gjb_scene *fed, const gjb_session *session,
                            size_t from, const gjb_session_stats *stats)
{
    for (int what = 0; what < GJB_MISHAPS; what++) {
        const gjb_finding *first = first_of(session, from, point->query, (gjb_mishap)what);
        gjb_bench_mishap *more =
            first ? realloc(mishaps->all, (mishaps->count + 1) * sizeof *more) : NULL;
        if (!more)
            continue;
        mishaps->all = more;
        more[mishaps->count++] =
            (gjb_bench_mishap){.point = *point,
                               .finding = *first,
                               .times = stats && stats->found[what] ? stats->found[what] : 1,
                               .file = save(settings, point, fed, first)};
    }
}

void gjb_bench_free_mishaps(gjb_bench_mishaps *mishaps)
{
    for (size_t i = 0; i < mishaps->count; i++)
        free(mishaps->all[i].file);
    free(mishaps->all);
    *mishaps = (gjb_bench_mishaps){0};
}
