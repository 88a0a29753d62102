/* dependences.h - who must run before whom, and what crosses the border.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_DEPENDENCE_DEPENDENCES_H
#define POLYGPU_DEPENDENCE_DEPENDENCES_H

#include "polygpu/polyhedral.h"

__isl_give isl_union_map *pg_value_flow(__isl_take isl_union_map *sink,
                                        __isl_take isl_union_map *source,
                                        __isl_take isl_schedule *schedule,
                                        __isl_give isl_union_set **no_source);
__isl_give isl_union_map *pg_all_pairs(__isl_take isl_union_map *sink,
                                       __isl_take isl_union_map *source,
                                       __isl_take isl_schedule *schedule,
                                       __isl_give isl_union_set **no_source);
__isl_give isl_union_map *pg_unwritten_reads(__isl_take isl_union_map *reads,
                                             __isl_take isl_union_map *writes,
                                             __isl_take isl_schedule *schedule);
__isl_give isl_union_map *
pg_anti_dependences(__isl_take isl_union_map *reads,
                    __isl_take isl_union_map *writes,
                    __isl_take isl_schedule *schedule);
isl_stat pg_dependences_all(struct pg_scop *scop,
                            const struct pg_options *options,
                            struct pg_report *report);

#endif
