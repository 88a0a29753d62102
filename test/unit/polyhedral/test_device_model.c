/* test_device_model.c - the model of tiles against what was measured.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/machine.h"
#include "promote/device_model.h"
#include "verify/interpreter.h"

#include <polygpu/machine.h>

#include <math.h>
#include <stdio.h>

static unsigned failures;

static void expect(bool ok, const char *what, double figure)
{
    if (ok)
        return;
    printf("FAIL %s: %g\n", what, figure);
    failures++;
}

/* A product of one operand on each side. */
static struct pg_product product_of(bool is_double, long long n)
{
    struct pg_product product = {.extent = {n, n},
                                 .batch = 1,
                                 .operands = {1, 1},
                                 .elem_size = is_double ? 8 : 4,
                                 .is_double = is_double};

    return product;
}

/* 10^12 operations in a second that the model expects. */
static double speed(const struct pg_machine *machine,
                    const struct pg_product *product,
                    const struct pg_product_tile *tile)
{
    double clocks = pg_device_product(machine, product, tile);

    return 2.0 * machine->multiprocessors * machine->clock * 1e6 / clocks /
           1e12 / (product->extent[0] ? machine->multiprocessors : 1);
}

/* Hand-written kernels on an H200 (../shared/design.md of the project's
 * workplace), n = 8192 for float: the same order, and not too far off.
 */
static void check_measured(void)
{
    static const struct {
        struct pg_product_tile tile;
        bool is_double;
        double measured;
    } rows[] = {
        {{{32, 16}, {1, 2}, 32, 4, 32}, false, 7.1},
        {{{16, 16}, {4, 4}, 16, 4, 64}, false, 21},
        {{{16, 16}, {8, 8}, 16, 16, 168}, false, 33},
        {{{16, 16}, {8, 8}, 8, 16, 128}, false, 48.3},
        {{{16, 16}, {4, 8}, 8, 16, 168}, true, 16.8},
    };
    const struct pg_machine *machine = pg_machine_find(90);
    double last = 0;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct pg_product product = product_of(rows[i].is_double, 0);
        double expected = speed(machine, &product, &rows[i].tile);

        printf("measured %5.1f, expected %5.1f TFLOP/s\n", rows[i].measured,
               expected);
        expect(fabs(log(expected / rows[i].measured)) < log(1.5),
               "too far from what was measured", expected);
        expect(rows[i].is_double || expected > last,
               "not faster than the one before", expected);
        last = expected;
    }
}

/* The tile of 16 x 16 threads, of some that differ in the points of a thread,
 * that the model prefers.
 */
static unsigned best_side(const struct pg_machine *machine,
                          const struct pg_product *product)
{
    double least = 0;
    unsigned best = 0;

    for (unsigned side = 2; side <= 8; side *= 2) {
        struct pg_product_tile tile = {.threads = {16, 16},
                                       .side = {side, side},
                                       .k_tile = 8,
                                       .vector_bytes = 16};
        double time;

        tile.registers = 48 + (side * side + 2 * side) * product->elem_size / 4;
        time = pg_device_product(machine, product, &tile);
        if (best == 0 || time < least) {
            best = side;
            least = time;
        }
    }
    return best;
}

/* Tiles get smaller where there would be too few of them. */
static void check_sizes(void)
{
    const struct pg_machine *machine = pg_machine_find(90);
    struct pg_machine small = *machine;
    struct pg_product product;

    product = product_of(false, 0);
    expect(best_side(machine, &product) == 8, "any size", 0);
    product = product_of(false, 8192);
    expect(best_side(machine, &product) == 8, "8192", 0);
    product = product_of(false, 256);
    expect(best_side(machine, &product) == 2, "256", 0);
    product.batch = 256;
    expect(best_side(machine, &product) == 8, "256 products of 256", 0);
    small.multiprocessors = 1;
    product.batch = 1;
    expect(best_side(&small, &product) == 8, "256, one multiprocessor", 0);
}

/* What is faster does not make a kernel slower; what is not in its way changes
 * nothing.
 */
static void check_monotonous(void)
{
    for (unsigned arch = 75; arch <= 120; arch += 5) {
        const struct pg_machine *machine = pg_machine_find(arch);
        struct pg_product product = product_of(arch % 2 == 0, 0);
        struct pg_product_tile tile = {.threads = {16, 16},
                                       .side = {4, 4},
                                       .k_tile = 8,
                                       .vector_bytes = 16,
                                       .registers = 80};
        double time = pg_device_product(machine, &product, &tile);
        struct pg_machine other = *machine;

        expect(time > 0 && time < 100, "clocks", time);
        other.bandwidth *= 2;
        expect(pg_device_product(&other, &product, &tile) < time, "bandwidth",
               time);
        product.in_cache = true;
        expect(pg_device_product(machine, &product, &tile) < time, "cache",
               time);
        expect(pg_device_product(&other, &product, &tile) ==
                   pg_device_product(machine, &product, &tile),
               "bandwidth that is not needed", time);
        product.in_cache = false;
        other = *machine;
        other.fma_float *= 2;
        other.fma_double *= 2;
        expect(pg_device_product(&other, &product, &tile) < time, "arithmetic",
               time);
        tile.registers = 160;
        expect(pg_device_product(machine, &product, &tile) >= time, "registers",
               time);
    }
}

/* Blocks by each limit in turn. */
static void check_blocks(void)
{
    struct pg_machine machine = *pg_machine_find(90);
    struct pg_product_tile tile = {.threads = {16, 16}, .registers = 128};

    expect(pg_device_blocks(&machine, &tile) == 2, "registers", 0);
    tile.registers = 129;
    expect(pg_device_blocks(&machine, &tile) == 1, "more registers", 0);
    tile.registers = 300;
    expect(pg_device_blocks(&machine, &tile) == 1, "too many registers", 0);
    tile.registers = 16;
    expect(pg_device_blocks(&machine, &tile) == 8, "threads", 0);
    machine.blocks = 5;
    expect(pg_device_blocks(&machine, &tile) == 5, "places", 0);
}

/* The study of matrix-vector products had 4 stages of 16 KiB on an H200; less
 * bandwidth needs fewer, and smaller boxes more.
 */
static void check_stages(void)
{
    const struct pg_machine *machine = pg_machine_find(90);

    expect(pg_device_stages(machine, 16384) == 4, "H200",
           pg_device_stages(machine, 16384));
    expect(pg_device_stages(machine, 4096) == 10, "small boxes",
           pg_device_stages(machine, 4096));
    expect(pg_device_stages(pg_machine_find(86), 16384) == 2, "RTX A6000",
           pg_device_stages(pg_machine_find(86), 16384));
}

int main(void)
{
    check_measured();
    check_sizes();
    check_monotonous();
    check_blocks();
    check_stages();
    printf("%u failures\n", failures);
    return failures != 0;
}
