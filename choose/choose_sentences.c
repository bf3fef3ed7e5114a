/* Sentences for each candidate and for the choice: shares of failures, sample sizes needed, speed. */
#include "choose/choose.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Clauses with "; " between. */
typedef struct words {
    char *text;
    size_t used;
} words;

static void say(words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(words *w, const char *format, ...)
{
    if (w->used && w->used + 2 < CHOOSE_WORDS) {
        memcpy(w->text + w->used, "; ", 3);
        w->used += 2;
    }
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(w->text + w->used, CHOOSE_WORDS - w->used, format, arguments);
    va_end(arguments);
    w->used += size > 0 ? (size_t)size : 0;
    if (w->used >= CHOOSE_WORDS)
        w->used = CHOOSE_WORDS - 1;
}

choose_share choose_share_text(double share)
{
    choose_share text;
    if (!(share > 0))
        snprintf(text.s, sizeof text.s, "0");
    else if (share < 1e-4)
        snprintf(text.s, sizeof text.s, "%.2g ppm", 1e6 * share);
    else
        snprintf(text.s, sizeof text.s, share < 0.995 ? "%.2g%%" : "%.4g%%", 100 * share);
    return text;
}

static double share_of(uint64_t some, uint64_t all)
{
    return all ? (double)some / (double)all : 0;
}

/* "batch avx512 f32". */
typedef struct title {
    char s[96];
} title;
static title title_of(const choose_candidate *c)
{
    title t;
    const int one = !strcmp(c->backend, "-");
    snprintf(t.s, sizeof t.s, "%.48s%s%.24s %s", c->name, one ? "" : " ", one ? "" : c->backend,
             gjb_precision_name(c->precision));
    return t;
}

/* The class that most of the wrong answers come from. */
static void say_wrong(words *w, const choose_candidate *c, const choose_need *need)
{
    int worst = 0;
    uint64_t classes = 0;
    for (int k = 0; k < CHOOSE_CLASSES; k++) {
        classes += c->class_graded[k] > 0;
        if (c->class_wrong[k] > c->class_wrong[worst])
            worst = k;
    }
    char where[64] = "", far[48] = "";
    if (classes > 1)
        snprintf(where, sizeof where, ", in %s of the %s ones",
                 choose_share_text(share_of(c->class_wrong[worst], c->class_graded[worst])).s,
                 choose_class_names[worst]);
    if (c->worst > need->accuracy)
        snprintf(far, sizeof far, ", by up to %.2g S", c->worst);
    say(w, "wrong in %s of %llu pairs%s%s: you allow %s beyond %.2g S",
        choose_share_text(share_of(c->wrong, c->graded)).s, (unsigned long long)c->graded, where, far,
        choose_share_text(need->wrong_share).s, need->accuracy);
}

static void say_failings(words *w, const choose_candidate *c, const choose_need *need)
{
    if (*c->lacks)
        say(w, "does not support %s", c->lacks);
    else if (c->unsupported)
        say(w, "leaves %s of the pairs unanswered as unsupported",
            choose_share_text(share_of(c->unsupported, c->answered)).s);
    if (c->mishap)
        say(w, "%s on one of the pairs", c->mishap);
    if (c->why & CHOOSE_WRONG)
        say_wrong(w, c, need);
    if (c->why & CHOOSE_LICENCE)
        say(w, "licence %s is not in your list", c->licence);
    if (c->why & CHOOSE_UNGRADED)
        say(w, "none of its answers was graded");
}

/* Pairs without a wrong answer that would show a share to be within `most`. */
static double pairs_needed(double most)
{
    return ceil(log(0.025) / log1p(-most));
}

static void say_needed(words *w, const choose_need *need)
{
    const double pairs = pairs_needed(need->wrong_share);
    say(w, pairs < 1e4 ? "you need %.0f pairs to show %s" : "you need %.3g pairs to show %s", pairs,
        choose_share_text(need->wrong_share).s);
}

static void say_slow(words *w, const choose_candidate *c)
{
    if (c->too_slow)
        say(w, "%llu of the pairs too slow to judge, and passed over: the first is %s",
            (unsigned long long)c->too_slow, c->too_slow_first);
}

static void say_risk(words *w, const choose_candidate *c, const choose_need *need)
{
    say(w, "%llu of %llu wrong: the true rate may be as high as %s", (unsigned long long)c->wrong,
        (unsigned long long)c->graded, choose_share_text(c->upper).s);
    if (c->verdict == CHOOSE_UNPROVEN && need->wrong_share > 0 && !c->wrong)
        say_needed(w, need);
    else if (c->verdict == CHOOSE_UNPROVEN && need->wrong_share > 0)
        say(w, "too few to show the %s that you allow", choose_share_text(need->wrong_share).s);
    else if (c->verdict == CHOOSE_UNPROVEN)
        say(w, "no number of pairs shows that it is never wrong");
}

/* The first of those that share its rank. */
static size_t head_of(const choose_candidate *candidates, size_t at)
{
    return candidates[at].rank ? candidates[at].rank - 1 : at;
}

static void say_speed(words *w, const choose_candidate *candidates, size_t count, size_t at)
{
    const choose_candidate *c = &candidates[at];
    const size_t head = head_of(candidates, at);
    if (at == 0 && c->rank && count > 1 && candidates[1].rank && candidates[1].times > 1 && !c->tied &&
        candidates[1].verdict == c->verdict)
        say(w, "%.*f times as fast as the next, %s", candidates[1].times < 9.95 ? 1 : 0, candidates[1].times,
            title_of(&candidates[1]).s);
    else if (at == 0 && c->rank && c->tied)
        say(w, "a tie with %s: their intervals overlap", title_of(&candidates[1]).s);
    else if (at == 0 && c->rank)
        say(w, "%s", c->verdict == CHOOSE_FITS ? "the only one that fits" : "none is proven to fit");
    else if (head != at)
        say(w, "a tie with %s: their intervals overlap", title_of(&candidates[head]).s);
    else if (c->times >= 1)
        say(w, "takes %.*f times as long as the first",
            c->times < 1.095  ? 2
            : c->times < 9.95 ? 1
                              : 0,
            c->times);
    else if (c->times > 0)
        say(w, "would take %.2f of the time of the first", c->times);
}

void choose_reason(const choose_candidate *candidates, size_t count, size_t at, const choose_need *need,
                   char text[CHOOSE_WORDS])
{
    const choose_candidate *c = &candidates[at];
    words w = {text, 0};
    *text = 0;
    if (c->verdict == CHOOSE_UNFIT)
        say_failings(&w, c, need);
    if (c->verdict == CHOOSE_UNTIMED)
        say(&w, "its time was not measured");
    say_speed(&w, candidates, count, at);
    /* What the table's columns say is not said again for each of those alike. */
    const int first_unproven =
        c->verdict == CHOOSE_UNPROVEN && (!at || candidates[at - 1].verdict != c->verdict);
    if (first_unproven || (c->verdict != CHOOSE_UNFIT && c->wrong))
        say_risk(&w, c, need);
    say_slow(&w, c);
    if (c->self_timed && c->timed)
        say(&w, "its time is that of its own clock");
    if (c->more && !*c->lacks)
        say(&w, "does more than the query asks%s%.120s%s", *c->note ? " (" : "", c->note,
            *c->note ? ")" : "");
}

void choose_sentence(const choose_candidate *candidates, size_t count, const choose_need *need,
                     char text[CHOOSE_WORDS])
{
    words w = {text, 0};
    *text = 0;
    if (!count) {
        say(&w, "none: no contender was selected");
        return;
    }
    const choose_candidate *c = &candidates[0];
    if (c->verdict == CHOOSE_TOO_FEW) {
        say(&w, "too few pairs (%llu) to recommend one: add frames", (unsigned long long)c->graded);
        say_risk(&w, c, need);
        if (need->wrong_share > 0)
            say_needed(&w, need);
        return;
    }
    if (c->verdict == CHOOSE_UNFIT) {
        char reason[CHOOSE_WORDS];
        words r = {reason, 0};
        say_failings(&r, c, need);
        say(&w, "none; the nearest is %s, but: %.400s", title_of(c).s, reason);
        return;
    }
    if (c->verdict == CHOOSE_UNTIMED) {
        say(&w, "none yet: the answers of %s would do, but its time was not measured", title_of(c).s);
        return;
    }
    say(&w, "%s%s%s, at %.3g ns a pair%s", title_of(c).s, c->tied ? " or, as fast, " : "",
        c->tied ? title_of(&candidates[1]).s : "", c->ns.median, c->self_timed ? " by its own clock" : "");
    say_risk(&w, c, need);
}
