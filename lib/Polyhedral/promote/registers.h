/* registers.h - elements that belong to a thread.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_REGISTERS_H
#define POLYGPU_PROMOTE_REGISTERS_H

#include "polygpu/polyhedral.h"

struct pg_groups;
struct pg_components;

/* References to an array, its members, that access the same element at each
 * point of the parallel loops, and each element at one point only: it stays in
 * a register from the first use to the last. */
struct pg_register {
    unsigned array, n_ref, *ref;
    isl_map *element; /* { [p] -> A[x] } */
    isl_set *points;  /* { [p] } at which it is accessed */
    isl_set *loaded;  /* those where its value from before is needed */
    isl_set *stored;  /* those where its value is the last one */
};

struct pg_registers {
    unsigned n;
    struct pg_register *reg;
};

isl_stat pg_registers_find(struct pg_registers *registers,
                           const struct pg_components *components,
                           const struct pg_groups *groups,
                           const struct pg_scop *scop);
void pg_registers_clear(struct pg_registers *registers);

#endif
