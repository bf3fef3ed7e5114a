/* Saves what `import` makes, and says what it holds. */
#include <string.h>

#include "cli/tools/import.h"

int import_is_binary(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".gjb");
}

int import_save(const import_request *wanted, const char *name, const char *const things[2], gjb_scene *scene,
                gjb_error *error)
{
    const char *slash = strrchr(name, '/');
    snprintf(scene->name, sizeof scene->name, "%.48s", wanted->name ? wanted->name : slash ? slash + 1 : name);
    gjb_text_clean(scene->name);
    const int failed = import_is_binary(wanted->out) ? gjb_scene_save_binary(scene, wanted->out, error)
                                              : gjb_scene_save_json(scene, wanted->out, error);
    if (failed)
        return -1;
    fprintf(wanted->text, "%s: %s, %s, %s\n", wanted->out, import_many(scene->shapes.count, things[0], things[1]),
            import_many(scene->frames[0].pair_count, "pair", "pairs"), gjb_precision_name(wanted->precision));
    gjb_compound_pairs pairs;
    if (gjb_scene_has_compounds(scene) && !gjb_compound_pairs_find(scene, &pairs)) {
        fprintf(wanted->text, "  %s of several parts; %s of bodies, of these pairs of parts\n",
                import_many(gjb_scene_compounds(scene), "body", "bodies"), import_many(pairs.count, "pair", "pairs"));
        gjb_compound_pairs_free(&pairs);
    }
    return 0;
}
