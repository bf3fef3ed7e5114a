/* Judges each candidate by its failures and time, and ranks those that answer right before the others. */
#include "choose/choose.h"

#include <math.h>
#include <stdlib.h>

const char *const choose_class_names[CHOOSE_CLASSES] = {"far", "near", "touching", "shallow", "deep"};
const double choose_touching = 1e-6, choose_near = 0.02;

choose_class choose_class_of(double sigma_by_size)
{
    if (fabs(sigma_by_size) <= choose_touching)
        return CHOOSE_TOUCHING;
    if (sigma_by_size > 0)
        return sigma_by_size > choose_near ? CHOOSE_FAR : CHOOSE_NEAR;
    return sigma_by_size < -choose_near ? CHOOSE_DEEP : CHOOSE_SHALLOW;
}

const char *choose_verdict_name(choose_verdict verdict)
{
    static const char *const names[CHOOSE_VERDICTS] = {"fits", "unproven", "too few pairs", "not timed",
                                                       "unfit"};
    return names[verdict];
}

static unsigned failings(const choose_candidate *c, const choose_need *need)
{
    unsigned why = 0;
    if (!licence_allowed(need->licences, c->licence))
        why |= CHOOSE_LICENCE;
    if (*c->lacks || c->unsupported)
        why |= CHOOSE_LACKS;
    if (c->mishap)
        why |= CHOOSE_DIED;
    if ((double)c->wrong > need->wrong_share * (double)c->graded)
        why |= CHOOSE_WRONG;
    if (!(why & (CHOOSE_LACKS | CHOOSE_DIED)) && !c->graded)
        why |= CHOOSE_UNGRADED;
    return why;
}

static void judge(choose_candidate *c, const choose_need *need)
{
    c->upper = gjb_share_upper(c->wrong, c->graded);
    c->why = failings(c, need);
    c->verdict = c->why                          ? CHOOSE_UNFIT
                 : !c->timed                     ? CHOOSE_UNTIMED
                 : c->upper <= need->wrong_share ? CHOOSE_FITS
                 : c->graded < CHOOSE_LEAST      ? CHOOSE_TOO_FEW
                                                 : CHOOSE_UNPROVEN;
    c->rank = 0;
    c->tied = 0;
    c->times = 0;
}

static unsigned bits(unsigned set)
{
    unsigned count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

static int order(double a, double b)
{
    return (a > b) - (a < b);
}

/* Share of the pairs that it has no answer for; all, if it was never asked. */
static double left_out(const choose_candidate *c)
{
    return *c->lacks || !c->answered ? 1 : (double)c->unsupported / (double)c->answered;
}

/* Who fails less comes nearer: one failing before two, then by what is easiest to live with. */
static int nearer(const choose_candidate *a, const choose_candidate *b)
{
    int by = order(bits(a->why), bits(b->why));
    if (!by)
        by = order(a->why, b->why);
    if (!by && a->why & CHOOSE_WRONG)
        by = order((double)a->wrong * (double)b->graded, (double)b->wrong * (double)a->graded);
    if (!by && a->why & CHOOSE_LACKS)
        by = order(left_out(a), left_out(b));
    return by;
}

static int compare(const void *left, const void *right)
{
    const choose_candidate *a = left, *b = right;
    int by = order(a->verdict, b->verdict);
    if (!by && a->verdict == CHOOSE_UNFIT)
        by = nearer(a, b);
    if (!by)
        by = order(a->self_timed, b->self_timed);
    if (!by)
        by = order(b->timed, a->timed);
    if (!by && a->timed)
        by = order(a->ns.median, b->ns.median);
    /* qsort keeps no order, and the same facts must rank the same way. */
    for (const char *s = a->name, *t = b->name; !by && (*s || *t); s++, t++)
        by = order(*s, *t);
    for (const char *s = a->backend, *t = b->backend; !by && (*s || *t); s++, t++)
        by = order(*s, *t);
    return by ? by : order(a->precision, b->precision);
}

size_t choose_rank(choose_candidate *candidates, size_t count, const choose_need *need)
{
    for (size_t i = 0; i < count; i++)
        judge(&candidates[i], need);
    if (count)
        qsort(candidates, count, sizeof *candidates, compare);
    size_t ranked = 0, head = 0;
    for (; ranked < count && candidates[ranked].verdict <= CHOOSE_UNPROVEN; ranked++) {
        choose_candidate *c = &candidates[ranked];
        const choose_candidate *first = &candidates[head];
        const int tie = ranked && c->verdict == first->verdict && c->self_timed == first->self_timed &&
                        c->ns.low <= first->ns.high;
        if (!tie)
            head = ranked;
        else
            c->tied = candidates[head].tied = 1;
        c->rank = (unsigned)head + 1;
    }
    const double unit = count && candidates[0].timed && ranked ? candidates[0].ns.median : 0;
    for (size_t i = 0; i < count && unit > 0; i++)
        candidates[i].times = candidates[i].timed ? candidates[i].ns.median / unit : 0;
    return ranked;
}
