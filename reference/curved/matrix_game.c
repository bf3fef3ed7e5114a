/* Solves a small zero-sum game by the simplex method, its value bounded from below. */
#include "reference/curved/matrix_game.h"

#include <math.h>

enum { COLUMNS = REF_GAME_ROWS + REF_GAME_COLUMNS + 1 };

static ref_real worst(const ref_game *g, const ref_real weight[REF_GAME_COLUMNS])
{
    ref_real least = HUGE_VALL;
    for (uint32_t k = 0; k < g->rows; k++) {
        ref_real sum = 0;
        for (uint32_t j = 0; j < g->columns; j++)
            sum += weight[j] * g->along[k][j];
        least = sum < least ? sum : least;
    }
    return least;
}

/* An entry of the game, shifted and scaled to lie in [1, 2]. */
static ref_real scaled(const ref_game *g, uint32_t k, uint32_t j, ref_real low, ref_real high)
{
    return 1 + (g->along[k][j] - low) / (high - low);
}

/* One step of iterative refinement in long double (Wilkinson 1963) of the basis' numbers and of its dual, the weights,
 * through the inverse that the tableau keeps in its columns from n on. */
static void refine(const ref_game *g, ref_real low, ref_real high, double (*tableau)[COLUMNS], const uint32_t *basis,
                   ref_real number[REF_GAME_COLUMNS], ref_real weight[REF_GAME_COLUMNS])
{
    const uint32_t n = g->rows, m = g->columns;
    ref_real rest[REF_GAME_COLUMNS], over[REF_GAME_COLUMNS]; /* what the equations of either are off by */
    for (uint32_t j = 0; j < m; j++)
        rest[j] = 1;
    for (uint32_t j = 0; j < m; j++) {
        over[j] = basis[j] < n ? 1 : -weight[basis[j] - n];
        if (basis[j] >= n)
            rest[basis[j] - n] -= number[j];
        for (uint32_t i = 0; i < m && basis[j] < n; i++) {
            const ref_real entry = scaled(g, basis[j], i, low, high);
            over[j] -= weight[i] * entry;
            rest[i] -= number[j] * entry;
        }
    }
    for (uint32_t j = 0; j < m; j++)
        for (uint32_t i = 0; i < m; i++) {
            weight[i] += over[j] * tableau[j][n + i];
            number[j] += rest[i] * tableau[j][n + i];
        }
}

/* max sum x with G' x <= 1, G shifted and scaled, x >= 0: starts at x = 0; the weights are its dual. In double, then
 * refined. */
ref_real ref_game_play(const ref_game *g, ref_real low, ref_real high, ref_real mix[REF_GAME_ROWS], ref_real weight[REF_GAME_COLUMNS])
{
    double tableau[REF_GAME_COLUMNS + 1][COLUMNS];
    ref_real number[REF_GAME_COLUMNS], sum = 0;
    const uint32_t n = g->rows, m = g->columns, last = n + m;
    uint32_t basis[REF_GAME_COLUMNS];
    for (uint32_t j = 0; j <= m; j++)
        for (uint32_t c = n; c <= last; c++)
            tableau[j][c] = 0;
    for (uint32_t j = 0; j < m; j++) {
        basis[j] = n + j;
        for (uint32_t k = 0; k < n; k++)
            tableau[j][k] = (double)scaled(g, k, j, low, high);
        tableau[j][n + j] = tableau[j][last] = 1;
    }
    for (uint32_t k = 0; k < n; k++)
        tableau[m][k] = -1;
    for (int pivots = 0; pivots < 16; pivots++) {
        uint32_t enter = 0, leave = m;
        for (uint32_t c = 1; c < last; c++)
            enter = tableau[m][c] < tableau[m][enter] ? c : enter;
        if (!(tableau[m][enter] < -0x1p-48))
            break;
        for (uint32_t j = 0; j < m; j++)
            if (tableau[j][enter] > 0x1p-48 &&
                (leave == m || tableau[j][last] * tableau[leave][enter] < tableau[leave][last] * tableau[j][enter]))
                leave = j;
        if (leave == m)
            break;
        const double pivot = tableau[leave][enter];
        basis[leave] = enter;
        for (uint32_t c = 0; c <= last; c++)
            tableau[leave][c] /= pivot;
        for (uint32_t j = 0; j <= m; j++) {
            const double factor = j == leave ? 0 : tableau[j][enter];
            for (uint32_t c = 0; c <= last && factor != 0; c++)
                tableau[j][c] -= factor * tableau[leave][c];
        }
    }
    for (uint32_t j = 0; j < m; j++) {
        number[j] = tableau[j][last];
        weight[j] = tableau[m][n + j];
    }
    refine(g, low, high, tableau, basis, number, weight);
    for (uint32_t k = 0; k < n; k++)
        mix[k] = 0;
    for (uint32_t j = 0; j < m; j++) {
        weight[j] = weight[j] > 0 ? weight[j] : 0;
        sum += weight[j];
        if (basis[j] < n)
            mix[basis[j]] = number[j] > 0 ? number[j] : 0;
    }
    for (uint32_t j = 0; j < m; j++)
        weight[j] /= sum;
    return sum > 0 ? worst(g, weight) : low;
}

