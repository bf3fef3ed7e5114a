/* One drawing: its numbers, as CSV and as a gnuplot script. Labels may come
 * from files: they are made harmless here. */
#ifndef GJB_DRAW_PLOT_PLOT_H
#define GJB_DRAW_PLOT_PLOT_H

#include "draw/ratio.h"
#include "draw/table.h"

enum { PLOT_LINES = 16, PLOT_POINTS = 64, PLOT_CATEGORIES = 24, PLOT_MARKS = 8, PLOT_ROWS = 12, PLOT_CELLS = 96 };

/* Colours are CSS variables of the page, --c1 and so on. They are carried
 * through gnuplot as the colour #0001NN and put back afterwards. */
enum { COLOUR_INK = 10, COLOUR_GRID = 11, COLOUR_MUTED = 12 };

typedef struct plot_style {
    int colour; /* 1 to 9 or COLOUR_INK */
    int point;  /* gnuplot point type */
    int dash;   /* gnuplot dash type */
    double width;
} plot_style;

/* The look of a contender and backend, the same in every drawing. `index`
 * distinguishes those that have no look of their own. */
plot_style plot_style_of(const char *contender, const char *backend, int index);

typedef enum plot_kind {
    PLOT_CURVES, /* connected points; labels at the right-hand end */
    PLOT_DOTS,   /* unconnected points over categories */
    PLOT_BARS,   /* clusters over categories */
    PLOT_MAP     /* cells over categories and rows: a table, without lines and without a script */
} plot_kind;

/* y = scale * x^exponent, by least squares on the logarithms of both, with the 95% interval of the exponent. */
typedef struct plot_fit {
    size_t points; /* that it rests on; 0: no fit */
    double exponent, low, high, scale;
} plot_fit;

typedef struct plot_line {
    char label[64];
    char owner[40]; /* the contender that the line is of, whatever the backend; "": of none */
    plot_style style;
    size_t n;
    double x[PLOT_POINTS], y[PLOT_POINTS], low[PLOT_POINTS], high[PLOT_POINTS]; /* low, high may be NaN */
    double ideal[PLOT_POINTS]; /* bars: drawn as a line across; NaN for none */
    plot_fit fit;              /* drawn thin behind its line */
} plot_line;

typedef struct plot_mark {
    double x;
    char label[32];
} plot_mark;

/* The best contender at these values of two things. */
typedef struct plot_cell {
    size_t x, y;       /* category and row */
    char best[40];     /* "": none */
    char next[40];     /* the next one, or "" */
    int colour;        /* 1 to 9 */
    double value;      /* of the best; NaN if there is none */
    ratio lead;        /* as fast as the next, in times; NaN for none */
    int tied;          /* not distinguished from the next */
    int asked;         /* a contender that counts was measured there */
} plot_cell;

typedef struct plot {
    char id[96];      /* file name of the CSV, letters, digits and '-' */
    char heading[96]; /* for readers; not part of the drawing */
    char caption[640]; /* what to see, in words; may be empty */
    ratio doubt;       /* of ratios that are read off it, or are in the caption */
    char x_title[64], y_title[64];
    char x_column[32], y_column[32];
    plot_kind kind;
    int log_x, log_y;
    int band;         /* low and high are the edges of a band behind the curve, not whiskers */
    int differs;      /* y is about how much it differs: the axis does not begin at 0 */
    int legend;       /* curves of a distribution: labels in a corner, gaps for empty bins */
    double y_unit;    /* drawn y is y / y_unit; 0 stands for 1 */
    size_t category_count; /* 0: x is a number; else x is a category's index */
    char categories[PLOT_CATEGORIES][40];
    char minor[PLOT_CATEGORIES]; /* categories without a label */
    size_t line_count, mark_count;
    plot_line lines[PLOT_LINES];
    plot_mark marks[PLOT_MARKS]; /* vertical, labelled at the top */
    size_t row_count, cell_count; /* of a map */
    char rows[PLOT_ROWS][40];
    plot_cell cells[PLOT_CELLS];
} plot;

/* Zeroed but for what is given. NULL when memory does not suffice; free() it. */
plot *plot_new(plot_kind kind, const char *heading, const char *x_title, const char *x_column,
               const char *y_title, const char *y_column);
/* Names the CSV: what is not a letter or digit becomes '-'. */
void plot_name(plot *p, const char *what, const char *query, const char *precision);
/* The line of that label, added at need; NULL when there are too many. */
plot_line *plot_line_of(plot *p, const char *label, plot_style style);
/* Adds a point unless the line is full, or has that x already. */
void plot_add(plot_line *line, double x, double y, double low, double high);
/* Index of a category, added at need; -1 when there are too many. */
int plot_category(plot *p, const char *name);
void plot_mark_at(plot *p, double x, const char *label);
/* Sorts every line by x, drops what cannot be drawn (not finite; not positive
 * on a logarithmic axis; a lone point among curves). Returns the number of points left, of a map that of cells. */
size_t plot_finish(plot *p);

/* draw/plot/power_fit.c: fits a power if three points or more are positive. */
void plot_fit_power(plot_line *line);
/* Worth showing: from four points on, and its interval is not wider than its number. */
int plot_fit_tells(const plot_fit *fit);

void plot_csv(const plot *p, text *out);
void plot_script(const plot *p, text *out);

/* draw/plot/plot_map.c: of a map, whose table is its drawing on the page; the script is for papers. */
void plot_map_csv(const plot *p, text *out);
void plot_map_script(const plot *p, text *out);
void plot_map_table(const plot *p, table_files *files, text *page);
/* "3.1×", "tie", "alone" or "": what a cell says next to the name. */
number plot_lead_of(const plot_cell *cell);

#endif
