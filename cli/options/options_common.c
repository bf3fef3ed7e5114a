/* Options that every command has. */
#include "cli/options/options.h"

const cli_option cli_common_options[] = {
    {"plugin", CLI_TEXT, NULL, "FILE", "load your own contenders: FILE.so or FILE.so:OPTIONS; may repeat (docs/plugins.md)"},
    {"color", CLI_TEXT, NULL, "WHEN", "use colour: auto, always or never (default: auto, which honours NO_COLOR)"},
    {"help", CLI_FLAG, NULL, NULL, "show this text"},
    {0}};
