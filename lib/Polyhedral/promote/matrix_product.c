/* matrix_product.c - the strategy for matrix products and what is like them.
 *
 * A sequential loop inside of two or more parallel ones, with operands that do
 * not depend on all of them.  A thread has a square of points, so that each
 * operand that it takes from shared memory is used several times (thread merge
 * of Yang et al., "A GPGPU compiler for memory optimization and parallelism
 * management", PLDI 2010, section 3.5): as large a square as its registers
 * hold, in vectors of 16 bytes.
 *
 * Measured on an H200 (sgemm of 8192, TFLOP/s; cuBLAS 51): an element for each
 * thread 5.6; tiles of 64 x 64 or 128 x 64 in steps of 16, 16 x 16 threads with
 * conditions 21; 128 x 128 in steps of 8, 8 x 8 points of a thread as four
 * squares, scalar copies 36, with vectors 40.6, with the next tile fetched
 * ahead 46.2 to 48.3 (128 registers); the same in steps of 16, unrolled, 33
 * (168 registers and more).  Which candidate a kernel gets is up to
 * device_model.c.  What this makes of gemm: 47.0, and 40.8 and 34.1 at 4000 and
 * 2000, where cuBLAS has 47.9 and 44.4; in double 14.4 at 2000 x 2300 x 2600.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/device_model.h"
#include "promote/strategy.h"
#include "support/machine.h"

#include <limits.h>
#include <string.h>

enum {
    WORD = 4,             /* bytes of a register */
    OTHER_REGISTERS = 48, /* for addresses, counters and what is on its way: */
                          /* the 128 above less 64 sums and 16 operands */
    LOOP_REGISTERS = 64,  /* the same of each further loop: symm, by ptxas */
    SIDE_THREADS = 16,    /* of a block, in x, and at most in y (above) */
    STEP = 8,             /* of the sequential loop, or twice that (above) */
    MOST_POINTS = 32,     /* of a thread, of all loops of an elimination */
    UNROLLED = 512        /* points and steps of a thread that are one block */
                          /* of code: the 8 x 8 x 8 of the 48.3 above, where */
                          /* 8 x 8 x 16 reached 33 */
};

/* Points of a thread, rows and columns, from the most to the fewest. */
static const unsigned sides[][2] = {{8, 8}, {4, 8}, {4, 4}, {2, 4}, {2, 2}};
enum { N_SIDES = sizeof(sides) / sizeof(*sides) };

/* Is "ref" an operand of a product: read, different from step to step of the
 * innermost loop and along another one, and the same for all points in
 * direction "d"?  What the innermost loop alone decides, like the coefficients
 * of fdtd-apml along its rows, is a vector: a cache has it for all threads, and
 * only the user's sizes put it into a buffer.
 */
static bool is_operand(const struct pg_sizing *sizing,
                       const struct pg_reference *ref, unsigned d)
{
    const struct pg_components *components = sizing->components;
    unsigned n_loop =
        components->component[components->placed[ref->placed].component].n_loop;
    bool depends = false, wide = sizing->given, same = true;

    if (!ref->element || ref->write || n_loop == 0)
        return false;
    for (unsigned e = 0; e < ref->n_dim; e++) {
        depends |= ref->factor[e][ref->n_v - 1] != 0;
        same &= ref->factor[e][d] == 0;
        for (unsigned v = 0; v + 1 < ref->n_v; v++)
            wide |= ref->factor[e][v] != 0;
    }
    return depends && wide && same;
}

/* Has a component of the kernel operands for rows and for columns?  The rest of
 * an elimination has to have its results in registers, too: many points of a
 * thread, each with conditions around loads and stores, take ptxas minutes.
 */
static bool recognise(const struct pg_sizing *sizing)
{
    const struct pg_groups *groups = sizing->groups;
    unsigned n = sizing->components->n_parallel;
    bool x = false, y = false;

    if (sizing->scop->blocks && sizing->registers->n == 0)
        return false;
    for (unsigned r = 0; n >= 2 && r < groups->n_ref; r++) {
        y |= is_operand(sizing, &groups->ref[r], n - 1);
        x |= is_operand(sizing, &groups->ref[r], n - 2);
    }
    return x && y;
}

