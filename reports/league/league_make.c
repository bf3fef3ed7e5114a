/* From what verification and benchmarks wrote to the league table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/league/league_cells.h"
#include "reports/point_selection.h"

/* Counts that a league row sums over workloads and families. */
static const struct {
    size_t from, to;
} sums[] = {
#define SUM(key) {offsetof(verify_row, key), offsetof(league_row, key)}
    SUM(pairs),      SUM(graded),     SUM(ungraded),  SUM(unsupported),    SUM(wrong),
    SUM(beyond_1e6), SUM(beyond_1e3), SUM(nan),       SUM(hung),           SUM(crashed),
    SUM(unasked),    SUM(capped),     SUM(unwritten), SUM(symmetry_wrong),
};

typedef struct making {
    const results *all;
    league_row *rows;
    size_t n, capacity;
    size_t next; /* where the next name is likely to be: files list theirs in the same order over and over */
} making;

static const char *fact(const results *r, const char *key)
{
    const char *s = json_string_value(results_context(r, key));
    return s ? s : "";
}

/* The row of that name, added at need; NULL out of memory. */
static league_row *row_of(making *m, const league_row *key)
{
    for (size_t i = 0; i < m->n; i++) {
        const size_t at = (m->next + i) % m->n;
        if (league_same(&m->rows[at], key)) {
            m->next = at + 1;
            return &m->rows[at];
        }
    }
    if (m->n == m->capacity) {
        size_t capacity = m->capacity ? 2 * m->capacity : 64;
        league_row *more = realloc(m->rows, capacity * sizeof *more);
        if (!more)
            return NULL;
        m->rows = more;
        m->capacity = capacity;
    }
    m->rows[m->n] = *key;
    return &m->rows[m->n++];
}

static const char *backend_name(const char *name)
{
    return *name ? name : "-";
}

static league_row key_of(const results *r, const char *contender, const char *backend, const char *precision,
                         const char *query, double dim)
{
    return (league_row){.contender = contender, .backend = backend_name(backend), .precision = precision,
                        .query = query, .dim = dim, .date = fact(r, "date"), .commit = fact(r, "commit"),
                        .fingerprint = ""};
}

static int add_verified(making *m, const verify_row *v)
{
    const league_row key = key_of(m->all, v->contender, v->backend, v->precision, v->query, v->dim);
    league_row *row = row_of(m, &key);
    if (!row)
        return -1;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        *(double *)((char *)row + sums[i].to) +=
            results_count(*(const double *)((const char *)v + sums[i].from));
    /* A verify file has no infinity either, and leaves it out. */
    row->worst_error_eps = isnan(row->worst_error_eps) || isnan(v->worst_error_eps)
                               ? NAN
                               : fmax(row->worst_error_eps, v->worst_error_eps);
    metrics_add(&row->metrics, &v->metrics);
    league_cell *cell = *v->family ? league_cell_of(&row->families, v->family) : NULL;
    if (cell) {
        cell->value[LEAGUE_GRADED] += v->graded;
        cell->value[LEAGUE_WRONG] += v->wrong;
    }
    return 0;
}

static void set_time(league_cells *list, const char *name, const bench_row *b)
{
    league_cell *cell = league_find(list, name) ? NULL : league_cell_of(list, name);
    if (cell) {
        cell->value[LEAGUE_NS] = b->ns;
        cell->value[LEAGUE_LOW] = b->low;
        cell->value[LEAGUE_HIGH] = b->high;
        cell->value[LEAGUE_VERTICES] = b->vertices;
    }
}

static int is_class(const bench_row *b)
{
    const league_families *known = league_families_of(b->query);
    int is = !strcmp(known->base[0], b->family);
    for (size_t i = 0; known->further[i][0]; i++)
        is |= !strcmp(known->further[i][0], b->family);
    return is;
}

/* In 3D the base point of boxes, or NULL. */
static const base_point *box_of(const base_point *bases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bases[i].dim == 3 && !strcmp(bases[i].workload, "box"))
            return &bases[i];
    return NULL;
}

/* Points of other sweeps say nothing here. */
static int add_measured(making *m, const results *part, const base_point *base, const bench_row *b)
{
    base_point bases[BASES];
    const size_t n = points_bases(part, base, bases);
    const base_point *box = box_of(bases, n);
    const int at_box = box && is_class(b) && points_in_sweep(box, b, "families-box", VARY_CLASS);
    const int in_class =
        box != bases && is_class(b) && points_in_sweep(base, b, "families", VARY_CLASS);
    const int in_vertices = points_in_sweep(base, b, "vertices", VARY_VERTICES) ||
                            points_in_sweep(base, b, "vertices-f64", VARY_VERTICES);
    size_t at = 0;
    while (at < n && !points_in_sweep(&bases[at], b, "base", VARY_NOTHING))
        at++;
    if (at == n && !in_class && !at_box && !in_vertices)
        return 0;
    const league_row key = key_of(m->all, b->contender, b->backend, b->precision, b->query, b->dim);
    league_row *row = row_of(m, &key);
    if (!row)
        return -1;
    if (at < n)
        set_time(&row->base, b->workload, b);
    if (!at)
        row->fingerprint = b->fingerprint;
    if (in_class)
        set_time(&row->classes, b->family, b);
    if (at_box)
        set_time(&row->box_classes, b->family, b);
    if (in_vertices)
        set_time(&row->vertices, b->workload, b);
    return 0;
}

