/* Lines of mesh files, and the refusal that all formats share. */
#include <string.h>

#include "scenes/mesh/mesh_parts.h"

int gjb_mesh_claims_more(const char *file, const char *field, const char *value, size_t size, gjb_error *error)
{
    return gjb_fail(error, "%s: %s: %.40s, more than a file of %zu bytes holds", file, field, value, size);
}

const char *gjb_mesh_past_comments(const char *text)
{
    text += strspn(text, " \t\r\n");
    while (*text == '#') {
        text += strcspn(text, "\n");
        text += strspn(text, " \t\r\n");
    }
    return text;
}

const char *gjb_mesh_next_line(const char *at)
{
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}
