/* strategy.h - how tile sizes are found for kernels of one kind.
 *
 * Each kind that the field has a name for is a strategy in a file of its own:
 * how such a kernel is recognised, the sizes that may suit it, and what they
 * cost.  tile_sizes.c takes the first strategy that recognises a kernel, and of
 * its candidates the one that costs least.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_STRATEGY_H
#define POLYGPU_PROMOTE_STRATEGY_H

#include "polygpu/machine.h"
#include "polygpu/polyhedral.h"
#include "promote/components.h"
#include "promote/groups.h"
#include "promote/registers.h"
#include "promote/tiles.h"
#include "schedule/sizes.h"

enum { PG_MAX_CANDIDATES = 8 };

/* A kernel that tile sizes are wanted for. */
struct pg_sizing {
    const struct pg_components *components;
    const struct pg_groups *groups;
    const struct pg_registers *registers;
    const struct pg_scop *scop;
    const struct pg_machine *machine;
    unsigned elem_size; /* of the largest element, bytes */
    bool measured;      /* ptxas will tell how many registers the kernel has */
    bool narrow;        /* only blocks of fewer threads are wanted */
    bool given;         /* the user has sizes, which are for buffers */
};

/* Sizes that a strategy proposes, from the fewest points of a thread to the
 * most. */
struct pg_candidates {
    unsigned n;
    struct pg_candidate {
        struct pg_tile_sizes sizes;
        double cost; /* comparable among these candidates */
    } item[PG_MAX_CANDIDATES];
    bool cut;   /* registers would not hold more points of a thread */
    bool known; /* costs are for loops of known extents */
};

struct pg_strategy {
    const char *name;
    bool (*recognise)(const struct pg_sizing *sizing);
    /* Append to "list" what may suit the kernel; "start" is sizes of one
     * point.  None: the kernel is better off without buffers. */
    void (*candidates)(const struct pg_sizing *sizing,
                       const struct pg_tile_sizes *start,
                       struct pg_candidates *list);
    /* Has a thread so much to do between two tiles that copies one tile ahead
     * are hidden?  Else as many tiles are on their way as the memory needs. */
    bool computes_long;
    bool takes_vectors; /* of the user's tiles, too */
    /* Can the kernel be made again with fewer points or threads, when ptxas
     * finds that registers do not do? */
    bool can_shrink;
    /* Is an array that is read once, but in the order of the tiles, worth a
     * copy: because more threads copy than compute? */
    bool copies_streams;
    bool caches_rows; /* a row that a tile's points share stays in the L1 */
    bool
        only_writes; /* buffers are for what is written, all else stays there */
};

extern const struct pg_strategy pg_matrix_product, pg_matrix_vector_product,
    pg_stream, pg_stencil, pg_plain;

/* ---- what strategies ask of a kernel ------------------------------------ */

bool pg_sizing_has_loop(const struct pg_sizing *sizing);
bool pg_sizing_is_long(const struct pg_sizing *sizing,
                       const struct pg_tile_sizes *sizes);
long long pg_sizing_extent(const struct pg_sizing *sizing, unsigned d);
long long pg_vector_of(unsigned elem_size, long long n);
double pg_cost_of_spread(const struct pg_machine *machine,
                         const struct pg_tile_sizes *sizes,
                         const long long *extent);
void pg_candidates_add(struct pg_candidates *list,
                       const struct pg_tile_sizes *sizes, double cost);

#endif
