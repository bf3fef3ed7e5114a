/* The pairs on record of a suite: scenes, and cases of collections of known failures, each by its name. */
#include <string.h>

#include "verify/known_failures.h"
#include "verify/suite/suite_files.h"
#include "verify/suite/suite_private.h"

static const gjb_suite_file *file_of(const char *name)
{
    const gjb_suite_file *f = gjb_suite_files;
    while (f->name && strcmp(f->name, name) != 0)
        f++;
    return f->name ? f : NULL;
}

static gjb_known_failure *known_of(const gjb_known_failures *all, const char *id)
{
    size_t i = 0;
    while (i < all->count && strcmp(all->cases[i].id, id) != 0)
        i++;
    return i < all->count ? &all->cases[i] : NULL;
}

static int give_scene(const gjb_suite_file *file, gjb_suite_case_sink sink, void *context, gjb_error *error)
{
    gjb_scene *scene = gjb_scene_parse(file->bytes, file->size, file->name, error);
    const int failed = !scene || sink(context, scene, file->name, 0, 0, error);
    gjb_scene_free(scene);
    return failed ? -1 : 0;
}

static int give_known(const gjb_suite_file *file, const gjb_suite_case *cases, size_t count,
                      gjb_suite_case_sink sink, void *context, gjb_error *error)
{
    gjb_known_failures *all = gjb_known_failures_parse(file->bytes, file->size, file->name, error);
    int failed = !all;
    for (size_t i = 0; i < count && !failed; i++) {
        const gjb_known_failure *one = known_of(all, cases[i].id);
        failed = one ? sink(context, one->scene, one->id, one->step, 1, error)
                     : gjb_fail(error, "%s: case '%s' of the suite is missing", file->name, cases[i].id);
    }
    gjb_known_failures_free(all);
    return failed ? -1 : 0;
}

int gjb_suite_each_case(const gjb_suite *suite, gjb_suite_case_sink sink, void *context, gjb_error *error)
{
    for (size_t i = 0, next; i < suite->case_count; i = next) {
        const gjb_suite_case *first = &suite->cases[i];
        const gjb_suite_file *file = file_of(first->file);
        next = i + 1;
        while (next < suite->case_count && suite->cases[next].file == first->file)
            next++;
        if (!file)
            return gjb_fail(error, "%s: a file of the suite is missing", first->file);
        if (first->id ? give_known(file, first, next - i, sink, context, error)
                      : give_scene(file, sink, context, error))
            return -1;
    }
    return 0;
}
