/* unrolled.c - is it known in a kernel's code which register is used where?
 *
 * Registers are one scalar for each point of a thread, so that their numbers
 * must be constants once the marked loops are unrolled.  isl leaves out loops
 * of one iteration: where a sequential loop counts by a subscript, its steps
 * may fix a point of the thread, and they stay a loop.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/unrolled.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"

#include <string.h>

struct walk {
    const struct pg_mapping *mapping;
    const struct pg_unroll *unroll; /* of the mark around, or NULL */
    bool known;
};

/* Is "id" the iterator of a loop that is unrolled?  One over steps may stay a
 * loop.
 */
static bool is_unrolled(const struct pg_unroll *unroll, isl_id *id)
{
    return pg_unrolled_loop(unroll, id) >= (unroll && unroll->steps ? 1 : 0);
}

/* Is "expr" a constant once all has been unrolled? */
static bool is_known(const struct pg_unroll *unroll,
                     __isl_keep isl_ast_expr *expr)
{
    isl_size n;
    isl_id *id;
    bool known = true;

    switch (isl_ast_expr_get_type(expr)) {
    case isl_ast_expr_int:
        return true;
    case isl_ast_expr_id:
        id = isl_ast_expr_get_id(expr);
        known = is_unrolled(unroll, id);
        isl_id_free(id);
        return known;
    case isl_ast_expr_op:
        n = isl_ast_expr_get_op_n_arg(expr);
        for (int i = 0; known && i < n; i++) {
            isl_ast_expr *arg = isl_ast_expr_get_op_arg(expr, i);

            known = is_known(unroll, arg);
            isl_ast_expr_free(arg);
        }
        return known && n >= 0;
    default:
        return false;
    }
}

/* Are all registers known that "user" reads and writes? */
static bool knows_registers(const struct walk *w, const struct pg_user *user)
{
    for (unsigned a = 0; user && a < user->n_access; a++) {
        int buffer = user->redirected ? user->redirected[a] : (int)user->index;

        if (buffer < 0 ||
            w->mapping->buffers[buffer].kind != PG_BUFFER_REGISTER)
            continue;
        for (isl_ast_expr **e = user->access[a]; *e; e++)
            if (!is_known(w->unroll, *e))
                return false;
    }
    return true;
}

static isl_bool at_node(__isl_keep isl_ast_node *node, void *user)
{
    struct walk *w = user, below = *w;
    isl_bool marked = isl_bool_false;
    isl_ast_node *child;
    isl_id *id;

    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_mark:
        id = isl_ast_node_mark_get_id(node);
        marked = isl_bool_ok(!strcmp(isl_id_get_name(id), PG_MARK_UNROLL));
        below.unroll = isl_id_get_user(id);
        isl_id_free(id);
        break;
    case isl_ast_node_user:
        w->known &= knows_registers(w, pg_user_of(node));
        break;
    default:
        break;
    }
    if (!marked)
        return isl_bool_ok(w->known);
    child = isl_ast_node_mark_get_node(node);
    if (isl_ast_node_foreach_descendant_top_down(child, &at_node, &below) !=
        isl_stat_ok)
        below.known = false;
    isl_ast_node_free(child);
    w->known = below.known;
    return isl_bool_false;
}

/* Is it known of each access to a register in "ast", which isl made of
 * "mapping", to which one?
 */
bool pg_unrolled_known(const struct pg_mapping *mapping,
                       __isl_keep isl_ast_node *ast)
{
    struct walk w = {mapping, NULL, true};

    return isl_ast_node_foreach_descendant_top_down(ast, &at_node, &w) ==
               isl_stat_ok &&
           w.known;
}