/* The extents of the product's parallel loops. */
static void describe_loops(const struct pg_sizing *sizing,
                           struct pg_product *product)
{
    unsigned n = sizing->components->n_parallel;

    product->batch = 1;
    for (unsigned d = 0; d < n; d++) {
        long long extent = pg_sizing_extent(sizing, d);

        if (d + 2 >= n)
            product->extent[d + 2 - n] = extent;
        else
            product->batch *= extent < INT_MAX ? extent : 0;
    }
}

/* What the model has to know of a product. */
static struct pg_product describe(const struct pg_sizing *sizing)
{
    const struct pg_components *components = sizing->components;
    struct pg_product product = {.elem_size = sizing->elem_size};
    double elements[2] = {0, 0}, k = 1;

    describe_loops(sizing, &product);
    for (unsigned r = 0; r < sizing->groups->n_ref; r++) {
        const struct pg_reference *ref = &sizing->groups->ref[r];
        const char *type = sizing->scop->arrays[ref->array].type;

        product.is_double |= type && !strcmp(type, "double");
        for (unsigned i = 0; i < 2; i++)
            if (is_operand(sizing, ref, components->n_parallel - 1 - i)) {
                product.operands[i]++;
                elements[i] += (double)product.extent[i];
                k = (double)pg_sizing_extent(sizing, ref->n_v - 1);
            }
    }
    for (unsigned i = 0; i < 2; i++)
        if (product.batch == 0 || product.extent[i] > INT_MAX)
            product.extent[0] = product.extent[1] = 0;
    product.in_cache = product.extent[0] && product.extent[1] && k > 0 &&
                       (elements[0] + elements[1]) * k * product.elem_size <
                           sizing->machine->l2 * 1024.0;
    return product;
}

/* The registers that a thread needs for "tile". */
static unsigned need(const struct pg_sizing *sizing,
                     const struct pg_product_tile *tile)
{
    const struct pg_components *components = sizing->components;
    unsigned n = components->n_parallel, sum = OTHER_REGISTERS, n_loop = 0;
    unsigned y = tile->side[0], x = tile->side[1], copied = 0;

    for (unsigned p = 0; p < components->n; p++)
        if (components->component[p].n_loop && n_loop++)
            sum += LOOP_REGISTERS;
    for (unsigned i = 0; i < sizing->registers->n; i++)
        sum += y * x *
               sizing->scop->arrays[sizing->registers->reg[i].array].elem_size /
               WORD;
    for (unsigned r = 0; r < sizing->groups->n_ref; r++) {
        const struct pg_reference *ref = &sizing->groups->ref[r];
        unsigned words = sizing->scop->arrays[ref->array].elem_size / WORD;

        if (is_operand(sizing, ref, n - 1)) {
            sum += y * words;
            copied += y * tile->threads[0] * words;
        } else if (is_operand(sizing, ref, n - 2)) {
            sum += x * words;
            copied += x * tile->threads[1] * words;
        }
    }
    // What is on its way of a step of the usual length is among the others.
    return sum + copied * (tile->k_tile - STEP) /
                     (tile->threads[0] * tile->threads[1]);
}

/* Is there room for two stages of the boxes of "tile"? */
static bool has_room(const struct pg_machine *machine,
                     const struct pg_product *product,
                     const struct pg_product_tile *tile)
{
    unsigned bytes = 0;

    for (unsigned i = 0; i < 2; i++)
        bytes += product->operands[i] *
                 (tile->side[i] * tile->threads[i] * product->elem_size +
                  PG_VECTOR_BYTES);
    return 2 * tile->k_tile * bytes <= pg_shared_of_block(machine);
}

/* The registers that a thread of a block of the usual size may have. */
static unsigned available(const struct pg_sizing *sizing)
{
    const struct pg_machine *machine = sizing->machine;
    unsigned most = machine->registers / (SIDE_THREADS * SIDE_THREADS);

    most = most < machine->thread_registers ? most : machine->thread_registers;
    // An estimate that nobody checks has to be on the safe side.
    return sizing->measured ? most : most - most / 4;
}

/* The fastest tile with "side" points of a thread in "*best"; how long it
 * takes, 0 if registers do not hold any and it is not the "last" that there is.
 */
