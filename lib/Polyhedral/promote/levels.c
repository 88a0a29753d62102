/* levels.c - how large the tiles of blocks and threads are.
 *
 * Three kinds of kernels have something to gain:
 *
 *   products    a sequential loop inside of two or more parallel ones, with
 *               operands that do not depend on all of them.  A thread has a
 *               square of points, so that each operand that it takes from
 *               shared memory is used several times (thread merge of Yang et
 *               al., "A GPGPU compiler for memory optimization and parallelism
 *               management", PLDI 2010, section 3.5): as large a square as its
 *               registers hold, in vectors of 16 bytes
 *   few points  a sequential loop inside of one parallel one: the block has
 *               more threads than points, and all of them copy
 *   sweeps      no sequential loop: neighbours share what they read, a read is
 *               not coalesced, or vectors in both directions are read, as by a
 *               sum of outer products: then a thread has points of several
 *               rows and columns, without any shared memory
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/levels.h"
#include "map/machine.h"
#include "map/sizes.h"
#include "polygpu/machine.h"
#include "polygpu/polyhedral.h"
#include "promote/groups.h"
#include "promote/model.h"
#include "promote/parts.h"
#include "promote/registers.h"
#include "promote/tiles.h"

#include <isl/ilp.h>
#include <isl/val.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    GRID_LIMIT = 32768,
    VECTOR_BYTES = 16,
    WORD = 4,             /* bytes of a register */
    OTHER_REGISTERS = 48, /* for addresses, counters and what is on its way */
    LOOP_REGISTERS = 64, /* the same of each further loop; measured with symm */
    SIDE_THREADS = 16,   /* of a product's block, in x, and at most in y */
    PRODUCT_STEP = 8,    /* k_tile of a product, or twice that */
    UNROLLED = 512,  /* points and steps of a thread that are one block of */
                     /* code; twice as many were much slower */
    FEW_POINTS = 32, /* of a block, one for each lane of a warp */
    FEW_BYTES = 16 * 1024, /* that are copied at a time */
    FEW_MORE = 8,          /* warps that copy, for one that computes */
    FEW_BLOCKS = 3,        /* on a multiprocessor */
    SWEEP_BLOCKS = 8,      /* the same: while some copy, others compute */
    SAFE_BLOCKS = 4,       /* where nobody looks whether registers do */
    MOST_STAGES = 8,
    ASYNC_ARCH = 80,          /* the first one with asynchronous copies */
    STATIC_SHARED = 48 * 1024 /* bytes of a block that need no permission */
};

static const long very_many = 1L << 40; /* iterations of a loop */

/* Is "ref" an operand of a product: read, different from step to step of the
 * innermost loop, and the same for all points in direction "d"?
 */
static bool is_operand(const struct pg_parts *parts,
                       const struct pg_reference *ref, unsigned d)
{
    unsigned n_loop = parts->part[parts->placed[ref->placed].part].n_loop;
    bool depends = false, same = true;

    if (!ref->element || ref->write || n_loop == 0)
        return false;
    for (unsigned e = 0; e < ref->n_dim; e++) {
        depends |= ref->factor[e][ref->n_v - 1] != 0;
        same &= ref->factor[e][d] == 0;
    }
    return depends && same;
}

/* Is a part of the kernel a product? */
static bool is_product(const struct pg_parts *parts,
                       const struct pg_groups *groups)
{
    unsigned n = parts->n_parallel;
    bool x = false, y = false;

    for (unsigned r = 0; n >= 2 && r < groups->n_ref; r++) {
        y |= is_operand(parts, &groups->ref[r], n - 1);
        x |= is_operand(parts, &groups->ref[r], n - 2);
    }
    return x && y;
}

/* Has a part a sequential loop? */
static bool has_loop(const struct pg_parts *parts)
{
    for (unsigned p = 0; p < parts->n; p++)
        if (parts->part[p].n_loop)
            return true;
    return false;
}

