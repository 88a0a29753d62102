/* user.c - what user nodes of ASTs stand for, and tuples of schedules that are
 * no statements.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "support/numbered.h"
#include "support/text.h"

#include <stdlib.h>

/* A user with room for "n" arguments. */
struct pg_user *pg_user_alloc(enum pg_user_kind kind, unsigned index,
                              unsigned n)
{
    struct pg_user *user = pg_alloc(1, sizeof(*user));

    user->kind = kind;
    user->index = index;
    user->n = n;
    user->args = pg_alloc(n, sizeof(isl_ast_expr *));
    return user;
}

/* Free "user" (a struct pg_user) with all expressions.  The row of subscripts
 * of an access ends with a NULL.
 */
static void user_free(void *user)
{
    struct pg_user *u = user;

    if (!u)
        return;
    for (unsigned i = 0; i < u->n; i++)
        isl_ast_expr_free(u->args[i]);
    free(u->args);
    for (unsigned i = 0; u->access && i < u->n_access; i++) {
        for (isl_ast_expr **e = u->access[i]; e && *e; e++)
            isl_ast_expr_free(*e);
        free(u->access[i]);
    }
    free(u->access);
    for (unsigned i = 0; u->guard && i < u->n_access; i++)
        isl_ast_expr_free(u->guard[i]);
    free(u->guard);
    free(u->redirected);
    isl_ast_expr_free(u->whole);
    for (unsigned i = 0; i < u->n_place; i++)
        isl_ast_expr_free(u->place[i]);
    free(u->place);
    for (unsigned d = 0; d < 3; d++)
        isl_ast_expr_free(u->grid[d]);
    free(u);
}

/* Make "user" the annotation of "node", which owns it then. */
__isl_give isl_ast_node *pg_user_attach(__isl_take isl_ast_node *node,
                                        struct pg_user *user)
{
    isl_ctx *ctx;
    isl_id *id;

    if (!node) {
        user_free(user);
        return NULL;
    }
    ctx = isl_ast_node_get_ctx(node);
    id = isl_id_alloc(ctx, NULL, user);
    if (!id) {
        user_free(user);
        return isl_ast_node_free(node);
    }
    id = isl_id_set_free_user(id, &user_free);
    return isl_ast_node_set_annotation(node, id);
}

/* The user of a user node, or NULL. */
struct pg_user *pg_user_of(__isl_keep isl_ast_node *node)
{
    isl_id *id = isl_ast_node_get_annotation(node);
    struct pg_user *user = id ? isl_id_get_user(id) : NULL;

    isl_id_free(id);
    return user;
}

/* Set the arguments of "user" to those of the call that isl made for "node".
 * False after an error of isl.
 */
bool pg_user_arguments(struct pg_user *user, __isl_keep isl_ast_node *node)
{
    isl_ast_expr *call = isl_ast_node_user_get_expr(node);
    bool ok = isl_ast_expr_get_op_n_arg(call) == (isl_size)user->n + 1;

    for (unsigned i = 0; ok && i < user->n; i++) {
        user->args[i] = isl_ast_expr_get_op_arg(call, (int)i + 1);
        ok = user->args[i];
    }
    isl_ast_expr_free(call);
    return ok;
}

/* The id of the tuple of number "number" of what is no statement. */
__isl_give isl_id *pg_user_id(isl_ctx *ctx, enum pg_user_kind kind,
                              unsigned number)
{
    static const char *const names[] = {"stmt", "barrier", "copy",  "back",
                                        "load", "store",   "kernel"};
    char *name = pg_format("%s%u", names[kind], number);
    isl_id *id = pg_numbered_id(ctx, name, kind, number);

    free(name);
    return id;
}

/* The id of the tuple of barrier "number" of a kernel. */
__isl_give isl_id *pg_barrier_id(isl_ctx *ctx, unsigned number)
{
    return pg_user_id(ctx, PG_USER_BARRIER, number);
}

/* What the input of "schedule", { tuple -> loops }, is; its number in "*number"
 * if it is no statement.
 */
enum pg_user_kind pg_user_kind_of(__isl_keep isl_map *schedule,
                                  unsigned *number)
{
    isl_id *id = isl_map_get_tuple_id(schedule, isl_dim_in);
    unsigned kind = PG_USER_STMT;

    (void)pg_numbered(id, &kind, number);
    isl_id_free(id);
    return (enum pg_user_kind)kind;
}
