/* Where code lies in memory, which is luck: a program's pages are wherever its file was read to, and what shares a set
 * of a cache with what is decided there. */
#ifndef GJB_BENCH_PLACEMENT_H
#define GJB_BENCH_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

/* Moves this program's own code, at the addresses that it has, to memory that is in one piece where the system gives
 * some (huge pages), as Intel's and Google's loaders do for speed: from then on its pages follow each other. 1 where
 * that was done; else all stays as it was. While there is one thread. Again, and it is
 * another piece. */
int gjb_code_to_one_piece(void);

/* Takes pages in an order that `seed` draws, up to `bytes` of them, and gives them back in another: what is allocated
 * next is elsewhere than it was the last time. */
void gjb_shuffle_pages(uint64_t seed, size_t bytes);

#endif
