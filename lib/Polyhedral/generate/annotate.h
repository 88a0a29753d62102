/* annotate.h - the annotations of user nodes, with all expressions that a
 * consumer needs: it need not look at the node's own expression.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GENERATE_ANNOTATE_H
#define POLYGPU_GENERATE_ANNOTATE_H

#include "generate/collapse.h"
#include "polygpu/polyhedral.h"

/* What the annotation of a kernel's user nodes needs. */
struct pg_annotating {
    const struct pg_scop *scop;
    const struct pg_mapping *mapping;
    struct pg_collapsed collapsed;
};

/* As isl_ast_build_set_at_each_domain calls them; "user" is a struct
 * pg_annotating, and the plan. */
__isl_give isl_ast_node *pg_annotate_instance(__isl_take isl_ast_node *node,
                                              __isl_keep isl_ast_build *build,
                                              void *user);
__isl_give isl_ast_node *pg_annotate_launch(__isl_take isl_ast_node *node,
                                            __isl_keep isl_ast_build *build,
                                            void *user);

#endif
