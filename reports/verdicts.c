/* The verdicts on the page: proofs, equal fingerprints, interruptions. */
#include "reports/proofs.h"
#include "reports/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void verdict(text *page, int good, const char *title)
{
    const char *class = good > 0 ? "good" : good < 0 ? "wrong" : "open";
    const char *sign = good > 0 ? "✓" : good < 0 ? "✗" : "–";
    text_format(page, "<li class=\"%s\"><span class=\"sign\" aria-hidden=\"true\">%s</span><div><b>", class,
                sign);
    text_html(page, title);
    text_add(page, "</b> ");
}

static void verdict_proofs(const results *r, text *page)
{
    if (!r->verify_count) {
        verdict(page, 0, "Nothing proven here.");
        text_add(page, "These results hold no verification: run <code>gjkbench verify "
                       "--json verify.json</code> and report that file too.</div></li>");
        return;
    }
    const proofs sum = proofs_of(r);
    if (sum.answers + sum.ungraded + sum.wrong + sum.missing == 0) {
        verdict(page, 0, "Nothing graded here.");
        text_add(page, "These answers were not held against the truth: run <code>gjkbench verify --json "
                       "verify.json</code> without <code>--answers-only</code>, and with a contender of ours.</div></li>");
        return;
    }
    number a, b, c;
    char title[96];
    if (sum.wrong > 0)
        snprintf(title, sizeof title, "%s wrong answer%s of ours.", number_count(&a, sum.wrong),
                 sum.wrong == 1 ? "" : "s");
    else if (sum.missing > 0)
        snprintf(title, sizeof title,
                 sum.missing == 1 ? "%s answer of ours is missing." : "%s answers of ours are missing.",
                 number_count(&a, sum.missing));
    else
        snprintf(title, sizeof title, "No wrong answer of ours.");
    verdict(page, sum.wrong > 0 || sum.missing > 0 ? -1 : 1, title);
    if (sum.pairs > 0)
        text_format(page, "%s pairs, proven by certificates or the exact oracle. ",
                    number_count(&a, sum.pairs));
    double all = sum.answers + sum.ungraded;
    text_format(page, "Our kernels and our reference gave %s graded answers; another %s of theirs lie too "
                "close to touching to call. NaN or hung, at the iteration limit or unwritten: %s.</div></li>",
                number_count(&a, sum.answers), number_rate(&b, all > 0 ? sum.ungraded / all : NAN),
                number_count(&c, sum.missing));
}

static void list_backends(const names *backends, text *page)
{
    for (size_t i = 0; i < backends->n; i++) {
        text_add(page, i ? i + 1 == backends->n ? " and " : ", " : "");
        text_html(page, backends->s[i]);
    }
}

static void verdict_fingerprints(const results *r, text *page)
{
    agreement found = {0};
    number a, b;
    if (proofs_agreement(r, &found)) {
        page->failed = 1;
    } else if (!found.groups) {
        verdict(page, 0, "No fingerprints to compare.");
        text_add(page, "These results hold one backend only: run without <code>--backend</code>.</div></li>");
    } else if (found.differing) {
        verdict(page, -1, "Backends disagree.");
        text_format(page, "Fingerprints differ in %s of %s comparisons: ",
                    number_count(&a, (double)found.differing), number_count(&b, (double)found.groups));
        text_html(page, found.list.s ? found.list.s : "");
        text_add(page, found.differing > 6 ? " and more.</div></li>" : ".</div></li>");
    } else {
        verdict(page, 1, "The same bits from every backend.");
        text_format(page, "One fingerprint of all results in each of %s comparisons between ",
                    number_count(&a, (double)found.groups));
        list_backends(&found.backends, page);
        text_add(page, ".</div></li>");
    }
    text_free(&found.list);
}

void tables_verdicts(const results *r, text *page)
{
    text_add(page, "<ul class=\"verdicts\" id=\"verdicts\">");
    for (size_t i = 0; i < r->file_count; i++) {
        json_t *flag = results_fact(&r->files[i], "interrupted");
        if (flag && !json_is_null(flag) && !json_is_false(flag)) {
            verdict(page, -1, "Interrupted.");
            text_add(page, "The run behind ");
            text_html(page, r->files[i].name);
            text_add(page, " was stopped before its end: this page shows what was measured until then."
                           "</div></li>");
        }
    }
    verdict_proofs(r, page);
    verdict_fingerprints(r, page);
    text_add(page, "</ul>");
}
