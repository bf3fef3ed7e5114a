/* Wraps help at 80 columns: paragraphs, descriptions of options, and examples. */
#include "cli/options/wrap.h"

#include <string.h>

enum { COLUMNS = 80 };

/* Columns of UTF-8: bytes that begin a character. */
static int width_of(const char *text, size_t bytes)
{
    int width = 0;
    for (size_t i = 0; i < bytes; i++)
        width += (text[i] & 0xc0) != 0x80;
    return width;
}

/* Of the first word: up to a space, or of "[--option VALUE]" the whole. */
static size_t word_length(const char *line, const char *end)
{
    const char *from = *line == '[' ? memchr(line, ']', (size_t)(end - line)) : line;
    const char *space = memchr(from ? from : line, ' ', (size_t)(end - (from ? from : line)));
    return (size_t)((space ? space : end) - line);
}

/* The words of one line of the source, from column `at` on; returns the column that they end at. `last`: what a line ends with
 * that another follows. */
static int print_words(FILE *stream, const char *line, size_t length, int at, int indent, const char *last)
{
    const char *end = line + length;
    int first = at == indent; /* no space before the first word of a line */
    while (line < end) {
        const size_t bytes = word_length(line, end);
        const int width = width_of(line, bytes);
        if (!first && at + 1 + width + (int)strlen(last) > COLUMNS) {
            fprintf(stream, "%s\n%*s", last, indent, "");
            at = indent;
            first = 1;
        }
        if (!first)
            fputc(' ', stream);
        fwrite(line, 1, bytes, stream);
        at += !first + width;
        first = 0;
        line += bytes + (line + bytes < end);
    }
    return at;
}

void cli_print_wrapped(FILE *stream, const char *text, int at, int indent)
{
    int open = at > indent;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        const int apart = length == 0 || *text == ' ';
        if (apart) {
            fprintf(stream, "%s%.*s\n", open ? "\n" : "", (int)length, text);
            at = open = 0;
        } else {
            at = print_words(stream, text, length, at, indent, "");
            open = 1;
        }
        text += length + (text[length] == '\n');
    }
    if (open)
        fputc('\n', stream);
}

void cli_print_option(const char *name, const char *argument, const char *about)
{
    enum { LEFT = 20 };
    int at = printf("  --%s%s%s", name, argument ? " " : "", argument ? argument : "");
    for (; at <= LEFT; at++)
        putchar(' ');
    cli_print_wrapped(stdout, about, at, LEFT + 1);
}

void cli_print_examples(FILE *stream, const char *examples)
{
    while (*examples) {
        const int length = (int)strcspn(examples, "\n");
        const char *comment = strstr(examples + strspn(examples, " "), "  "), *end = examples + length;
        if (width_of(examples, (size_t)length) <= COLUMNS) {
            fprintf(stream, "%.*s\n", length, examples);
        } else {
            comment = comment && comment < end ? comment : end;
            fputc(' ', stream);
            print_words(stream, examples + 2, (size_t)(comment - examples) - 2, 1, 6, " \\");
            const char *words = comment + strspn(comment, " ");
            if (words < end)
                fprintf(stream, "\n      %.*s", (int)(end - words), words);
            fputc('\n', stream);
        }
        examples += length + (examples[length] == '\n');
    }
}