/* The largest element of an array in the kernel, in bytes. */
static unsigned largest_element(const struct pg_groups *groups,
                                const struct pg_scop *scop)
{
    unsigned most = 1;

    for (unsigned r = 0; r < groups->n_ref; r++) {
        unsigned size = scop->arrays[groups->ref[r].array].elem_size;

        most = size > most ? size : most;
    }
    return most;
}

/* The points next to each other of "n" of a thread. */
static long long vector_of(unsigned elem_size, long long n)
{
    long long most = elem_size < VECTOR_BYTES ? VECTOR_BYTES / elem_size : 1;

    while (most > 1 && n % most)
        most /= 2;
    return most;
}

/* The number of values from "low" to "high" (both taken), 0 if they are no
 * numbers, or very many.
 */
static long long values_between(__isl_take isl_val *low,
                                __isl_take isl_val *high)
{
    isl_val *n = isl_val_add_ui(isl_val_sub(high, low), 1);
    long long result = 0;

    if (isl_val_is_int(n) == isl_bool_true && isl_val_cmp_si(n, very_many) < 0)
        result = isl_val_get_num_si(n);
    isl_val_free(n);
    return result;
}

/* The number of values of dimension "d" of the parts' points, 0 if it depends
 * on parameters.
 */
static long long extent_of(const struct pg_parts *parts, unsigned d)
{
    long long extent = 0;

    for (unsigned i = 0; i < parts->n_placed; i++) {
        const struct pg_placed *placed = &parts->placed[i];
        isl_set *values = isl_set_apply(isl_set_copy(placed->domain),
                                        isl_map_copy(placed->point));
        isl_val *low;
        long long n;

        if (isl_set_dim(values, isl_dim_set) <= (isl_size)d) {
            isl_set_free(values); // has fewer sequential loops
            continue;
        }
        low = isl_set_dim_min_val(isl_set_copy(values), (int)d);
        n = values_between(low, isl_set_dim_max_val(values, (int)d));
        if (n <= 0)
            return 0;
        extent = n > extent ? n : extent;
    }
    return extent;
}

/* What the model has to know of a product. */
static struct pg_product describe(const struct pg_parts *parts,
                                  const struct pg_groups *groups,
                                  const struct pg_scop *scop,
                                  const struct pg_machine *machine)
{
    struct pg_product product = {.batch = 1};
    unsigned n = parts->n_parallel;
    double elements[2] = {0, 0}, k = 1;

    product.elem_size = largest_element(groups, scop);
    for (unsigned d = 0; d < n; d++) {
        long long extent = extent_of(parts, d);

        if (d + 2 >= n)
            product.extent[d + 2 - n] = extent;
        else
            product.batch *= extent < INT_MAX ? extent : 0;
    }
    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];
        const char *type = scop->arrays[ref->array].type;

        product.is_double |= type && !strcmp(type, "double");
        for (unsigned i = 0; i < 2; i++)
            if (is_operand(parts, ref, n - 1 - i)) {
                product.operands[i]++;
                elements[i] += (double)product.extent[i];
                k = (double)extent_of(parts, ref->n_v - 1);
            }
    }
    for (unsigned i = 0; i < 2; i++)
        if (product.batch == 0 || product.extent[i] > INT_MAX)
            product.extent[0] = product.extent[1] = 0;
    product.in_cache = product.extent[0] && product.extent[1] && k > 0 &&
                       (elements[0] + elements[1]) * k * product.elem_size <
                           machine->l2 * 1024.0;
    return product;
}

/* What choose_product looks at. */
struct choosing {
    const struct pg_parts *parts;
    const struct pg_groups *groups;
    const struct pg_registers *registers;
    const struct pg_scop *scop;
    const struct pg_machine *machine;
    struct pg_product product;
    unsigned most; /* registers of a thread */
    bool narrow;   /* only blocks of half as many threads */
};

