/* Code still runs after it was moved to other pages, and later allocations get other pages. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/compare/placement.h"

enum { PAGES = 64, ROUNDS = 8 };

__attribute__((noinline)) static int answer(volatile int *from)
{
    return *from * 6;
}

/* Number of the page of memory that holds `address`; 0 if the system does not say, or there is none. */
static uint64_t frame_of(const void *address)
{
    const int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    uint64_t entry = 0;
    if (pagemap >= 0 &&
        pread(pagemap, &entry, sizeof entry,
              (off_t)((uintptr_t)address / (uintptr_t)sysconf(_SC_PAGESIZE) * sizeof entry)) != sizeof entry)
        entry = 0;
    if (pagemap >= 0)
        close(pagemap);
    return entry & (((uint64_t)1 << 55) - 1);
}

/* Whether the mapping that `address` lies in is that of a file. */
static int from_file(uintptr_t address)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], path[256];
    int found = 0;
    cr_assert_not_null(maps);
    while (fgets(line, sizeof line, maps)) {
        unsigned long long begin, end;
        const int words = sscanf(line, "%llx-%llx %*s %*s %*s %*s %255s", &begin, &end, path);
        if (words >= 2 && address >= begin && address < end)
            found = words == 3 && path[0] == '/';
    }
    fclose(maps);
    return found;
}

Test(placement, code_moves_and_runs_on)
{
    const uintptr_t code = (uintptr_t)answer;
    volatile int seven = 7;
    cr_assert_eq(gjb_code_fresh(), 1);
    cr_expect(from_file(code));
    cr_assert_eq(answer(&seven), 42);
    const uint64_t before = frame_of((const void *)code);
    const size_t moved = gjb_code_move();
    cr_expect(moved >= (size_t)sysconf(_SC_PAGESIZE));
    cr_expect_not(from_file(code), "it is a copy of the file's page");
    cr_assert_eq(answer(&seven), 42);
    if (before)
        cr_expect_neq(frame_of((const void *)code), before);
    cr_expect_geq(gjb_code_move(), moved, "what moved once moves again");
    cr_assert_eq(answer(&seven), 42);
    cr_assert_eq(gjb_code_fresh(), 1);
    cr_expect(from_file(code), "and comes back");
    cr_assert_eq(answer(&seven), 42);
}

/* How many of a few pages were among those of the last time, over all rounds. */
static int pages_again(int shuffled)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint64_t last[PAGES] = {0}, now[PAGES];
    int again = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (shuffled)
            gjb_shuffle_pages((uint64_t)round);
        char *some = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        cr_assert(some != MAP_FAILED);
        for (int i = 0; i < PAGES; i++) {
            now[i] = frame_of(some + (size_t)i * page);
            for (int k = 0; k < PAGES; k++)
                again += now[i] == last[k];
        }
        memcpy(last, now, sizeof last);
        munmap(some, PAGES * page);
    }
    return again;
}

Test(placement, what_is_allocated_next_is_elsewhere)
{
    int here = 0;
    if (!frame_of(&here))
        cr_skip_test("which pages of memory a process has is not told to this user");
    const int as_is = pages_again(0), shuffled = pages_again(1);
    cr_expect(shuffled < PAGES * ROUNDS / 8, "%d of %d pages are the same again; %d are without", shuffled,
              PAGES * ROUNDS, as_is);
    cr_log_info("%d of %d pages are the same again, %d with others in between", as_is, PAGES * ROUNDS,
                shuffled);
}
