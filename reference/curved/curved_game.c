/* Solves a small zero-sum game by the simplex method, its value bounded from below. */
#include "reference/curved/curved_game.h"

#include <math.h>

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

/* max sum x with G' x <= 1, G shifted and scaled to lie in [1, 2], x >= 0: starts at x = 0; the weights are its dual. */
ref_real ref_game_play(const ref_game *g, ref_real low, ref_real high, ref_real mix[REF_GAME_ROWS], ref_real weight[REF_GAME_COLUMNS])
{
    enum { COLUMNS = REF_GAME_ROWS + REF_GAME_COLUMNS + 1 };
    ref_real tableau[REF_GAME_COLUMNS + 1][COLUMNS];
    ref_real sum = 0;
    const uint32_t n = g->rows, m = g->columns, last = n + m;
    uint32_t basis[REF_GAME_COLUMNS];
    for (uint32_t j = 0; j <= m; j++) {
        for (uint32_t c = n; c <= last; c++)
            tableau[j][c] = 0;
    }
    for (uint32_t j = 0; j < m; j++) {
        basis[j] = n + j;
        for (uint32_t k = 0; k < n; k++)
            tableau[j][k] = 1 + (g->along[k][j] - low) / (high - low);
        tableau[j][n + j] = tableau[j][last] = 1;
    }
    for (uint32_t k = 0; k < n; k++)
        tableau[m][k] = -1;
    for (int pivots = 0; pivots < 16; pivots++) {
        uint32_t enter = 0, leave = m;
        for (uint32_t c = 1; c < last; c++)
            enter = tableau[m][c] < tableau[m][enter] ? c : enter;
        if (!(tableau[m][enter] < -0x1p-58L))
            break;
        for (uint32_t j = 0; j < m; j++) {
            if (tableau[j][enter] > 0x1p-58L &&
                (leave == m || tableau[j][last] * tableau[leave][enter] < tableau[leave][last] * tableau[j][enter]))
                leave = j;
        }
        if (leave == m)
            break;
        const ref_real pivot = tableau[leave][enter];
        basis[leave] = enter;
        for (uint32_t c = 0; c <= last; c++)
            tableau[leave][c] /= pivot;
        for (uint32_t j = 0; j <= m; j++) {
            const ref_real factor = j == leave ? 0 : tableau[j][enter];
            for (uint32_t c = 0; c <= last && factor != 0; c++)
                tableau[j][c] -= factor * tableau[leave][c];
        }
    }
    for (uint32_t k = 0; k < n; k++)
        mix[k] = 0;
    for (uint32_t j = 0; j < m; j++) {
        weight[j] = tableau[m][n + j] > 0 ? tableau[m][n + j] : 0;
        sum += weight[j];
        if (basis[j] < n)
            mix[basis[j]] = tableau[j][last] > 0 ? tableau[j][last] : 0;
    }
    for (uint32_t j = 0; j < m; j++)
        weight[j] /= sum;
    return sum > 0 ? worst(g, weight) : low;
}

