/* groups.h - array reference groups: which accesses share a buffer.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_GROUPS_H
#define POLYGPU_PROMOTE_GROUPS_H

#include "polygpu/polyhedral.h"
#include "schedule/sizes.h"

#include <isl/aff.h>
#include <isl/val.h>

struct pg_tile_sizes;
struct pg_components;

/* The widest access of a thread (PTX ISA, ld). */
enum { PG_VECTOR_BYTES = 16 };

/* An access as a function of V: subscript e is sum over d of
 * factor[e][d] * v[d] + something of the parameters. */
struct pg_reference {
    unsigned placed, access; /* by number */
    unsigned array, n_dim, n_v;
    bool write;
    bool settled; /* reads nothing that the launch writes, of an array of which
                     it writes other elements */
    isl_map *element; /* { V -> A[x] }; NULL: is no such function */
    long (*factor)[PG_MAX_SIZES];
};

/* References of one component to one array that share one buffer. */
struct pg_group {
    unsigned component, array, n_ref, *ref;
    bool written; /* some write: then all of the component are here */
    bool settled; /* all references are */
    bool before;  /* then: components in front access the array, too, */
    bool behind;  /* or later ones */
    bool inner;   /* filled in each tile of the innermost sequential loop, else
                     once in each tile of the parallel ones */
    isl_multi_aff *offset; /* its smallest element, { [c] -> A[x] } */
    /* In dimension d it has extent[d] elements, each stride[d] behind the one
     * before. */
    unsigned n_dim, *extent, *stride;
};

struct pg_groups {
    unsigned n_ref, n;
    struct pg_reference *ref;
    struct pg_group *group;
};

bool pg_is_multiple(__isl_take isl_val *value, long n);
bool pg_reference_scattered(const struct pg_reference *ref, unsigned x);
bool pg_reference_apart(const struct pg_reference *ref, unsigned x,
                        unsigned elem_size);
__isl_give isl_map *
pg_reference_relation(const struct pg_reference *ref,
                      const struct pg_components *components,
                      const struct pg_scop *scop);
bool pg_references_once(const struct pg_groups *groups);
isl_stat pg_references_find(struct pg_groups *groups,
                            const struct pg_components *components,
                            const struct pg_scop *scop);
isl_stat pg_groups_find(struct pg_groups *groups,
                        const struct pg_components *components,
                        const struct pg_scop *scop,
                        const struct pg_tile_sizes *sizes);
unsigned long pg_group_bytes(const struct pg_group *group, unsigned elem_size);
void pg_groups_clear(struct pg_groups *groups);

#endif
