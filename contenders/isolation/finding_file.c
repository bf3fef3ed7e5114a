/* Writes the pair of a finding into a scene file, named by contender, mishap and hash. */
#include "contenders/isolation/finding_file.h"

#include <stdio.h>
#include <sys/stat.h>

#include "core/query.h"
#include "scenes/hash.h"

/* Of file names. */
static const char *const words[GJB_MISHAPS] = {
    [GJB_CRASHED] = "crashed",
    [GJB_ABORTED] = "aborted",
    [GJB_THREW] = "threw",
    [GJB_EXITED] = "exited",
    [GJB_HUNG] = "hung",
    [GJB_WROTE_OUTSIDE] = "wrote-outside",
    [GJB_WROTE_INPUT] = "wrote-input",
    [GJB_UNPREPARED] = "unprepared",
    [GJB_BROKE_PROTOCOL] = "protocol",
    [GJB_LEFT_UNWRITTEN] = "unwritten",
    [GJB_RETURNED_NAN] = "nan",
    [GJB_CHANGED_FLOATS] = "changed-floats",
};

int gjb_finding_save(const gjb_scene *scene, const gjb_finding *finding, const gjb_finding_origin *origin,
                     const char *folder, char path[GJB_FINDING_PATH], gjb_error *error)
{
    if (finding->pair == GJB_NO_PAIR)
        return gjb_fail(error, "%s: no single pair to save", origin->contender->name);
    gjb_scene *one = gjb_scene_extract(scene, finding->frame, finding->pair);
    if (one == NULL)
        return gjb_fail(error, "%s: out of memory for a pair to save", origin->contender->name);
    const char *query = gjb_queries[finding->query].name;
    char what[GJB_MISHAP_TEXT];
    snprintf(one->name, sizeof one->name, "%s", origin->workload);
    snprintf(one->query, sizeof one->query, "%s", query);
    snprintf(one->note, sizeof one->note, "%s/%s/%s %s; family %s, seed %llu, pair %llu%s",
             origin->contender->name, origin->backend != NULL ? origin->backend : "-",
             gjb_precision_name((gjb_precision)scene->shapes.precision),
             gjb_mishap_text(finding->what, finding->code, what), origin->family,
             (unsigned long long)origin->seed, (unsigned long long)(origin->first + finding->pair),
             origin->exchanged ? " exchanged" : "");
    const int length =
        snprintf(path, GJB_FINDING_PATH, "%s/%ud-%s-%s-%s-%s-%s-%016llx.json", folder,
                 (unsigned)scene->shapes.dim, origin->workload, origin->family, query,
                 origin->contender->name, words[finding->what], (unsigned long long)gjb_scene_hash(one));
    mkdir(folder, 0777);
    const int failed = length >= GJB_FINDING_PATH ? gjb_fail(error, "%s: the path is too long", folder)
                                                  : gjb_scene_save_json(one, path, error);
    gjb_scene_free(one);
    return failed;
}