/* The registers that a thread needs for "tile". */
static unsigned need(const struct choosing *c,
                     const struct pg_product_tile *tile)
{
    const struct pg_parts *parts = c->parts;
    unsigned n = parts->n_parallel, sum = OTHER_REGISTERS, n_loop = 0;
    unsigned y = tile->side[0], x = tile->side[1], copied = 0;

    for (unsigned p = 0; p < parts->n; p++)
        if (parts->part[p].n_loop && n_loop++)
            sum += LOOP_REGISTERS;
    for (unsigned i = 0; i < c->registers->n; i++)
        sum += y * x * c->scop->arrays[c->registers->reg[i].array].elem_size /
               WORD;
    for (unsigned r = 0; r < c->groups->n_ref; r++) {
        const struct pg_reference *ref = &c->groups->ref[r];
        unsigned words = c->scop->arrays[ref->array].elem_size / WORD;

        if (is_operand(parts, ref, n - 1)) {
            sum += y * words;
            copied += y * tile->threads[0] * words;
        } else if (is_operand(parts, ref, n - 2)) {
            sum += x * words;
            copied += x * tile->threads[1] * words;
        }
    }
    // What is on its way of a step of the usual length is among the others.
    return sum + copied * (tile->k_tile - PRODUCT_STEP) /
                     (tile->threads[0] * tile->threads[1]);
}

/* Bytes of shared memory that a block may take: so many that two have room, as
 * far as that needs permission, which old devices are not asked for.
 */
static unsigned long shared_of_block(const struct pg_machine *machine)
{
    unsigned long half = machine->shared / 2;

    if (machine->arch < ASYNC_ARCH || half < PG_RESERVED_SHARED)
        return STATIC_SHARED;
    half -= PG_RESERVED_SHARED;
    half = half < machine->block_shared ? half : machine->block_shared;
    return half > STATIC_SHARED ? half : STATIC_SHARED;
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
                  VECTOR_BYTES);
    return 2 * tile->k_tile * bytes <= shared_of_block(machine);
}

/* The fastest tile with "side" points of a thread in "*best"; how long it
 * takes, 0 if registers do not hold any and it is not the "last" that there is.
 */
static double fastest_tile(const struct choosing *c, const unsigned *side,
                           bool last, struct pg_product_tile *best)
{
    static const unsigned rows[] = {SIDE_THREADS, SIDE_THREADS / 2};
    double least = 0;

    for (unsigned i = c->narrow; i < sizeof(rows) / sizeof(*rows); i++)
        for (unsigned k = PRODUCT_STEP; k <= 2 * PRODUCT_STEP; k *= 2) {
            struct pg_product_tile tile = {.threads = {rows[i], SIDE_THREADS},
                                           .side = {side[0], side[1]},
                                           .k_tile = k,
                                           .vector_bytes = VECTOR_BYTES};
            double time;

            tile.registers = need(c, &tile);
            if ((tile.registers > c->most && !(last && least == 0)) ||
                (k > PRODUCT_STEP &&
                 (side[0] * side[1] * k > UNROLLED ||
                  !has_room(c->machine, &c->product, &tile))))
                continue;
            time = pg_model_product(c->machine, &c->product, &tile);
            if (least == 0 || time < least) {
                *best = tile;
                least = time;
            }
        }
    return least;
}

/* Sizes of a product: as the model says, from tiles of threads that their
 * registers hold.
 */
