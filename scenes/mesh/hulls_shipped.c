/* The library of hulls that is embedded in the program, loaded once. */
#include <pthread.h>

#include "scenes/mesh/hulls.h"

extern const unsigned char gjb_hulls_bytes[]; /* data/hulls/shipped.gjb */
extern const size_t gjb_hulls_bytes_size;

static gjb_scene *shipped;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

static void load(void)
{
    shipped = gjb_scene_parse(gjb_hulls_bytes, gjb_hulls_bytes_size, "shipped.gjb", NULL);
}

const gjb_shapes *gjb_hulls_shipped(void)
{
    pthread_once(&loaded, load);
    return shipped != NULL ? &shipped->shapes : NULL;
}
