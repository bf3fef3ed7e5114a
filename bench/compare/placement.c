/* Moves the program's code to fresh pages of memory, and shuffles the pages that allocations get next. */
#include "bench/compare/placement.h"

#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scenes/generate/generate.h"

enum { RANGES_MOST = 64, ENTRIES = 512 };
static const uint64_t present = (uint64_t)1 << 63; /* in an entry of /proc/self/pagemap */

typedef struct range {
    uintptr_t begin, end;
    off_t at; /* in its file */
    int whole;
} range;

typedef struct segments {
    range ranges[RANGES_MOST]; /* the program's own is the first */
    size_t count;
} segments;

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Objects come with the program itself first, whose name is empty. */
static int find_code(struct dl_phdr_info *info, size_t size, void *user)
{
    segments *found = user;
    const uintptr_t page = page_size();
    const int program = found->count == 0, copied = !strncmp(info->dlpi_name, "/proc/", 6);
    (void)size;
    for (int i = 0; i < info->dlpi_phnum && (program || copied) && found->count < RANGES_MOST; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        const uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
        found->ranges[found->count++] = (range){.begin = begin & ~(page - 1),
                                                .end = (begin + segment->p_filesz + page - 1) & ~(page - 1),
                                                .at = (off_t)(segment->p_offset & ~(page - 1)),
                                                .whole = !program};
    }
    return 0;
}

int gjb_code_fresh(void)
{
    segments found = {.count = 0};
    dl_iterate_phdr(find_code, &found);
    const int file = found.count ? open("/proc/self/exe", O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return 0;
    const range *own = &found.ranges[0];
    char page[4096]; /* of another file, if this program is emulated, or another program is there */
    if (pread(file, page, sizeof page, own->at) != sizeof page ||
        memcmp(page, (const char *)own->begin, sizeof page) != 0) {
        close(file);
        return 0;
    }
    const int mapped = mmap((void *)own->begin, own->end - own->begin, PROT_READ | PROT_EXEC,
                            MAP_PRIVATE | MAP_FIXED, file, own->at) != MAP_FAILED;
    close(file);
    return mapped;
}

/* The new pages come one by one, wherever the system has some, as those of a program's file do. */
static size_t move(uintptr_t begin, uintptr_t end)
{
    const size_t bytes = end - begin;
    char *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (copy == MAP_FAILED)
        return 0;
    memcpy(copy, (const char *)begin, bytes);
    if (mprotect(copy, bytes, PROT_READ | PROT_EXEC) == 0 &&
        mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)begin) != MAP_FAILED)
        return bytes;
    munmap(copy, bytes);
    return 0;
}

/* Runs of pages that are there. */
static size_t move_present(int pagemap, const range *code)
{
    const size_t page = page_size();
    uint64_t entries[ENTRIES];
    size_t moved = 0;
    uintptr_t run = 0; /* where one began, or 0 */
    for (uintptr_t at = code->begin; at < code->end;) {
        const size_t left = (code->end - at) / page, count = left < ENTRIES ? left : ENTRIES;
        if (pread(pagemap, entries, count * sizeof *entries, (off_t)(at / page * sizeof *entries)) !=
            (ssize_t)(count * sizeof *entries))
            return moved;
        for (size_t i = 0; i < count; i++, at += page) {
            if (entries[i] & present) {
                run = run ? run : at;
            } else if (run) {
                moved += move(run, at);
                run = 0;
            }
        }
    }
    return moved + (run ? move(run, code->end) : 0);
}

size_t gjb_code_move(void)
{
    segments found = {.count = 0};
    dl_iterate_phdr(find_code, &found);
    const int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    size_t moved = 0;
    for (size_t i = 0; i < found.count; i++) {
        const range *code = &found.ranges[i];
        moved += code->whole || pagemap < 0 ? move(code->begin, code->end) : move_present(pagemap, code);
    }
    if (pagemap >= 0)
        close(pagemap);
    return moved;
}

enum { RESERVE = 4096, GIVEN = 192 }; /* pages */

static char *reserve(void)
{
    static char *all;
    const size_t page = page_size();
    if (all)
        return all;
    char *made = mmap(NULL, RESERVE * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED)
        return NULL;
    madvise(made, RESERVE * page, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < RESERVE; i++)
        made[i * page] = 1;
    return all = made;
}

/* What was given back the last time is filled with what others gave back since; so all pages go round. */
void gjb_shuffle_pages(uint64_t seed)
{
    enum { STREAM_PAGES = 0x62656e05 };
    static uint32_t given[GIVEN];
    const size_t page = page_size();
    gjb_random random = gjb_random_make(seed, STREAM_PAGES, 0);
    char *all = reserve();
    for (size_t i = 0; i < GIVEN && all; i++)
        all[given[i] * page] = 1;
    for (size_t i = 0; i < GIVEN && all; i++) {
        given[i] = gjb_random_below(&random, RESERVE);
        madvise(all + given[i] * page, page, MADV_DONTNEED);
    }
}
