/* numbering.h - small numbers for the few among very many that are asked for.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_NUMBERING_H
#define POLYGPU_VERIFY_NUMBERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct numbering;

/* For at most "most". */
struct numbering *pg_numbering_alloc(size_t most);
void pg_numbering_free(struct numbering *numbering);

/* Set "at" to the number of "key", a new one if it was not asked for before;
 * false if there are too many.
 */
bool pg_numbering_at(struct numbering *numbering, uint64_t key, size_t *at);

/* Were there too many? */
bool pg_numbering_full(const struct numbering *numbering);

/* How many there are, and the key of number "at". */
size_t pg_numbering_n(const struct numbering *numbering);
uint64_t pg_numbering_key(const struct numbering *numbering, size_t at);

#endif
