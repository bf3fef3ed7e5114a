/* Finds the scan of vertices that was compiled for a backend and precision. */
#include <string.h>

#include "simd/ports/ports.h"

/* PORTS_BACKENDS, from the build, is one ROW(name) a backend. */
#define ROW(name) gjb_ports_run gjb_ports_##name##_32, gjb_ports_##name##_64;
PORTS_BACKENDS
#undef ROW

gjb_ports_run *gjb_ports_find(const char *backend, gjb_precision precision)
{
#define ROW(name)                                                                                            \
    if (!strcmp(backend, #name))                                                                             \
        return precision == GJB_F32 ? gjb_ports_##name##_32 : gjb_ports_##name##_64;
    PORTS_BACKENDS
#undef ROW
    return NULL;
}
