/* Options that every command has. */
#include "cli/options/options.h"

#include "scenes/generate/generate.h"

const cli_option cli_common_options[] = {
    {"plugin", CLI_TEXT, NULL, "FILE", "load your own contenders: FILE.so or FILE.so:OPTIONS; may repeat (docs/plugins.md)"},
    {"contender-program", CLI_TEXT, NULL, "COMMAND",
     "ask a program, as in 'python3 mine.py'; it says its times itself; may repeat (docs/programs.md)"},
    {"color", CLI_TEXT, NULL, "WHEN", "use colour: auto, always or never (default: auto, which honours NO_COLOR)"},
    {"help", CLI_FLAG, NULL, NULL, "show this text"},
    {0}};

const char cli_margin_about[] =
    "manifold: contacts are wanted up to this separation, in units of the scene; generated shapes "
    "are about 1 in size (default: 0.02; a scene file's own, which is 0 if it names none)";

const char cli_within_about[] =
    "intersect: shapes up to this distance apart count as overlapping; distance: no distance beyond this matters, so that "
    "a search may stop (default: 0, which is none; a scene file's own)";

const char cli_leaving_about[] =
    "toi: what becomes of a pair that touches at t = 0 and goes no deeper, as it slides along or leaves: hit "
    "or ignore; "
    "with ignore what turns is left out, and refused if it is named (default: hit; a scene file's own)";

uint32_t cli_leaving_of_made(uint32_t given)
{
    return given == CLI_NO_LEAVING ? GJB_LEAVING_HIT : given;
}

double cli_within_of_made(double given)
{
    return given >= 0 ? given : 0;
}

double cli_margin_of_made(double given)
{
    return given >= 0 ? given : GJB_DEFAULT_MARGIN;
}
