/* device_model.c - how long the tiles of a kernel take.
 *
 * A multiprocessor is taken as four pipes that work side by side: arithmetic,
 * shared memory, what comes from the L2 cache, and what comes from the device's
 * memory.  A step of a tile takes as long as the busiest of them; of what the
 * others do, the more is hidden the more warps there are.  The constants are
 * those with which the model ranks the hand-written kernels of
 * test_device_model.c as an H200 did; it is off by up to 45 percent there, and
 * only meant to compare.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/device_model.h"
#include "polygpu/machine.h"

enum {
    SHARED_BYTES = 128, /* of a multiprocessor in a clock */
    L2_BYTES = 64,      /* the same, from the L2 cache */
    BANK_BYTES = 4,     /* of a lane in one pass to shared memory */
    SCHEDULERS = 4,     /* of a multiprocessor */
    BARRIER = 40,       /* clocks */
    LATENCY_NS = 1000   /* of the device's memory while it is busy */
};

/* What is not hidden with one warp for each scheduler, of all that could be. */
static const double exposed = 1.2;

static double largest(double a, double b)
{
    return a > b ? a : b;
}

/* Bytes that a multiprocessor gets from the device's memory in a nanosecond. */
static double fair_bandwidth(const struct pg_machine *machine)
{
    return (double)machine->bandwidth / machine->multiprocessors;
}

/* How many blocks of "tile" a multiprocessor holds by registers, threads and
 * places; at least one.
 */
unsigned pg_device_blocks(const struct pg_machine *machine,
                          const struct pg_product_tile *tile)
{
    unsigned threads = tile->threads[0] * tile->threads[1];
    unsigned most = machine->threads / threads;

    if (tile->registers &&
        machine->registers / (threads * tile->registers) < most)
        most = machine->registers / (threads * tile->registers);
    if (machine->blocks < most)
        most = machine->blocks;
    return most > 0 ? most : 1;
}

/* The clocks that a multiprocessor with "blocks" of them needs for one step of
 * one tile.
 */
static double step_clocks(const struct pg_machine *machine,
                          const struct pg_product *product,
                          const struct pg_product_tile *tile, unsigned blocks)
{
    double threads = (double)tile->threads[0] * tile->threads[1];
    double warps = threads / machine->warp, k = tile->k_tile;
    double points = (double)tile->side[0] * tile->side[1];
    double operands = (double)product->operands[0] * tile->side[0] +
                      (double)product->operands[1] * tile->side[1];
    double pairs = largest(product->operands[0], product->operands[1]);
    double rate = product->is_double ? machine->fma_double : machine->fma_float;
    double passes = largest(1, (double)tile->vector_bytes / BANK_BYTES);
    double y = (double)product->operands[0] * tile->side[0] * tile->threads[0];
    double x = (double)product->operands[1] * tile->side[1] * tile->threads[1];
    double arithmetic = threads * k * points * pairs / rate;
    double bytes = (y + x) * k * product->elem_size;
    double shared = warps * k * operands * product->elem_size /
                        tile->vector_bytes * passes +
                    bytes / SHARED_BYTES;
    double clock = machine->clock / 1000.0; /* in a nanosecond */
    // Blocks that run at a time are of one row: they share what that reads.
    double memory = product->in_cache ? 0
                                      : x * k * product->elem_size * clock /
                                            fair_bandwidth(machine);
    double busiest =
        largest(largest(arithmetic, shared), largest(bytes / L2_BYTES, memory));
    double sum = arithmetic + shared + bytes / L2_BYTES + memory;
    double left = exposed * SCHEDULERS / (blocks * warps);

    return busiest + (sum - busiest) * (left < 1 ? left : 1) +
           (double)BARRIER / blocks;
}

/* The clocks for each point and step, of all multiprocessors together, until
 * the last one is done.
 */
double pg_device_product(const struct pg_machine *machine,
                         const struct pg_product *product,
                         const struct pg_product_tile *tile)
{
    double rows = (double)tile->side[0] * tile->threads[0];
    double columns = (double)tile->side[1] * tile->threads[1];
    unsigned blocks = pg_device_blocks(machine, tile);
    long long n, at_once, rounds;

    if (product->extent[0] == 0 || product->extent[1] == 0)
        return step_clocks(machine, product, tile, blocks) /
               (rows * columns * tile->k_tile);
    n = product->batch *
        ((product->extent[0] + (long long)rows - 1) / (long long)rows) *
        ((product->extent[1] + (long long)columns - 1) / (long long)columns);
    // Tiles are spread over the multiprocessors before any gets a second one.
    at_once = (n + machine->multiprocessors - 1) / machine->multiprocessors;
    if (at_once < blocks)
        blocks = (unsigned)at_once;
    rounds = (n + (long long)blocks * machine->multiprocessors - 1) /
             ((long long)blocks * machine->multiprocessors);
    return (double)rounds * blocks *
           step_clocks(machine, product, tile, blocks) / tile->k_tile *
           machine->multiprocessors /
           ((double)product->extent[0] * (double)product->extent[1] *
            (double)product->batch);
}

/* The number of boxes of "bytes" in shared memory, one of them in use, that
 * keeps the device's memory busy if a multiprocessor has one block (Little's
 * law: what is on its way is bandwidth times latency).
 */
unsigned pg_device_stages(const struct pg_machine *machine, unsigned long bytes)
{
    double on_its_way = fair_bandwidth(machine) * LATENCY_NS;

    return 2 + (unsigned)(on_its_way / (double)bytes);
}
