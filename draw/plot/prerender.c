/* Runs gnuplot for many drawings on all processors, and keeps the SVG until the page asks for it. */
#include "draw/plot/prerender.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "draw/plot/gnuplot.h"

enum { MOST_THREADS = 16 };

typedef struct sheaf {
    const char *gnuplot;
    prerender *all;
    _Atomic size_t next;
    _Atomic int failed;
} sheaf;

static void *draw_some(void *argument)
{
    sheaf *s = argument;
    char reason[256];
    for (size_t i; !s->failed && (i = s->next++) < s->all->count;) {
        prerender_drawing *one = &s->all->list[i];
        text script = {0};
        (one->plot->kind == PLOT_MAP ? plot_map_script : plot_script)(one->plot, &script);
        if (script.failed || gnuplot_run(s->gnuplot, &script, &one->svg, reason, sizeof reason))
            s->failed = 1;
        else
            one->drawn = 1;
        text_free(&script);
    }
    return NULL;
}

void prerender_draw(prerender *all, const char *gnuplot)
{
    sheaf s = {.gnuplot = gnuplot, .all = all};
    pthread_t threads[MOST_THREADS];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int started = 0;
    while (started < MOST_THREADS && started < processors - 1 && !pthread_create(&threads[started], NULL, draw_some, &s))
        started++;
    draw_some(&s);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}

int prerender_add(prerender *all, const plot *p)
{
    prerender_drawing *more = realloc(all->list, (all->count + 1) * sizeof *more);
    if (!more)
        return -1;
    all->list = more;
    all->list[all->count++] = (prerender_drawing){.plot = p};
    return 0;
}

text *prerender_find(prerender *all, const plot *p)
{
    for (size_t i = 0; all && i < all->count; i++)
        if (all->list[i].plot == p && all->list[i].drawn)
            return &all->list[i].svg;
    return NULL;
}

void prerender_free(prerender *all)
{
    for (size_t i = 0; i < all->count; i++)
        text_free(&all->list[i].svg);
    free(all->list);
    *all = (prerender){0};
}
