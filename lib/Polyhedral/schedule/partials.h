/* partials.h - partial results of a reduction, and what combines them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_PARTIALS_H
#define POLYGPU_SCHEDULE_PARTIALS_H

#include "polygpu/polyhedral.h"
#include "schedule/sizes.h"

/* What a statement updates. */
struct pg_target {
    struct pg_update update;
    unsigned array;
    isl_map *element; /* { [h] -> A[x] } */
    /* Temporaries: what instances update, which becomes a variable of a thread,
     * and what that leaves. */
    unsigned own, partial;
};

/* A statement whose instances go to partial results. */
struct pg_reduction {
    const struct pg_scop *scop; /* what it is of, */
    struct pg_scop *made;       /* and the variant */
    unsigned stmt, n_target;
    struct pg_target *targets;
    unsigned n_host; /* loops around: the first iterators of what is made */
    isl_map *host;   /* { S[i] -> [h] } of its instances */
    unsigned n_own;  /* how many of its innermost loops, 1 or 2, */
    unsigned own[2]; /* count for partial results, the innermost one last */
    /* Set by pg_partials_make. */
    long long size[2]; /* rows and columns of partial results */
    isl_map *place;    /* { S[i] -> [row, column] } */
    isl_set *live;     /* { [h, row, column] } with instances */
};

void pg_reduction_clear(struct pg_reduction *r);
__isl_give isl_map *pg_iterators(__isl_keep isl_set *domain, unsigned first,
                                 unsigned n);
struct pg_access pg_made_access(const struct pg_scop *scop, unsigned array,
                                bool write, __isl_take isl_map *relation);
struct pg_stmt *pg_made_stmt(struct pg_scop *scop, enum pg_stmt_kind kind,
                             enum pg_operator op, unsigned line, unsigned n,
                             __isl_take isl_set *domain);
__isl_give isl_map *pg_by_host(const struct pg_reduction *r,
                               __isl_take isl_map *map);
__isl_give isl_schedule *pg_partials_make(struct pg_reduction *r,
                                          const struct pg_size_list *given);

#endif