static void choose_product(struct pg_levels *levels,
                           const struct pg_parts *parts,
                           const struct pg_groups *groups,
                           const struct pg_registers *registers,
                           const struct pg_scop *scop, bool measured,
                           struct pg_attempt attempt,
                           const struct pg_machine *machine)
{
    static const unsigned sides[][2] = {{8, 8}, {4, 8}, {4, 4}, {2, 4}, {2, 2}};
    unsigned last = sizeof(sides) / sizeof(*sides) - 1, n = levels->n;
    unsigned first = last, best = last, threads = SIDE_THREADS * SIDE_THREADS;
    struct choosing c = {.parts = parts,
                         .groups = groups,
                         .registers = registers,
                         .scop = scop,
                         .machine = machine,
                         .narrow = attempt.narrow};
    struct pg_product_tile tiles[sizeof(sides) / sizeof(*sides)], tile;
    double least = 0;

    c.product = describe(parts, groups, scop, machine);
    c.most = machine->registers / threads;
    c.most =
        c.most < machine->thread_registers ? c.most : machine->thread_registers;
    // An estimate that nobody checks has to be on the safe side.
    if (!measured)
        c.most -= c.most / 4;
    for (unsigned i = last + 1; i-- > 0;) {
        double time = fastest_tile(&c, sides[i], i == last, &tiles[i]);

        if (time == 0)
            break;
        first = i;
        if (i == last || time < least) {
            best = i;
            least = time;
        }
    }
    levels->small = best > first && c.product.extent[0] && c.product.extent[1];
    best = best + attempt.smaller < last ? best + attempt.smaller : last;
    levels->scarce = first > 0 || (best > first && !levels->small);
    tile = tiles[best];
    // Only ptxas knows whether registers do for several blocks.
    if (measured) {
        unsigned most = 2 * threads / (tile.threads[0] * tile.threads[1]);

        levels->blocks = pg_model_blocks(machine, &tile);
        levels->blocks = levels->blocks < most ? levels->blocks : most;
    }
    for (unsigned i = 0; i < 2; i++) {
        unsigned d = n - 2 + i;

        levels->threads[d] = tile.threads[i];
        levels->vector[d] = vector_of(c.product.elem_size, tile.side[i]);
        levels->tile[d] = (long long)tile.threads[i] * tile.side[i];
    }
    levels->k_tile = tile.k_tile;
}

/* The number of tiles of "extent" points, or INT_MAX if there are more or
 * nobody knows.
 */
static long long count_tiles(const struct pg_levels *levels,
                             const long long *extent)
{
    long long n = 1;

    for (unsigned d = 0; d < levels->n && n < INT_MAX; d++) {
        if (extent[d] == 0 || extent[d] > INT_MAX)
            return INT_MAX;
        n *= (extent[d] + levels->tile[d] - 1) / levels->tile[d];
    }
    return n;
}

/* Sizes where there are few points: half as many for each block if some
 * multiprocessors had none otherwise.
 */
static void choose_few(struct pg_levels *levels, const struct pg_parts *parts,
                       unsigned elem_size, bool measured,
                       const struct pg_machine *machine)
{
    long long extent = extent_of(parts, 0), points = FEW_POINTS;

    levels->tile[0] = points;
    if (count_tiles(levels, &extent) < machine->multiprocessors) {
        points /= 2;
        levels->small = true;
    }
    levels->tile[0] = levels->threads[0] = points;
    levels->more = FEW_MORE;
    levels->blocks = measured ? FEW_BLOCKS : FEW_BLOCKS - 1;
    levels->k_tile = elem_size < 64 ? FEW_BYTES / points / elem_size : 8;
}

/* Do neighbours in direction "x" access elements of different rows? */
static bool is_scattered(const struct pg_reference *ref, unsigned x)
{
    for (unsigned e = 0; e + 1 < ref->n_dim; e++)
        if (ref->factor[e][x])
            return true;
    return false;
}

/* Does "groups" read something that is the same for all points in direction
 * "d"?
 */
static bool reads_along(const struct pg_groups *groups, unsigned d)
{
    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];
        bool same = ref->element && !ref->write && ref->n_dim > 0;

        for (unsigned e = 0; same && e < ref->n_dim; e++)
            same = ref->factor[e][d] == 0;
        if (same)
            return true;
    }
    return false;
}

