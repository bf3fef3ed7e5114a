/* Times of earlier runs, as `choose --results` looks them up: of any machine that the file itself names. */
#include <stdio.h>

#include "choose/choose_results.h"
#include "contenders/table.h"
#include "core/tests/target.h"

static void find_all(choose_results *all)
{
    for (size_t i = 0; i < gjb_contender_count(); i++) {
        const gjb_contender *c = gjb_contender_at(i);
        for (uint32_t dim = 2; dim <= 3; dim++)
            for (int q = 0; q < GJB_QUERIES; q++) {
                gjb_bench_case point = *gjb_base_point(dim);
                gjb_summary ns = {0};
                const json_t *row;
                point.query = (gjb_query)q;
                point.way = (gjb_way){.contender = c, .backend = c->backends ? c->backends[0] : NULL};
                point.precision = point.scene_precision = c->precisions & 1 ? GJB_F32 : GJB_F64;
                if (choose_results_find(all, &point, 0, &ns, &row))
                    gjb_target_require(ns.median > 0 && ns.low <= ns.median && ns.median <= ns.high,
                                       "a time that is none", NULL);
            }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gjb_error error = {{0}};
    gjb_target_hush();
    const char *path = gjb_target_path(data, size);
    json_t *own = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    choose_results all = {.plain = 1, .seed = 1, .built_in = gjb_contender_count()};
    if (choose_results_load(&all, path, json_object_get(own, "context"), &error))
        gjb_target_refused(&error);
    else
        find_all(&all);
    choose_results_free(&all);
    json_decref(own);
    return 0;
}
