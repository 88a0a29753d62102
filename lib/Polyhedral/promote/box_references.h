/* box_references.h - references to an array in a kernel whose blocks work on
 * boxes.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_BOX_REFERENCES_H
#define POLYGPU_PROMOTE_BOX_REFERENCES_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>

enum { PG_MAX_BOX_REFERENCES = 24 };

/* A kernel whose one parallel loop goes to blocks, with all its values v. */
struct pg_boxed_kernel {
    const struct pg_scop *scop;
    isl_union_set *domain;
    isl_union_map *place;  /* { S[i] -> [v] } */
    isl_union_map *when;   /* { S[i] -> [time, thread] }, v in the time */
    isl_union_map *thread; /* { S[i] -> [thread] } */
};

/* Access "a" of statement "s". */
struct pg_box_reference {
    unsigned s, a;
    unsigned group; /* the number of the first reference of it */
    bool write;
    isl_map *element;  /* { S[i] -> A[x] } of the kernel's instances */
    isl_map *of_place; /* { [v] -> A[x] } */
};

/* All of array "array". */
struct pg_box_references {
    const struct pg_boxed_kernel *kernel;
    unsigned array, n;
    struct pg_box_reference ref[PG_MAX_BOX_REFERENCES];
};

bool pg_box_references_find(struct pg_box_references *refs,
                            const struct pg_boxed_kernel *kernel,
                            unsigned array);
void pg_box_references_clear(struct pg_box_references *refs);
void pg_box_references_join(struct pg_box_references *refs, unsigned a,
                            unsigned b);
__isl_give isl_map *pg_box_at(__isl_keep isl_union_map *map,
                              __isl_keep isl_map *element);
__isl_give isl_map *pg_box_elements(const struct pg_box_references *refs,
                                    unsigned group, bool written);
__isl_give isl_map *pg_box_unwritten(const struct pg_box_references *refs,
                                     unsigned group);
isl_bool pg_box_is_read_later(const struct pg_box_references *refs,
                              unsigned group);

#endif
