/* Opens empty certificates, and frees certificates and what was read with them. */
#include <math.h>
#include <stdlib.h>

#include "reference/certificate/certificate.h"

void ref_certificate_open(ref_certificate *c)
{
    *c = (ref_certificate){.lo = -INFINITY, .hi = INFINITY};
}

void ref_certificate_close(ref_certificate *c)
{
    for (int s = 0; s < 2; s++) {
        free(c->inner[s]);
        free(c->points[s].index);
        free(c->points[s].weight);
    }
    free(c->vertices);
    free(c->faces);
    ref_certificate_open(c);
}

void ref_certificate_file_close(ref_certificate_file *file)
{
    gjb_scene_free(file->scene);
    ref_certificate_close(&file->certificate);
    *file = (ref_certificate_file){0};
}
