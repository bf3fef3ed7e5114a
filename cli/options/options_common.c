/* Options that every command has. */
#include "cli/options/options.h"

const cli_option cli_common_options[] = {
    {"plugin", CLI_TEXT, NULL, "FILE", "contenders of your own, FILE.so or FILE.so:OPTIONS; may repeat (docs/plugins.md)"},
    {"color", CLI_TEXT, NULL, "WHEN", "auto, always or never (NO_COLOR is honoured)"},
    {"help", CLI_FLAG, NULL, NULL, "this text"},
    {0}};