/* Points in motion, and started from axes, of which the latter are no times of a query. */
static int add_moving(making *m, const bench_row *b)
{
    const league_families *known = league_families_of(b->query);
    const int standard = points_has_tag(b, "base"), at_base = standard && !strcmp(b->family, known->base[0]);
    const int in_class = (standard || points_has_tag(b, known->sweep)) && is_class(b);
    const int box = !strcmp(b->workload, "box"); /* its kernels know it for a box: no point of a curve of hulls */
    const int in_vertices = (at_base || points_has_tag(b, "motion-vertices")) && !box && isfinite(b->vertices);
    if (*b->start || !known->query || (!in_class && !in_vertices))
        return 0;
    const league_row key = key_of(m->all, b->contender, b->backend, b->precision, b->query, b->dim);
    league_row *row = row_of(m, &key);
    if (!row)
        return -1;
    if (at_base) {
        row->fingerprint = row->base.n ? row->fingerprint : b->fingerprint;
        set_time(&row->base, b->workload, b);
    }
    if (in_class)
        set_time(b->dim == 3 && box ? &row->box_classes : &row->classes, b->family, b);
    if (in_vertices)
        set_time(&row->vertices, b->workload, b);
    return 0;
}

static int add_all(making *m)
{
    int failed = 0;
    for (size_t i = 0; i < m->all->verify_count && !failed; i++)
        failed = add_verified(m, &m->all->verify[i]);
    for (size_t i = 0; i < m->all->apart_count && !failed; i++)
        failed = add_moving(m, &m->all->apart[i]);
    for (uint32_t dim = 2; dim <= 3 && !failed; dim++) {
        results part;
        failed = results_part(m->all, dim, &part);
        if (!failed && part.bench_count) {
            const base_point base = points_base(&part, dim);
            for (size_t i = 0; i < part.bench_count && !failed; i++)
                failed = add_measured(m, &part, &base, &part.bench[i]);
        }
        results_part_free(&part);
    }
    return failed;
}

static json_t *context_of(const results *r)
{
    static const char *const keys[] = {"date", "host_name", "cpu", "num_cpus", "compiler", "flags", "commit",
                                       "version", "commands"};
    json_t *context = json_object(), *value = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (results_context(r, keys[i]))
            json_object_set(context, keys[i], results_context(r, keys[i]));
    for (size_t f = 0; f < r->file_count && !value; f++)
        value = results_fact(&r->files[f], "seed");
    if (value)
        json_object_set(context, "seed", value);
    return context;
}

json_t *league_of(const results *r)
{
    making m = {.all = r};
    json_t *contenders = json_array(), *entries = json_array(), *known = results_context(r, "contenders");
    if (add_all(&m)) {
        json_decref(contenders);
        json_decref(entries);
        free(m.rows);
        return NULL;
    }
    for (size_t i = 0; i < m.n; i++) {
        const char *name = m.rows[i].contender;
        json_t *about = results_named(known, name);
        json_array_append_new(entries, league_row_json(&m.rows[i]));
        if (!results_named(contenders, name))
            json_array_append_new(contenders, about ? json_incref(about) : json_pack("{ss}", "name", name));
    }
    free(m.rows);
    return json_pack("{si so so so}", "league", LEAGUE_VERSION, "context", context_of(r), "contenders",
                     contenders, "entries", entries);
}

int results_make_league(results *r, gjb_error *error)
{
    return r->league_count ? 0 : results_take_league(r, league_of(r), error);
}

json_t *gjb_league_make(const char *const *files, size_t n, gjb_error *error)
{
    results r;
    json_t *league = NULL;
    if (!results_load(&r, files, n, error)) {
        league = league_of(&r);
        if (!league)
            gjb_fail(error, "league: out of memory");
    }
    results_free(&r);
    return league;
}

json_t *gjb_league_load(const char *path, gjb_error *error)
{
    results r;
    json_t *league = NULL;
    if (!results_load(&r, &path, 1, error)) {
        if (r.files[0].kind == RESULTS_LEAGUE)
            league = json_incref(r.files[0].root);
        else
            gjb_fail(error, "%s: no league table (an array \"entries\")", path);
    }
    results_free(&r);
    return league;
}
