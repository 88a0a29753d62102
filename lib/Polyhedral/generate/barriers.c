/* barriers.c - do all threads of a block come to a kernel's barriers and
 * copies?
 *
 * isl may put a condition around several instances at once: one that depends on
 * the number of the thread must not be around a barrier.  Which conditions
 * there are is known when the loops are made.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/barriers.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"

/* Is "name" the number of a thread? */
static bool is_thread(const char *name)
{
    return name && name[0] == 't' && name[1] >= '0' && name[1] <= '9' &&
           !name[2];
}

/* Is the number of a thread in "expr"?  Only those have names like "t0". */
static bool depends_on_thread(__isl_keep isl_ast_expr *expr)
{
    bool depends = false;
    isl_id *id;
    isl_size n;

    switch (isl_ast_expr_get_type(expr)) {
    case isl_ast_expr_id:
        id = isl_ast_expr_get_id(expr);
        depends = is_thread(isl_id_get_name(id));
        isl_id_free(id);
        return depends;
    case isl_ast_expr_op:
        n = isl_ast_expr_get_op_n_arg(expr);
        for (int i = 0; !depends && i < n; i++) {
            isl_ast_expr *arg = isl_ast_expr_get_op_arg(expr, i);

            depends = depends_on_thread(arg);
            isl_ast_expr_free(arg);
        }
        return depends;
    default:
        return isl_ast_expr_get_type(expr) != isl_ast_expr_int;
    }
}

/* depends_on_thread, and free "expr". */
static bool take_depends(__isl_take isl_ast_expr *expr)
{
    bool depends = depends_on_thread(expr);

    isl_ast_expr_free(expr);
    return depends;
}

/* Do all threads of a block have to come to "user"? */
static bool is_common(const struct pg_user *user)
{
    return user->kind == PG_USER_BARRIER || user->kind == PG_USER_COPY ||
           user->kind == PG_USER_BACK;
}

static isl_stat check_barriers(__isl_keep isl_ast_node *node, bool diverged,
                               bool *any);

/* check_barriers, and free "node". */
static isl_stat take_check(__isl_take isl_ast_node *node, bool diverged,
                           bool *any)
{
    isl_stat result = check_barriers(node, diverged, any);

    isl_ast_node_free(node);
    return result;
}

/* Do all threads of a block come to the same barriers in "node"?  They do if
 * no loop or condition around a barrier depends on the number of the thread;
 * "diverged": one around "node" does.  "*any" becomes true if there is one.
 */
static isl_stat check_barriers(__isl_keep isl_ast_node *node, bool diverged,
                               bool *any)
{
    isl_stat result = isl_stat_ok;
    isl_ast_node_list *list;
    struct pg_user *user;
    isl_bool has_else;
    isl_size n;

    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_for:
        diverged |= take_depends(isl_ast_node_for_get_init(node));
        if (isl_ast_node_for_is_degenerate(node) != isl_bool_true) {
            diverged |= take_depends(isl_ast_node_for_get_cond(node));
            diverged |= take_depends(isl_ast_node_for_get_inc(node));
        }
        return take_check(isl_ast_node_for_get_body(node), diverged, any);
    case isl_ast_node_if:
        diverged |= take_depends(isl_ast_node_if_get_cond(node));
        result = take_check(isl_ast_node_if_get_then(node), diverged, any);
        has_else = isl_ast_node_if_has_else(node);
        if (has_else < 0)
            return isl_stat_error;
        if (result == isl_stat_ok && has_else)
            result = take_check(isl_ast_node_if_get_else(node), diverged, any);
        return result;
    case isl_ast_node_block:
        list = isl_ast_node_block_get_children(node);
        n = isl_ast_node_list_n_ast_node(list);
        if (n < 0)
            result = isl_stat_error;
        for (int i = 0; result == isl_stat_ok && i < n; i++)
            result = take_check(isl_ast_node_list_get_ast_node(list, i),
                                diverged, any);
        isl_ast_node_list_free(list);
        return result;
    case isl_ast_node_mark:
        return take_check(isl_ast_node_mark_get_node(node), diverged, any);
    case isl_ast_node_user:
        user = pg_user_of(node);
        if (!user)
            return isl_stat_error;
        *any |= user->kind == PG_USER_BARRIER;
        return diverged && is_common(user) ? isl_stat_error : isl_stat_ok;
    default:
        return isl_stat_error;
    }
}

/* Do all threads of a block come to the same barriers in the annotated "ast"?
 * "*any" becomes true if there is one.
 */
bool pg_barriers_met(__isl_keep isl_ast_node *ast, bool *any)
{
    *any = false;
    return check_barriers(ast, false, any) == isl_stat_ok;
}
