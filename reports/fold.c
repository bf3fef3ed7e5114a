/* Sections of the page that are folded at first. */
#include "reports/page.h"

void fold_open(const char *id, const char *title, text *page)
{
    text_format(page, "<section id=\"%s\"><details class=\"fold\"><summary><h2>%s</h2></summary>", id, title);
}

void fold_close(text *page)
{
    text_add(page, "</details></section>\n");
}
