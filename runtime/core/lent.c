/* lent.c - see lent.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/lent.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* Parts begin at pages: a thread that touches one first has it near. */
enum { PAGE = 4096 };

/* What is kept between runs has at most so many bytes. */
#define KEPT_MOST (UINT64_C(256) << 20)

struct polygpu_lent {
    uint64_t size; /* of the parts together */
    uint64_t each;
    int threads;
};

/* The block that nobody uses, or NULL. */
static struct polygpu_lent *kept;

static struct polygpu_lent *exchange(struct polygpu_lent *block)
{
    return __atomic_exchange_n(&kept, block, __ATOMIC_ACQ_REL);
}

__attribute__((destructor)) static void free_kept(void)
{
    free(exchange(NULL));
}

/* An eighth of the machine's memory. */
static uint64_t most_of_all(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 8
                                 : POLYGPU_LENT_MOST;
}

struct polygpu_lent *polygpu_lend(int threads, uint64_t bytes, const char **why)
{
    struct polygpu_lent *block = NULL;
    uint64_t each, size;
    void *memory;

    if (bytes > POLYGPU_LENT_MOST) {
        *why = "each thread would need more than 64 MiB for what an iteration "
               "sets anew";
        return NULL;
    }
    each = (bytes + PAGE - 1) / PAGE * PAGE;
    size = each * (uint64_t)threads;
    if (size > most_of_all()) {
        *why = "all threads would need more than an eighth of the memory for "
               "what an iteration sets anew; set OMP_NUM_THREADS";
        return NULL;
    }
    block = exchange(NULL);
    if (block && block->size < size) {
        free(block);
        block = NULL;
    }
    if (!block) {
        if (posix_memalign(&memory, PAGE, PAGE + size)) {
            *why = "there is no memory for what an iteration sets anew";
            return NULL;
        }
        block = memory;
        block->size = size;
    }
    block->each = each;
    block->threads = threads;
    return block;
}

void *polygpu_lent_to(const struct polygpu_lent *block, int thread)
{
    if (!block || thread >= block->threads)
        return NULL;
    return (char *)block + PAGE + (uint64_t)thread * block->each;
}

void polygpu_give_back(struct polygpu_lent *block)
{
    if (block && block->size > KEPT_MOST)
        free(block);
    else if (block)
        free(exchange(block));
}
