/* Where code and data lie in memory, which is luck: pages are wherever the system had some, and what shares a set of a
 * cache with what is decided there. All of this moves pages to others at the same addresses, while there is one thread.
 * What cannot be moved stays, and works. */
#ifndef GJB_BENCH_PLACEMENT_H
#define GJB_BENCH_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

/* Maps this program's code again from its file, so that pages are there of what runs from now on, and of no more than
 * is around it. 1 if that was done. */
int gjb_code_fresh(void);

/* Copies the code that has run since to other pages: of this program, and all of an object that was loaded from a file
 * without a name (/proc/.../fd/...), as copies for one launch are. Bytes that were moved. */
size_t gjb_code_move(void);

/* Gives pages back that `seed` draws from a reserve (16 MB, kept from the first call on), for what is allocated next: it
 * is elsewhere than it was the last time. */
void gjb_shuffle_pages(uint64_t seed);

#endif
