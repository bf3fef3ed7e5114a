/* Which format a model is, and reading it. */
#include <stdlib.h>
#include <string.h>

#include "scenes/model/model_parts.h"

int gjb_model_is(const void *bytes, size_t size)
{
    const char *text = bytes;
    size_t at = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < size && strchr(" \t\r\n", text[at]) != NULL && text[at] != '\0')
        at++;
    return at < size && text[at] == '<';
}

int gjb_model_parse(const void *bytes, size_t size, const char *file, gjb_model *model, gjb_error *error)
{
    static const struct {
        const char *root, *format;
        int (*read)(const gjb_xml_file *xml, gjb_model *model, gjb_error *error);
    } formats[] = {{"mujoco", "MJCF", gjb_mjcf_read}, {"robot", "URDF", gjb_urdf_read}};
    memset(model, 0, sizeof *model);
    model->xml = calloc(1, sizeof *model->xml);
    if (model->xml == NULL)
        return gjb_fail(error, "%s: out of memory", file);
    int result = gjb_xml_parse(bytes, size, file, model->xml, error);
    for (size_t i = 0; i < sizeof formats / sizeof *formats && result == 0 && model->format == NULL; i++) {
        if (strcmp(model->xml->root->name, formats[i].root) == 0) {
            model->format = formats[i].format;
            result = formats[i].read(model->xml, model, error);
        }
    }
    if (result == 0 && model->format == NULL)
        result = gjb_xml_refuse(model->xml, model->xml->root, NULL, error,
                                "MJCF begins with <mujoco>, and URDF with <robot>");
    if (result != 0)
        gjb_model_free(model);
    return result;
}