static double fastest_tile(const struct pg_sizing *sizing,
                           const struct pg_product *product,
                           const unsigned *side, bool last,
                           struct pg_product_tile *best)
{
    static const unsigned rows[] = {SIDE_THREADS, SIDE_THREADS / 2};
    unsigned most = available(sizing);
    double least = 0;

    for (unsigned i = sizing->narrow; i < sizeof(rows) / sizeof(*rows); i++)
        for (unsigned k = STEP; k <= 2 * STEP; k *= 2) {
            struct pg_product_tile tile = {.threads = {rows[i], SIDE_THREADS},
                                           .side = {side[0], side[1]},
                                           .k_tile = k,
                                           .vector_bytes = PG_VECTOR_BYTES};
            double time;

            tile.registers = need(sizing, &tile);
            if ((tile.registers > most && !(last && least == 0)) ||
                (k > STEP && (side[0] * side[1] * k > UNROLLED ||
                              !has_room(sizing->machine, product, &tile))))
                continue;
            time = pg_device_product(sizing->machine, product, &tile);
            if (least == 0 || time < least) {
                *best = tile;
                least = time;
            }
        }
    return least;
}

/* The blocks of "tile" that shall be on a multiprocessor. */
static unsigned blocks_of(const struct pg_sizing *sizing,
                          const struct pg_product_tile *tile)
{
    unsigned blocks = pg_device_blocks(sizing->machine, tile);
    unsigned most =
        2 * SIDE_THREADS * SIDE_THREADS / (tile->threads[0] * tile->threads[1]);

    // Only ptxas knows whether registers do for several blocks.
    if (!sizing->measured)
        return 1;
    return blocks < most ? blocks : most;
}

/* "start" with the sizes of "tile". */
static struct pg_tile_sizes sizes_of(const struct pg_sizing *sizing,
                                     const struct pg_tile_sizes *start,
                                     const struct pg_product_tile *tile)
{
    struct pg_tile_sizes sizes = *start;

    for (unsigned i = 0; i < 2; i++) {
        unsigned d = sizes.n - 2 + i;

        sizes.threads[d] = tile->threads[i];
        sizes.vector[d] = pg_vector_of(sizing->elem_size, tile->side[i]);
        sizes.tile[d] = (long long)tile->threads[i] * tile->side[i];
    }
    sizes.k_tile = tile->k_tile;
    sizes.blocks = blocks_of(sizing, tile);
    return sizes;
}

/* Is the code of "side" points of a thread too long for the rest of an
 * elimination, or of Floyd and Warshall's steps?  Those are several loops, each
 * for full tiles and for others with conditions.  LU's two have 167 registers
 * with 4 x 8 points, 255 with 8 x 8, and ptxas takes 2 s longer for Cholesky's
 * one with 8 x 8; of Floyd and Warshall's four kernels the compilation takes
 * twice to three times as long.
 */
static bool is_too_much(const struct pg_sizing *sizing, const unsigned *side)
{
    const struct pg_components *components = sizing->components;
    unsigned n = 0;

    for (unsigned p = 0; p < components->n; p++)
        n += components->component[p].n_loop > 0;
    return pg_scop_has_panels(sizing->scop) &&
           n * side[0] * side[1] > MOST_POINTS;
}

/* The fastest tile for each square of points that registers hold. */
static void candidates(const struct pg_sizing *sizing,
                       const struct pg_tile_sizes *start,
                       struct pg_candidates *list)
{
    struct pg_product product = describe(sizing);

    list->known = product.extent[0] && product.extent[1];
    for (unsigned i = N_SIDES; i-- > 0;) {
        struct pg_product_tile tile;
        struct pg_tile_sizes sizes;
        double time;

        if (i + 1 < N_SIDES && is_too_much(sizing, sides[i]))
            continue;
        time =
            fastest_tile(sizing, &product, sides[i], i + 1 == N_SIDES, &tile);

        if (time == 0) {
            list->cut = true;
            break;
        }
        sizes = sizes_of(sizing, start, &tile);
        if (pg_sizing_is_long(sizing, &sizes)) {
            list->cut = true;
            break;
        }
        pg_candidates_add(list, &sizes, time);
    }
}

const struct pg_strategy pg_matrix_product = {.name = "matrix product",
                                              .recognise = recognise,
                                              .candidates = candidates,
                                              .computes_long = true,
                                              .takes_vectors = true,
                                              .can_shrink = true};
