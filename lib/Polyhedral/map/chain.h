/* chain.h - chains of launches as one kernel of one block.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_CHAIN_H
#define POLYGPU_MAP_CHAIN_H

#include "map/nest.h"
#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/schedule_node.h>

enum { PG_CHAIN_THREADS = 1024 };

/* Would "node" be loops of the host around launches? */
bool pg_chain_has_loops(__isl_keep isl_schedule_node *node);

/* The values of the loop outside of all, the first member of "band", in pieces
 * that are short enough for a launch: { S[i] -> [v] }.  "slow": iterations are
 * long (pg_chain_is_slow).
 */
__isl_give isl_union_pw_aff *pg_chain_pieces(__isl_keep isl_schedule_node *band,
                                             __isl_keep isl_union_set *domain,
                                             bool slow);

/* Are the iterations of the loop outside of all "nests" long: with loops
 * inside, of several steps, or of unknown length in a thread?
 */
bool pg_chain_is_slow(const struct pg_nests *nests);

/* When the nests run, { nest0[time] }, and the instances of those that one
 * thread runs alone, of the instances "domain".
 */
__isl_give isl_union_set *pg_chain_steps(const struct pg_nests *nests,
                                         __isl_keep isl_union_set *domain);
__isl_give isl_union_set *pg_chain_alone(const struct pg_nests *nests,
                                         __isl_keep isl_union_set *domain);

/* The parameters within "context" for which the nests, one after the other in
 * one block, are faster than launches of their own; none: empty.  "pieces":
 * the loop outside of all is cut into launches.
 */
__isl_give isl_set *pg_chain_fits(const struct pg_nests *nests,
                                  __isl_take isl_set *context, bool pieces);

#endif
