/* Letters for the vertices of two small shapes, and the table of their differences as text and HTML. */
#include "explain/explain_letters.h"

#include <math.h>
#include <string.h>

#include "draw/text.h"
#include "explain/explain_page.h"

static const gjb_body2 *body_of(const gjb_pair *pair, int of_b)
{
    return of_b ? &pair->as.plane.b : &pair->as.plane.a;
}

letters letters_make(const gjb_pair *pair, const int reversed[2])
{
    letters out = {{"", ""}};
    if (pair->dim != 2 || gjb_pair_unbounded(pair)) /* rows of a half-space are no vertices */
        return out;
    const uint32_t counts[2] = {pair->as.plane.a.count, pair->as.plane.b.count};
    if (counts[0] < 2 || counts[1] < 2 || (uint64_t)counts[0] + counts[1] > LETTERS_MOST)
        return out;
    for (int b = 0; b < 2; b++)
        for (uint32_t k = 0; k < counts[b]; k++)
            out.of[b][k] = (char)('A' + (b ? counts[0] : 0) + (reversed[b] && k ? counts[b] - k : k));
    return out;
}

void letters_place(const gjb_pair *pair, int of_b, uint32_t index, double out[2])
{
    const gjb_body2 *body = body_of(pair, of_b);
    const gjb_pose2d *p = &body->pose, *origin = &pair->as.plane.a.pose;
    const double *v = body->vertices[index];
    out[0] = p->c * v[0] - p->s * v[1] + (p->x - origin->x);
    out[1] = p->s * v[0] + p->c * v[1] + (p->y - origin->y);
}

char letters_at(const letters *l, const gjb_pair *pair, int of_b, const double at[2])
{
    const double near = 1e-9 * (*l->of[of_b] ? gjb_pair_size2(&pair->as.plane) : 0);
    for (uint32_t k = 0; l->of[of_b][k]; k++) {
        double v[2];
        letters_place(pair, of_b, k, v);
        if (hypot(v[0] - at[0], v[1] - at[1]) <= near)
            return l->of[of_b][k];
    }
    return '\0';
}

/* ---- tables ---- */

static const struct {
    char sign;
    const char *words;
} tables[2] = {
    {'-', "Minkowski difference A - B: their hull"},
    {'+', "Minkowski sum A + B, for comparison"},
};

/* In the order of the letters. */
static uint32_t index_of(const letters *l, int of_b, uint32_t place)
{
    const char wanted = (char)('A' + (of_b ? strlen(l->of[0]) : 0) + place);
    return (uint32_t)(strchr(l->of[of_b], wanted) - l->of[of_b]);
}

static const char *cell(const letters *l, const gjb_pair *pair, int table, uint32_t row, uint32_t column,
                        char out[96])
{
    const gjb_pose2d *origin = &pair->as.plane.a.pose;
    const double moved[2] = {2 * origin->x, 2 * origin->y};
    double a[2], b[2], w[2];
    letters_place(pair, 0, index_of(l, 0, row), a);
    letters_place(pair, 1, index_of(l, 1, column), b);
    for (int k = 0; k < 2; k++)
        w[k] = table ? a[k] + b[k] + moved[k] : a[k] - b[k];
    return explain_point(w, 2, out);
}

void letters_print(const letters *l, const gjb_pair *pair, FILE *stream)
{
    const uint32_t rows = (uint32_t)strlen(l->of[0]), columns = (uint32_t)strlen(l->of[1]);
    char words[96];
    int width = 0;
    for (uint32_t k = 0; k < 2 * rows * columns; k++) {
        const int n = (int)strlen(cell(l, pair, k % 2, k / 2 / columns, k / 2 % columns, words));
        width = n > width ? n : width;
    }
    for (int t = 0; t < 2 && rows; t++) {
        fprintf(stream, "\n%s\n     ", tables[t].words);
        for (uint32_t c = 0; c < columns; c++)
            fprintf(stream, " %c %-*c", tables[t].sign, width, 'A' + (int)(rows + c));
        for (uint32_t r = 0; r < rows; r++) {
            fprintf(stream, "\n   %c ", 'A' + (int)r);
            for (uint32_t c = 0; c < columns; c++)
                fprintf(stream, " %-*s", width + 2, cell(l, pair, t, r, c, words));
        }
        fputc('\n', stream);
    }
}

void letters_html(const letters *l, const gjb_pair *pair, text *page)
{
    const uint32_t rows = (uint32_t)strlen(l->of[0]), columns = (uint32_t)strlen(l->of[1]);
    char words[96];
    if (!rows)
        return;
    text_add(page, "<div class=\"letters\">");
    for (int t = 0; t < 2; t++) {
        text_format(page, "<div class=\"scroll\"><table><caption>%s</caption><thead><tr><td></td>",
                    tables[t].words);
        for (uint32_t c = 0; c < columns; c++)
            text_format(page, "<th scope=\"col\">%s %c</th>", t ? "+" : "&minus;", 'A' + (int)(rows + c));
        text_add(page, "</tr></thead><tbody>");
        for (uint32_t r = 0; r < rows; r++) {
            text_format(page, "<tr><th scope=\"row\">%c</th>", 'A' + (int)r);
            for (uint32_t c = 0; c < columns; c++)
                text_format(page, "<td>%s</td>", cell(l, pair, t, r, c, words));
            text_add(page, "</tr>");
        }
        text_add(page, "</tbody></table></div>");
    }
    text_add(page, "</div>");
}
