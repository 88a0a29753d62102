/* limits.c - what a device refuses to launch: threads, blocks, shared memory,
 * and registers where ptxas has counted them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda_driver.h"
#include "machine.h"

#include <stdio.h>

enum {
    MOST_REGISTERS = 64 * 1024, /* of a block, from sm_70 on */
    /* A warp gets registers in such pieces, and warps are put onto the four
     * parts of a multiprocessor, which are taken to be filled equally. */
    REGISTER_PIECE = 256,
    PARTS = 4
};

unsigned ptx_most_shared(unsigned arch)
{
    switch (arch) {
    case 75:
        return 64 * 1024;
    case 80:
    case 87:
        return 163 * 1024;
    case 90:
    case 100:
    case 101:
    case 103:
    case 110:
        return 227 * 1024;
    default:
        return 99 * 1024;
    }
}

static int refuse(const struct ptx_function *f, int error, const char *why)
{
    fprintf(stderr, "ptx machine: kernel %.*s: %s\n", (int)f->name.size,
            f->name.text, why);
    return error;
}

static unsigned round_up(unsigned n, unsigned piece)
{
    return (n + piece - 1) / piece * piece;
}

static int check_registers(const struct ptx_function *f, unsigned threads)
{
    unsigned warps = round_up(threads, PTX_LANES) / PTX_LANES;
    unsigned of_warp = round_up(f->used_registers * PTX_LANES, REGISTER_PIECE);
    unsigned needed = round_up(warps, PARTS) * of_warp;
    char why[100];

    if (needed <= MOST_REGISTERS)
        return CU_OK;
    snprintf(why, sizeof why,
             "%u threads with %u registers need %u, of which there are %d",
             threads, f->used_registers, needed, MOST_REGISTERS);
    return refuse(f, CU_OUT_OF_RESOURCES, why);
}

int ptx_check_limits(const struct ptx_launch *l, size_t most_dynamic)
{
    static const uint32_t most_blocks[] = {0x7fffffff, 65535, 65535};
    static const uint32_t most_threads[] = {1024, 1024, 64};
    const struct ptx_function *f = l->kernel;
    const uint32_t *grid = l->grid, *threads = l->threads;
    uint64_t blocks = 1, n = 1;
    int k;

    for (k = 0; k < 3; ++k) {
        if (!grid[k] || grid[k] > most_blocks[k])
            return refuse(f, CU_INVALID_VALUE, "a grid of this size");
        if (!threads[k] || threads[k] > most_threads[k])
            return refuse(f, CU_INVALID_VALUE, "blocks of this size");
        if (f->threads[0] && threads[k] != (f->threads[k] ? f->threads[k] : 1))
            return refuse(f, CU_INVALID_VALUE,
                          "other threads than .reqntid says");
        n *= threads[k];
        blocks *= grid[k];
    }
    if (n > 1024)
        return refuse(f, CU_INVALID_VALUE, "too many threads");
    if (blocks > UINT32_MAX - 1)
        return refuse(f, CU_INVALID_VALUE,
                      "more blocks than can be executed here");
    if (l->dynamic_bytes > most_dynamic)
        return refuse(f, CU_INVALID_VALUE,
                      "more shared memory than was asked for");
    return check_registers(f, (unsigned)n);
}
