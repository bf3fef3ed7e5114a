/* Findings as JSON: runs, levels, changes and events of each series. */
#include <stdlib.h>

#include "history/levels.h"

static json_t *run_json(const gjb_past *past, const gjb_series *s, size_t at)
{
    const gjb_past_run *r = &past->runs[s->times[at].run];
    return json_pack("{ss ss sI}", "commit", r->commit, "run", r->hash, "place", (json_int_t)r->place);
}

static json_t *turns_json(const gjb_past *past, const gjb_found *f)
{
    json_t *all = json_array();
    for (size_t i = 0; i < f->turn_count; i++) {
        const gjb_turn *t = &f->turns[i];
        json_array_append_new(
            all, json_pack("{si so so sf s[ff] sf si si}", "at", (int)t->at, "after", run_json(past, f->series, t->at - 1),
                           "by", run_json(past, f->series, t->at), "ratio", t->ratio.value, "interval", t->ratio.low,
                           t->ratio.high, "p", t->p, "runs_before", (int)t->before, "runs_after", (int)t->after));
    }
    return all;
}

static json_t *levels_json(const gjb_found *f)
{
    gjb_levels levels;
    json_t *all = gjb_levels_of(f, &levels) ? NULL : json_array();
    for (size_t i = 0; all && i < levels.count; i++)
        json_array_append_new(all, json_pack("{si si sf sf}", "first", (int)levels.all[i].first, "runs",
                                             (int)(levels.all[i].end - levels.all[i].first), gjb_series_unit(f->series),
                                             levels.all[i].ns,
                                             "ratio", levels.all[i].ratio));
    free(levels.all);
    return all;
}

static json_t *series_json(const gjb_past *past, const gjb_found *f)
{
    const gjb_series *s = f->series;
    json_t *parts = json_array(), *events = json_array(), *times = json_array();
    for (size_t i = 0; i < s->count; i++)
        json_array_append_new(times, json_real(s->times[i].ns));
    for (size_t i = 0; i < f->part_count; i++)
        json_array_append_new(parts, json_pack("{ss si si sf sf}", "workload_hash",
                                               s->times[f->parts[i].first].workload_hash, "first",
                                               (int)f->parts[i].first, "runs",
                                               (int)(f->parts[i].end - f->parts[i].first), "p", f->parts[i].p, "q",
                                               f->parts[i].q));
    for (size_t i = 0; i < f->event_count; i++)
        json_array_append_new(events, json_pack("{si ss ss ss so}", "at", (int)f->events[i].at, "what",
                                                gjb_event_name(f->events[i].kind), "before", f->events[i].before,
                                                "after", f->events[i].after, "by",
                                                run_json(past, s, f->events[i].at)));
    return json_pack("{ss ss ss ss ss ss sI si so so so so so sb}", "benchmark", s->name, "unit", gjb_series_unit(s),
                     "machine", s->of->machine, "compiler", s->of->compiler, "flags", s->of->flags, "build_type",
                     s->of->type, "seed", (json_int_t)s->of->seed, "runs", (int)s->count, "times", times, "levels",
                     levels_json(f), "parts", parts, "changes", turns_json(past, f), "events", events, "slower",
                     gjb_found_slower(f));
}

json_t *gjb_findings_json(const gjb_findings *findings, const gjb_past *past, const gjb_search *search)
{
    json_t *series = json_array();
    for (size_t i = 0; i < findings->count; i++)
        json_array_append_new(series, series_json(past, &findings->all[i]));
    return json_pack("{s{sf sf sf sI si si si si} so}", "search", "rate", search->rate, "level", findings->level, "least",
                     search->least, "seed", (json_int_t)search->seed, "draws", (int)findings->draws, "tested",
                     (int)findings->tested, "too_few", (int)findings->few, "hopeless", (int)findings->hopeless,
                     "series", series);
}
