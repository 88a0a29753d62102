/* building.h - a kernel with buffers under construction.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_BUILDING_H
#define POLYGPU_PROMOTE_BUILDING_H

#include "promote/components.h"
#include "promote/groups.h"
#include "promote/promoting.h"
#include "promote/registers.h"
#include "promote/tiles.h"
#include "promote/work.h"

/* The kernel under construction. */
struct pg_building {
    const struct pg_promoting *what;
    isl_ctx *ctx;
    struct pg_components components;
    struct pg_groups groups;
    struct pg_registers registers;
    struct pg_tile_sizes sizes;
    struct pg_promotion *promotion;
    struct pg_buffer *buffers; /* shared ones, then registers */
    struct pg_group **group;   /* of each shared buffer */
    unsigned n_buffer, n_shared, n_barrier;
    struct pg_work_context context;
    isl_set *used;       /* { [p] } with any instance */
    bool *overruns;      /* by placed statement */
    struct pg_work work; /* all that is in the tree */
    /* Of the marks "point", in their order: what runs there, the innermost
     * sequential loop or a negative number, and whether it is statements in
     * full tiles. */
    unsigned n_point;
    struct pg_point {
        struct pg_work work;
        int k;
        bool full;
    } *point;
    /* Of the marks "step", in their order: loops over tiles, and whether they
     * have copies in them, and partial tiles. */
    unsigned n_step;
    struct pg_step {
        isl_union_pw_aff_list *loops;
        bool copies, partial;
    } *step;
    bool crowded;       /* are there fewer stages for want of shared memory? */
    bool shared_before; /* has a component before used shared memory? */
    bool apart;         /* pg_unroll's */
    bool ok;
};

/* ---- building.c ----------------------------------------------------------
 */

__isl_give isl_set *pg_building_tuple(struct pg_building *b,
                                      enum pg_user_kind kind, unsigned number,
                                      __isl_take isl_set *points);
__isl_give isl_schedule *pg_building_points(struct pg_building *b,
                                            const struct pg_work *work,
                                            __isl_take isl_schedule *rest,
                                            int k, const char *kind);
__isl_give isl_schedule *pg_building_then(struct pg_building *b,
                                          __isl_take isl_schedule *first,
                                          __isl_take isl_schedule *second);

/* ---- buffers.c --------------------------------------------------- */

unsigned pg_group_vector(const struct pg_group *group, unsigned elem_size);
const char *pg_promote_buffers(struct pg_building *b);
unsigned pg_promote_blocks(const struct pg_building *b);

#endif