/* Halve the points of threads while there are fewer tiles than multiprocessors.
 */
static void spread_sweep(struct pg_levels *levels, const struct pg_parts *parts,
                         const struct pg_machine *machine)
{
    long long extent[PG_MAX_MAPPED];

    for (unsigned d = 0; d < levels->n; d++)
        extent[d] = extent_of(parts, d);
    while (count_tiles(levels, extent) < machine->multiprocessors) {
        unsigned most = 0;
        long long n;

        for (unsigned d = 1; d < levels->n; d++)
            if (levels->tile[d] / levels->threads[d] >
                levels->tile[most] / levels->threads[most])
                most = d;
        n = levels->tile[most] / levels->threads[most] / 2;
        if (n == 0)
            break;
        levels->tile[most] = n * levels->threads[most];
        if (levels->vector[most] > n)
            levels->vector[most] = n;
        levels->small = true;
    }
}

/* Sizes of a sweep. */
static void choose_sweep(struct pg_levels *levels,
                         const struct pg_groups *groups, unsigned elem_size)
{
    unsigned n = levels->n, x = n - 1;
    bool scattered = false;

    for (unsigned r = 0; r < groups->n_ref; r++)
        if (groups->ref[r].element && !groups->ref[r].write)
            scattered |= is_scattered(&groups->ref[r], x);
    levels->threads[x] = 32;
    levels->threads[x - 1] = 8;
    levels->tile[x] = n == 2 ? 64 : 32;
    levels->tile[x - 1] = n > 2 ? 8 : scattered ? 64 : 32;
    if (n == 2)
        levels->vector[x - 1] =
            scattered ? vector_of(elem_size,
                                  levels->tile[x - 1] / levels->threads[x - 1])
                      : 4;
    if (n > 2) {
        levels->tile[0] = levels->vector[0] = 8;
    } else if (reads_along(groups, x) && reads_along(groups, x - 1)) {
        levels->tile[x] = 128;
        levels->tile[x - 1] = 64;
        levels->vector[x - 1] = 8;
        levels->reuse = true;
    }
}

/* How far copies run ahead.  Where there are few points, as many tiles have to
 * be on their way as keep the memory busy; a product computes so much between
 * two tiles that one ahead will do.
 */
static void choose_stages(struct pg_levels *levels, bool product,
                          const struct pg_machine *machine)
{
    levels->async = machine->arch >= ASYNC_ARCH;
    levels->shared = shared_of_block(machine);
    levels->stages = 2;
    if (levels->async && !product)
        levels->stages = pg_model_stages(machine, FEW_BYTES);
    if (levels->stages > MOST_STAGES)
        levels->stages = MOST_STAGES;
}

/* No more blocks than a multiprocessor has threads and places for. */
static void limit_blocks(struct pg_levels *levels,
                         const struct pg_machine *machine)
{
    long long threads = levels->more, most;

    for (unsigned d = 0; d < levels->n; d++)
        threads *= levels->threads[d];
    most = machine->threads / threads;
    most = most < machine->blocks ? most : machine->blocks;
    if (levels->blocks > most)
        levels->blocks = most > 1 ? (unsigned)most : 1;
}

/* Take the sizes that the user gave; false if blocks and tiles do not fit each
 * other.
 */
