#include "bench/placement.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/generate.h"

#define HUGE ((uintptr_t)2 << 20)

typedef struct range {
    uintptr_t begin, end;
} range;

/* Of the first object, which is the program itself. */
static int find_code(struct dl_phdr_info *info, size_t size, void *user)
{
    range *code = user;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        code->begin = (info->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        code->end = (info->dlpi_addr + segment->p_vaddr + segment->p_memsz + page - 1) & ~(page - 1);
    }
    return 1;
}

int gjb_code_to_one_piece(void)
{
    range code = {0, 0};
    dl_iterate_phdr(find_code, &code);
    const size_t bytes = code.end - code.begin, room = (bytes + HUGE - 1) / HUGE * HUGE + HUGE;
    if (!bytes)
        return 0;
    char *whole = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED)
        return 0;
    char *aligned = (char *)(((uintptr_t)whole + HUGE - 1) & ~(HUGE - 1));
    madvise(aligned, room - HUGE, MADV_HUGEPAGE); /* where it is refused, pages are as scattered as before */
    memcpy(aligned, (const char *)code.begin, bytes);
    const int moved =
        mprotect(aligned, bytes, PROT_READ | PROT_EXEC) == 0 &&
        mremap(aligned, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)code.begin) != MAP_FAILED;
    munmap(whole, room);
    return moved;
}

void gjb_shuffle_pages(uint64_t seed, size_t bytes)
{
    enum { STREAM_PAGES = 0x62656e05 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    gjb_random random = gjb_random_make(seed, STREAM_PAGES, 0);
    const size_t pages = gjb_random_below(&random, (uint32_t)(bytes / page)) + 1;
    char *all = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return;
    for (size_t i = 0; i < pages; i++)
        all[i * page] = 1;
    for (size_t i = 0; i < pages; i++) /* one by one, so that the last given back are anywhere */
        madvise(all + gjb_random_below(&random, (uint32_t)pages) * page, page, MADV_DONTNEED);
    munmap(all, pages * page);
}
