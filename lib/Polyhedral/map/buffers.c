/* buffers.c - what a kernel keeps in shared memory and registers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/buffers.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <stdlib.h>
#include <string.h>

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

/* The bytes of all stages of "buffer", which is in shared memory. */
static unsigned long bytes_of(const struct pg_scop *scop,
                              const struct pg_buffer *buffer)
{
    return (unsigned long)pg_buffer_length(buffer) * buffer->stages *
           scop->arrays[buffer->array].elem_size;
}

/* The bytes of shared memory of "n" buffers: of each slot, the largest of its
 * buffers.
 */
unsigned long pg_buffers_bytes(const struct pg_scop *scop,
                               const struct pg_buffer *buffers, unsigned n)
{
    unsigned long sum = 0;

    for (unsigned slot = 0; slot < n; slot++) {
        unsigned long most = 0;

        for (unsigned i = 0; i < n; i++) {
            unsigned long bytes;

            if (buffers[i].kind != PG_BUFFER_SHARED || buffers[i].slot != slot)
                continue;
            bytes = bytes_of(scop, &buffers[i]);
            most = bytes > most ? bytes : most;
        }
        sum += most;
    }
    return sum;
}

/* May which elements are copied depend on where a box is? */
bool pg_buffers_have_places(const struct pg_mapping *mapping)
{
    bool any = mapping->kind == PG_MAPPING_SHARED;

    for (unsigned i = 0; i < mapping->n_buffer; i++)
        any |= mapping->buffers[i].written;
    return any;
}

/* Where the elements of "buffer" are, as a part of a remark. */
char *pg_buffer_text(const struct pg_scop *scop, const struct pg_buffer *buffer)
{
    struct pg_text text = {0};

    pg_text_add(&text, "; %s in ", scop->arrays[buffer->array].source_name);
    if (buffer->kind == PG_BUFFER_REGISTER) {
        pg_text_add(&text, "registers");
        return pg_text_take(&text);
    }
    pg_text_add(&text, "%lu bytes of shared memory", bytes_of(scop, buffer));
    if (buffer->stages > 1)
        pg_text_add(&text, " (%u stages%s)", buffer->stages,
                    buffer->async ? ", asynchronous" : "");
    return pg_text_take(&text);
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

/* "promotion" of the accesses of "scop" once more. */
struct pg_promotion *pg_promotion_copy(const struct pg_promotion *promotion,
                                       const struct pg_scop *scop)
{
    struct pg_promotion *copy = pg_promotion_alloc(scop);
    unsigned n = promotion->n_buffer;

    for (unsigned s = 0; s < scop->n_stmt; s++)
        memcpy(copy->buffer[s], promotion->buffer[s],
               scop->stmts[s].n_access * sizeof(int));
    copy->n_buffer = n;
    copy->n_point = promotion->n_point;
    copy->home = pg_alloc(n, sizeof(*copy->home));
    for (unsigned i = 0; i < n; i++) {
        const struct pg_home *home = &promotion->home[i];

        copy->home[i].offset = isl_multi_aff_copy(home->offset);
        copy->home[i].whole = isl_set_copy(home->whole);
        copy->home[i].readable = isl_set_copy(home->readable);
        copy->home[i].always = home->always;
        copy->home[i].in = isl_map_copy(home->in);
        copy->home[i].back = isl_map_copy(home->back);
        copy->home[i].whole_back = isl_set_copy(home->whole_back);
    }
    isl_union_map_free(copy->place);
    copy->place = isl_union_map_copy(promotion->place);
    copy->element = isl_union_map_copy(promotion->element);
    return copy;
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

/* "n" buffers once more. */
struct pg_buffer *pg_buffers_copy(const struct pg_buffer *buffers, unsigned n)
{
    struct pg_buffer *copy = pg_alloc(n, sizeof(*copy));

    for (unsigned i = 0; i < n; i++) {
        size_t bytes = buffers[i].n_dim * sizeof(unsigned);

        copy[i] = buffers[i];
        copy[i].name = buffers[i].name ? pg_strdup(buffers[i].name) : NULL;
        copy[i].extent = pg_alloc(buffers[i].n_dim, sizeof(unsigned));
        memcpy(copy[i].extent, buffers[i].extent, bytes);
        copy[i].stride = NULL;
        if (buffers[i].stride) {
            copy[i].stride = pg_alloc(buffers[i].n_dim, sizeof(unsigned));
            memcpy(copy[i].stride, buffers[i].stride, bytes);
        }
    }
    return copy;
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
