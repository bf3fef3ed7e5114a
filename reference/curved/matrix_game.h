/* Inside the reference room: a zero-sum game of a few rows and columns, by which a combination of points is chosen. */
#ifndef REF_MATRIX_GAME_H
#define REF_MATRIX_GAME_H

#include "reference/motion/moving_pair.h"

enum { REF_GAME_ROWS = 8, REF_GAME_COLUMNS = 7 };

/* `along[k][j]`: what column j comes to against row k. */
typedef struct ref_game {
    ref_real along[REF_GAME_ROWS][REF_GAME_COLUMNS];
    uint32_t rows, columns;
} ref_game;

/* The value, from below, of the game whose numbers are from `low` to `high`, low < high: what the weights of the columns
 * come to against the worst row, at least. A linear program (von Neumann) by the simplex method (Dantzig 1951) in double,
 * refined once; how well it is solved is judged in long double. `mix` is the answer of the rows to it. Both are >= 0; the
 * weights sum up to 1, the mix is not scaled. */
ref_real ref_game_play(const ref_game *game, ref_real low, ref_real high, ref_real mix[REF_GAME_ROWS],
                       ref_real weight[REF_GAME_COLUMNS]);

#endif
