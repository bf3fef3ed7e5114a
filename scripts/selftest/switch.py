"""Puts many changes into one copy of the sources, each behind a switch, so that one build has all of them.

A compiler takes a minute over the kernels, and a search a second: faults are chosen when a program starts, by
GJKBENCH_FAULT=NUMBER in the environment (mutant schemata: Untch, Offutt and Harrold, 1993). The sources that ship have no
switch; they are put into the copy.
"""
import os
import re
import subprocess

HEADER = """/* Which fault is switched on: GJKBENCH_FAULT, 0 for none. Included before every source of the copy. */
#ifndef GJB_SELFTEST_SWITCH
#define GJB_SELFTEST_SWITCH
#ifdef __cplusplus
extern "C" {
#define GJB_NO_THROW noexcept
#else
#define GJB_NO_THROW
#endif
extern char *getenv(const char *) GJB_NO_THROW;
extern int atoi(const char *) GJB_NO_THROW;
__attribute__((weak)) int selftest_fault;
__attribute__((constructor, unused)) static void selftest_read(void)
{
    const char *text = getenv("GJKBENCH_FAULT");
    selftest_fault = text ? atoi(text) : 0;
}
#ifdef __cplusplus
}
#endif
#define SELFTEST_FAULT(number) (selftest_fault == (number))
#endif
"""


class Region:
    def __init__(self, start, end, statement, changes):
        self.start, self.end, self.statement, self.changes, self.inner = start, end, statement, changes, []


def nested(changes):
    """Regions in a tree, and the changes that overlap others in part, which cannot be."""
    groups = {}
    for change in changes:
        groups.setdefault((change.start, -change.end, not change.statement), []).append(change)
    roots, open_regions, refused = [], [], []
    for (start, end, expression), group in sorted(groups.items(), key=lambda item: item[0]):
        end = -end
        while open_regions and open_regions[-1].end <= start:
            open_regions.pop()
        if open_regions and end > open_regions[-1].end:
            refused += group
            continue
        region = Region(start, end, not expression, group)
        (open_regions[-1].inner if open_regions else roots).append(region)
        open_regions.append(region)
    return roots, refused


def switched(text, numbered):
    """(text with switches, [(start, end, number)] of what each wrote, refused changes). `numbered`: change -> number."""
    roots, refused = nested(numbered)
    out, spans = [], []
    length = 0

    def put(piece):
        nonlocal length
        out.append(piece)
        length += len(piece)

    def plain(start, end, regions):
        for region in regions:
            put(text[start:region.start])
            render(region)
            start = region.end
        put(text[start:end])

    def render(region):
        # Line numbers stay: what is put in is on one line.
        put("{ " if region.statement else "(")
        for change in region.changes:
            number, begin = numbered[change], length
            new = " ".join(change.new.split("\n"))
            put(f"if (SELFTEST_FAULT({number})) {{ {new} }} else " if region.statement else f"SELFTEST_FAULT({number}) ? ({new}) : ")
            spans.append((begin, length, number))
        put("{ " if region.statement else "(")
        plain(region.start, region.end, region.inner)
        put(" } }" if region.statement else "))")

    plain(0, len(text), roots)
    return "".join(out), spans, refused


def live_lines(command, folder, top):
    """{file: lines} that a compilation sees, of files below `top`."""
    words = [w for w in command if w not in ("-c", "-MD")]
    for flag in ("-o", "-MF", "-MQ"):
        if flag in words:
            at = words.index(flag)
            del words[at:at + 2]
    run = subprocess.run(words + ["-E"], cwd=folder, capture_output=True, text=True, check=True)
    seen, file, line = {}, None, 0
    for text in run.stdout.split("\n"):
        marker = re.match(r'# (\d+) "([^"]*)"', text)
        if marker:
            line = int(marker.group(1))
            path = os.path.relpath(os.path.join(folder, marker.group(2)), top)
            file = None if path.startswith("..") else path
            continue
        if file and text.strip():
            seen.setdefault(file, set()).add(line)
        line += 1
    return seen


def errors_of(command, folder, top):
    """Places (file, line, column) of what a compiler does not take, of files below `top`; None when it takes all."""
    words = list(command)
    for flag in ("-o", "-MF", "-MQ"):
        if flag in words:
            at = words.index(flag)
            del words[at:at + 2]
    words = [w for w in words if w not in ("-MD", "-c")] + ["-fsyntax-only", "-w", "-fno-diagnostics-color",
                                                           "-fmax-errors=0", "-ftrack-macro-expansion=0"]
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if run.returncode == 0:
        return None
    places = []
    for found in re.finditer(r"^([^\s:][^:\n]*):(\d+):(\d+): (?:fatal )?error: (.*)$", run.stderr, re.M):
        path = os.path.relpath(os.path.join(folder, found.group(1)), top)
        places.append((path, int(found.group(2)), int(found.group(3)), found.group(4)))
    if not places:
        raise RuntimeError(run.stderr[-2000:])
    return places
