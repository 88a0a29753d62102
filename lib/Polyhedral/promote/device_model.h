/* device_model.h - how long the tiles of a kernel take.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_DEVICE_MODEL_H
#define POLYGPU_PROMOTE_DEVICE_MODEL_H

#include "polygpu/polyhedral.h"

/* A product's loops: extents of the two innermost parallel ones, 0 if they
 * depend on parameters, and of all others together. */
struct pg_product {
    long long extent[2], batch;
    unsigned operands[2]; /* that are different from row to row, and from */
                          /* column to column */
    unsigned elem_size;
    bool is_double;
    bool in_cache; /* the operands fit into the L2 cache */
};

/* The tile of a block: rows first. */
struct pg_product_tile {
    unsigned threads[2], side[2]; /* threads, and points of each */
    unsigned k_tile;
    unsigned vector_bytes; /* that a thread reads at once */
    unsigned registers;    /* of a thread; 0: not known */
};

unsigned pg_device_blocks(const struct pg_machine *machine,
                          const struct pg_product_tile *tile);
double pg_device_product(const struct pg_machine *machine,
                         const struct pg_product *product,
                         const struct pg_product_tile *tile);
unsigned pg_device_stages(const struct pg_machine *machine,
                          unsigned long bytes);

#endif
