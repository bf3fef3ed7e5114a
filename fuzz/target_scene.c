/* The parser of scenes meets arbitrary bytes: it must refuse them with one
 * line, or give a scene that can be written, read again and is the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/hash.h"
#include "core/scene.h"
#include "fuzz/known_failures.h"
#include "fuzz/target.h"

static void require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "scene target: %s\n", what);
    abort();
}

static void round_trip(const gjb_scene *scene, int (*save)(const gjb_scene *, const char *, gjb_error *))
{
    char path[] = "/tmp/gjkbench-scene-XXXXXX";
    int file = mkstemp(path);
    gjb_error error = {{0}};
    if (file < 0)
        return;
    close(file);
    require(!save(scene, path, &error), error.text);
    gjb_scene *again = gjb_scene_load(path, &error);
    unlink(path);
    require(again != NULL, error.text);
    require(gjb_scene_hash(again) == gjb_scene_hash(scene), "written and read again, the scene is another");
    gjb_scene_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gjb_error error = {{0}};
    gjb_scene *scene = gjb_scene_parse(data, size, "input", &error);
    require(scene || (error.text[0] && !strchr(error.text, '\n')), "refused without one line to say why");
    if (scene) {
        round_trip(scene, gjb_scene_save_json);
        round_trip(scene, gjb_scene_save_binary);
    }
    gjb_scene_free(scene);
    gjb_error known = {{0}};
    gjb_known_failures *all = gjb_known_failures_parse(data, size, "input", &known);
    require(all || known.text[0], "known failures refused without a word");
    gjb_known_failures_free(all);
    return 0;
}