static bool take_given(struct pg_levels *levels,
                       const struct pg_kernel_sizes *given, unsigned elem_size,
                       bool vectors, unsigned long block_shared)
{
    unsigned n = levels->n;

    for (unsigned d = 0; d < n && given->tile.n; d++)
        levels->tile[d] = d < given->tile.n ? given->tile.v[d] : 1;
    if (given->tile.n > n)
        levels->k_tile = given->tile.v[n];
    for (unsigned d = 0; d < n && given->block.n; d++)
        levels->threads[d] = d < given->block.n ? given->block.v[d] : 1;
    if (given->tile.n || given->block.n)
        levels->scarce = levels->small = false;
    if (given->block.n > n || (given->tile.n && given->tile.n < n) ||
        (given->block.n && given->block.n < n) ||
        (given->vector.n && given->vector.n != n))
        return false;
    if (given->block.n)
        levels->more = 1;
    if (given->grid.n) {
        levels->grid = given->grid.v[0];
        for (unsigned i = 1; i < given->grid.n; i++)
            if (given->grid.v[i] != levels->grid)
                return false;
    }
    if (given->stages.n)
        levels->stages = given->stages.v[0];
    if (given->stages.n || given->tile.n)
        levels->shared = block_shared;
    for (unsigned d = 0; d < n; d++) {
        if (levels->tile[d] % levels->threads[d])
            return false;
        if (given->tile.n || given->block.n)
            levels->vector[d] =
                vectors
                    ? vector_of(elem_size, levels->tile[d] / levels->threads[d])
                    : 1;
        if (given->vector.n)
            levels->vector[d] = given->vector.v[d];
        if (levels->tile[d] / levels->threads[d] % levels->vector[d])
            return false;
    }
    return true;
}

/* Choose the sizes for a kernel; false if there is nothing to gain, or what
 * the user gave does not suit.
 */
bool pg_levels_choose(struct pg_levels *levels, const struct pg_parts *parts,
                      const struct pg_groups *groups,
                      const struct pg_registers *registers,
                      const struct pg_scop *scop,
                      const struct pg_options *options, unsigned kernel)
{
    const struct pg_machine *machine = pg_machine_of(options);
    struct pg_kernel_sizes given;
    char *error = pg_sizes_get(options->sizes, kernel, &given);
    unsigned size = largest_element(groups, scop);
    bool product = is_product(parts, groups);
    struct pg_attempt attempt = {0, false};
    bool is_given;

    free(error);
    if (kernel < options->n_attempt)
        attempt = options->attempt[kernel];
    // The user's sizes stay what they are in each attempt.
    is_given = given.tile.n || given.block.n || given.vector.n;
    if (is_given)
        attempt = (struct pg_attempt){0, false};
    if (error || parts->n_parallel == 0 || parts->n_parallel > PG_MAX_MAPPED)
        return false;
    memset(levels, 0, sizeof(*levels));
    levels->n = parts->n_parallel;
    levels->given = is_given;
    levels->grid = GRID_LIMIT;
    levels->more = levels->k_tile = levels->blocks = 1;
    for (unsigned d = 0; d < levels->n; d++)
        levels->tile[d] = levels->vector[d] = levels->threads[d] = 1;
    if (attempt.smaller > 3 || (attempt.smaller && !product))
        return false;
    if (product) {
        choose_product(levels, parts, groups, registers, scop,
                       options->measured, attempt, machine);
    } else if (has_loop(parts)) {
        if (levels->n > 1)
            return false;
        choose_few(levels, parts, size, options->measured, machine);
    } else {
        if (levels->n < 2)
            return false;
        choose_sweep(levels, groups, size);
        spread_sweep(levels, parts, machine);
        levels->blocks = options->measured ? SWEEP_BLOCKS : SAFE_BLOCKS;
    }
    choose_stages(levels, product, machine);
    if (!take_given(levels, &given, size, product, machine->block_shared))
        return false;
    limit_blocks(levels, machine);
    return true;
}

/* The number of points of a tile, of "group"'s kind. */
static double points_of(const struct pg_levels *levels,
                        const struct pg_group *group)
{
    double n = group->inner ? (double)levels->k_tile : 1;

    for (unsigned d = 0; d < levels->n; d++)
        n *= (double)levels->tile[d];
    return n;
}

