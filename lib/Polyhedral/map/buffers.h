/* buffers.h - what a kernel keeps in shared memory and registers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_BUFFERS_H
#define POLYGPU_MAP_BUFFERS_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>

/* How the AST of a kernel says which element of a buffer it means. */
struct pg_promotion {
    unsigned n_stmt;
    int **buffer; /* by statement and access, or -1 */
    unsigned n_buffer;
    struct pg_home {
        isl_multi_aff *offset; /* SHARED: { [c] -> A[x] } of tiles c */
        isl_set *whole;        /* SHARED: { [c] } where all of it is readable */
        isl_set *readable;     /* SHARED: { A[x] }; NULL: in, back */
        bool always;           /* whole is everywhere */
        /* SHARED, of a box that its block works on: which elements are copied,
         * and which go back, { [c] -> A[x] }, and where these are all; NULL:
         * everywhere. */
        isl_map *in, *back;
        isl_set *whole_back;
    } *home;          /* by buffer */
    unsigned n_point; /* parallel loops */
    /* { S[i] -> [c..., r...] } for statements, loads and stores: the tile of
     * the parallel and the sequential loops, and which of the thread's points
     * it is in each of the "n_point" parallel loops. */
    isl_union_map *place;
    isl_union_map *element; /* { load0[p] -> A[x]; store0[p] -> A[x] } */
};

struct pg_promotion *pg_promotion_alloc(const struct pg_scop *scop);
void pg_promotion_free(struct pg_promotion *promotion);
struct pg_promotion *pg_promotion_copy(const struct pg_promotion *promotion,
                                       const struct pg_scop *scop);
unsigned long pg_buffers_bytes(const struct pg_scop *scop,
                               const struct pg_buffer *buffers, unsigned n);
bool pg_buffers_have_places(const struct pg_mapping *mapping);
char *pg_buffer_text(const struct pg_scop *scop,
                     const struct pg_buffer *buffer);
struct pg_buffer *pg_buffers_copy(const struct pg_buffer *buffers, unsigned n);
void pg_buffers_free(struct pg_buffer *buffers, unsigned n);

#endif
