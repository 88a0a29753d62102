/* buffers.c - what a kernel keeps in shared memory and registers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/buffers.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <stdlib.h>

enum { STAGE_ALIGN = 16 };

/* The elements of one stage of a buffer in shared memory. */
unsigned pg_buffer_length(const struct pg_buffer *buffer)
{
    unsigned n = buffer->extent[buffer->innermost] + buffer->pad;

    for (unsigned d = 0; d < buffer->n_dim; d++)
        if (d != buffer->innermost)
            n *= buffer->extent[d];
    return (n + STAGE_ALIGN - 1) / STAGE_ALIGN * STAGE_ALIGN;
}

/* A promotion of no access. */
struct pg_promotion *pg_promotion_alloc(const struct pg_scop *scop)
{
    struct pg_promotion *promotion = pg_alloc(1, sizeof(*promotion));

    promotion->n_stmt = scop->n_stmt;
    promotion->buffer = pg_alloc(scop->n_stmt, sizeof(*promotion->buffer));
    promotion->place = isl_union_map_empty(isl_set_get_space(scop->context));
    for (unsigned s = 0; s < scop->n_stmt; s++) {
        unsigned n = scop->stmts[s].n_access;

        promotion->buffer[s] = pg_alloc(n, sizeof(int));
        for (unsigned a = 0; a < n; a++)
            promotion->buffer[s][a] = -1;
    }
    return promotion;
}

/* Free "promotion". */
void pg_promotion_free(struct pg_promotion *promotion)
{
    if (!promotion)
        return;
    for (unsigned s = 0; s < promotion->n_stmt; s++)
        free(promotion->buffer[s]);
    free(promotion->buffer);
    isl_union_map_free(promotion->place);
    for (unsigned i = 0; i < promotion->n_buffer; i++) {
        isl_multi_aff_free(promotion->home[i].offset);
        isl_set_free(promotion->home[i].whole);
        isl_set_free(promotion->home[i].readable);
        isl_map_free(promotion->home[i].in);
        isl_map_free(promotion->home[i].back);
        isl_set_free(promotion->home[i].whole_back);
    }
    free(promotion->home);
    isl_union_map_free(promotion->element);
    free(promotion);
}

/* Free "n" buffers. */
void pg_buffers_free(struct pg_buffer *buffers, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        free(buffers[i].name);
        free(buffers[i].extent);
        free(buffers[i].stride);
    }
    free(buffers);
}