/* At most how many different elements a tile uses of "group". */
static double used_of(const struct pg_levels *levels,
                      const struct pg_groups *groups,
                      const struct pg_group *group)
{
    double sum = 0;

    for (unsigned i = 0; i < group->n_ref; i++) {
        const struct pg_reference *ref = &groups->ref[group->ref[i]];
        double n = 1;

        for (unsigned d = 0; d < ref->n_v; d++) {
            bool depends = false;

            for (unsigned e = 0; e < ref->n_dim; e++)
                depends |= ref->factor[e][d] != 0;
            if (depends)
                n *= d < levels->n      ? (double)levels->tile[d]
                     : d + 1 < ref->n_v ? 1
                                        : (double)levels->k_tile;
        }
        sum += n;
    }
    return sum;
}

/* Is it better to read "group" from shared memory: is each element read at
 * least twice, or are accesses coalesced only by the copy, or is there too
 * little to do for as many threads as it takes to fetch it?
 */
bool pg_levels_pays(const struct pg_levels *levels,
                    const struct pg_parts *parts,
                    const struct pg_groups *groups,
                    const struct pg_group *group)
{
    unsigned x = levels->n - 1;
    bool scattered = false, stream = false;
    double elements = 1;

    for (unsigned e = 0; e < group->n_dim; e++)
        elements *= group->extent[e];
    for (unsigned i = 0; i < group->n_ref; i++) {
        const struct pg_reference *ref = &groups->ref[group->ref[i]];

        // What others read between the elements of one is there for all.
        scattered |=
            is_scattered(ref, x) || labs(ref->factor[ref->n_dim - 1][x]) >
                                        (long)group->stride[group->n_dim - 1];
        for (unsigned e = 0; e < ref->n_dim; e++)
            stream |= ref->factor[e][x] != 0;
    }
    if (elements > 4 * used_of(levels, groups, group))
        return false;
    if (parts->n_parallel == 1 && group->inner && stream)
        return true;
    // A row that all rows of a sweep's tile share is in the cache as well.
    if (!has_loop(parts) && !scattered &&
        elements < points_of(levels, group) / 2)
        return false;
    if (scattered && group->extent[group->n_dim - 1] >= 8)
        return true;
    return points_of(levels, group) * group->n_ref >= 1.5 * elements;
}

/* How "group" lies in shared memory. */
void pg_levels_layout(const struct pg_levels *levels,
                      const struct pg_groups *groups,
                      const struct pg_group *group, unsigned elem_size,
                      struct pg_buffer *buffer)
{
    unsigned last = group->n_dim - 1, x = levels->n - 1;
    unsigned vector = elem_size < VECTOR_BYTES ? VECTOR_BYTES / elem_size : 1;
    bool across = false, in_vectors = false;

    buffer->innermost = last;
    for (unsigned i = 0; i < group->n_ref; i++) {
        const struct pg_reference *ref = &groups->ref[group->ref[i]];

        for (unsigned d = 0; d < levels->n; d++)
            for (unsigned e = 0; e < ref->n_dim; e++)
                if (levels->vector[d] > 1 && levels->k_tile > 1 &&
                    labs(ref->factor[e][d]) == (long)group->stride[e])
                    buffer->innermost = e;
    }
    for (unsigned i = 0; i < group->n_ref; i++) {
        const struct pg_reference *ref = &groups->ref[group->ref[i]];

        for (unsigned e = 0; e < ref->n_dim; e++)
            across |= e != buffer->innermost && ref->factor[e][x] != 0;
        // A thread reads rows in vectors, and its neighbours in x others.
        for (unsigned d = 0; d < x; d++)
            in_vectors |= levels->vector[d] % vector == 0 &&
                          labs(ref->factor[buffer->innermost][d]) ==
                              (long)group->stride[buffer->innermost];
    }
    in_vectors = in_vectors && group->extent[buffer->innermost] % vector == 0;
    buffer->pad = 0;
    if (group->n_dim < 2)
        return;
    if (buffer->innermost != last ||
        (across && (levels->more > 1 || in_vectors)))
        buffer->pad = vector;
    else if (across)
        buffer->pad = 1;
}
