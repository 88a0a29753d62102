/* building.h - a kernel with buffers under construction.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_BUILDING_H
#define POLYGPU_PROMOTE_BUILDING_H

#include "promote/groups.h"
#include "promote/parts.h"
#include "promote/promoting.h"
#include "promote/registers.h"
#include "promote/tiles.h"

/* The kernel under construction. */
struct pg_building {
    const struct pg_promoting *what;
    isl_ctx *ctx;
    struct pg_parts parts;
    struct pg_groups groups;
    struct pg_registers registers;
    struct pg_levels levels;
    struct pg_promotion *promotion;
    struct pg_buffer *buffers; /* shared ones, then registers */
    struct pg_group **group;   /* of each shared buffer */
    unsigned n_buffer, n_shared, n_barrier;
    isl_set *known;       /* { : } what is known of the parameters */
    isl_set *used;        /* { [p] } with any instance */
    isl_union_set *given; /* { S[i] } that are in the tree */
    bool *beyond;         /* by placed statement */
    bool crowded;       /* are there fewer stages for want of shared memory? */
    bool shared_before; /* has a part before used shared memory? */
    bool ok;
};

/* ---- buffers.c --------------------------------------------------- */

const char *pg_promote_buffers(struct pg_building *b);
unsigned long pg_promote_bytes(const struct pg_building *b, unsigned i);
unsigned pg_promote_blocks(const struct pg_building *b);

/* ---- promoted_tree.c ------------------------------------------------------
 */

__isl_give isl_schedule *pg_promote_tree(struct pg_building *b);

#endif
