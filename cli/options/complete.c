/* Shell completion: candidates for the last word, from the tables of commands and options. */
#include "cli/options/complete.h"

#include <stdio.h>
#include <string.h>

#include "cli/options/select.h"

static int completing;

void cli_complete_begin(void)
{
    completing = 1;
}

int cli_completing(void)
{
    return completing;
}

void cli_complete_offer(const char *typed, const char *word, const char *about)
{
    if (strncmp(word, typed, strlen(typed)) == 0)
        printf("%s%s%.*s\n", word, about ? "\t" : "", about ? (int)strcspn(about, "\n") : 0, about ? about : "");
}

static void offer_option(const char *typed, const char *name, const char *about)
{
    char word[64];
    snprintf(word, sizeof word, "--%s", name);
    cli_complete_offer(typed, word, about);
}

/* Is `name` among those that a comma follows in the `length` bytes before the one being typed? */
static int listed(const char *list, size_t length, const char *name)
{
    for (const char *end; length > 0; list = end + 1) {
        end = memchr(list, ',', length);
        if ((size_t)(end - list) == strlen(name) && strncmp(list, name, strlen(name)) == 0)
            return 1;
        length -= (size_t)(end + 1 - list);
    }
    return 0;
}

/* `before`: what of the word is no value, such as "--query=". */
static void offer_value(const char *before, size_t length, const char *typed, const char *name)
{
    const char *comma = strrchr(typed, ',');
    const size_t kept = comma ? (size_t)(comma + 1 - typed) : 0;
    if (strncmp(name, typed + kept, strlen(typed + kept)) == 0 && !listed(typed, kept, name))
        printf("%.*s%.*s%s\n", (int)length, before, (int)kept, typed, name);
}

static int names_a_file(const char *argument)
{
    static const char *const files[] = {"FILE", "FILES", "PATH", "SCENE", "MESH"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(argument, files[i]) == 0)
            return 1;
    return 0;
}

/* Of an argument that help gives as "this|that", the values that it lists. */
static void offer_listed(const char *argument, const char *word, size_t length)
{
    char list[64], *rest = NULL;
    snprintf(list, sizeof list, "%s", strchr(argument, '|') ? argument : "");
    for (const char *value = strtok_r(list, "|", &rest); value; value = strtok_r(NULL, "|", &rest))
        offer_value(word, length, word + length, value);
}

/* `name` and what is typed of its value, behind `length` bytes of the word. */
static void offer_values(const cli_spec *spec, const char *name, const char *word, size_t length)
{
    static const char *const when[] = {"auto", "always", "never"};
    const char *typed = word + length, *argument = strcmp(name, "plugin") ? "" : "FILE", *names[CLI_SELECT_VALUES];
    for (const cli_option *o = spec->options; o && o->name; o++)
        if (strcmp(o->name, name) == 0 && o->argument)
            argument = o->argument;
    offer_listed(argument, word, length);
    for (size_t i = 0; strcmp(name, "color") == 0 && i < sizeof when / sizeof *when; i++)
        offer_value(word, length, typed, when[i]);
    const size_t count = cli_select_values(spec->select, name, names);
    for (size_t i = 0; i < count; i++)
        offer_value(word, length, typed, names[i]);
    if (names_a_file(argument) || strcmp(argument, "DIR") == 0)
        puts(strcmp(argument, "DIR") ? ":files" : ":folders");
}

static void offer_options(const cli_spec *spec, const char *typed)
{
    const char *names[CLI_SELECT_VALUES];
    for (const cli_option *o = spec->options; o && o->name; o++)
        offer_option(typed, o->name, o->about);
    const size_t count = spec->select ? cli_select_names(spec->select, names) : 0;
    for (size_t i = 0; i < count; i++)
        offer_option(typed, names[i], cli_select_about(names[i]));
    for (size_t i = 0; cli_common_options[i].name; i++)
        offer_option(typed, cli_common_options[i].name, cli_common_options[i].about);
}

/* Does the word before the last wait for a value? Its name, or NULL. */
static const char *waiting(const cli_spec *spec, const char *word)
{
    if (strncmp(word, "--", 2) != 0 || strchr(word, '='))
        return NULL;
    for (const cli_option *o = spec->options; o && o->name; o++)
        if (strcmp(o->name, word + 2) == 0)
            return o->type == CLI_FLAG ? NULL : o->name;
    const char *names[CLI_SELECT_VALUES];
    const size_t count = spec->select ? cli_select_names(spec->select, names) : 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], word + 2) == 0)
            return names[i];
    for (size_t i = 0; cli_common_options[i].name; i++)
        if (strcmp(cli_common_options[i].name, word + 2) == 0)
            return cli_common_options[i].argument ? cli_common_options[i].name : NULL;
    return NULL;
}

int cli_complete(const cli_spec *spec, int argc, char **argv)
{
    const char *word = argc > 1 ? argv[argc - 1] : "", *equals = strchr(word, '=');
    int only_files = 0;
    const char *option = NULL; /* that the word being typed is the value of */
    for (int i = 1; i + 1 < argc; i++) {
        option = option || only_files ? NULL : waiting(spec, argv[i]);
        only_files |= strcmp(argv[i], "--") == 0;
    }
    if (option) {
        offer_values(spec, option, word, 0);
    } else if (!only_files && word[0] == '-' && word[1] == '-' && equals) {
        char name[48];
        snprintf(name, sizeof name, "%.*s", (int)(equals - word - 2), word + 2);
        offer_values(spec, name, word, (size_t)(equals + 1 - word));
    } else if (!only_files && *word == '-') {
        offer_options(spec, word);
    } else if (spec->operands) {
        const char *names[CLI_SELECT_VALUES];
        const size_t count = spec->operands(names);
        for (size_t i = 0; i < count; i++)
            cli_complete_offer(word, names[i], NULL);
    } else if (spec->max_files > 0) {
        puts(":files");
    }
    return GJB_EXIT_OK;
}
