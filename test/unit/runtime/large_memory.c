/* large_memory.c - malloc and free of a test whose runtime allocates much and
 * writes nothing into it.
 *
 * Large memory is mapped and unmapped, since AddressSanitizer's free writes an
 * eighth of what it is given.  What is freed is gone, and may not be freed
 * again.  To be linked with --wrap=malloc,--wrap=free; not for several threads.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"

#include <sys/mman.h>

enum { LARGE = 1 << 16, MOST_BLOCKS = 16 };
static struct {
    void *memory;
    size_t size;
} blocks[MOST_BLOCKS];

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    int i = 0;

    if (size < LARGE)
        return __real_malloc(size);
    while (blocks[i].memory)
        CHECK(++i < MOST_BLOCKS);
    blocks[i].memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(blocks[i].memory != MAP_FAILED);
    blocks[i].size = size;
    return blocks[i].memory;
}

void __real_free(void *memory);
void __wrap_free(void *memory);
void __wrap_free(void *memory)
{
    int i;

    for (i = 0; memory && i < MOST_BLOCKS; ++i)
        if (blocks[i].memory == memory) {
            CHECK(munmap(memory, blocks[i].size) == 0);
            blocks[i].memory = NULL;
            return;
        }
    __real_free(memory);
}
