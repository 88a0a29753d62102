/* code.c - see code.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "verify/code.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <stdlib.h>
#include <string.h>

static const char out_of_work[] = "there is too much to do";

enum step_kind {
    STEP_SET,    /* a name to the value of an expression */
    STEP_ADD,    /* the value to a name */
    STEP_BELOW,  /* fail unless the name's value is from "first" to below */
                 /* "limit" */
    STEP_UNLESS, /* go to "target" unless the expression is true */
    STEP_GO,     /* go to "target" */
    STEP_ACTION,
    STEP_END
};

struct step {
    enum step_kind kind;
    unsigned name;
    long long first, limit;
    size_t target;
    struct expr *expr;
    struct action *action;
    struct loop *loop; /* whose condition it is, or NULL */
};

struct loop {
    const struct loop *outer;
    unsigned name;
    struct expr *inc;
    bool together; /* threads of a block wait for each other in it */
    unsigned n;    /* statements or moves in it */
    struct action **actions;
};

struct code {
    size_t n;
    struct step *steps;
};

/* What the translation of a node needs. */
struct compiling {
    struct code *code;
    struct names names;
    long long limits[MAX_NAMES];    /* of iterators that are unrolled, else 0 */
    long long firsts[MAX_NAMES];    /* and where they begin */
    const struct pg_unroll *unroll; /* of the mark around, or NULL */
    const struct loop *loop;        /* around, or NULL */
    struct pg_fault *fault;
};

/* Add a step, which stays where it is until the next one. */
static struct step *add(struct compiling *c, enum step_kind kind, unsigned name,
                        struct expr *expr)
{
    struct code *code = c->code;

    if ((code->n & (code->n - 1)) == 0)
        code->steps = pg_enlarge(code->steps, code->n, sizeof(*code->steps));
    code->steps[code->n] =
        (struct step){.kind = kind, .name = name, .expr = expr};
    return &code->steps[code->n++];
}

static void compile(struct compiling *c, isl_ast_node *node);

static void compile_take(struct compiling *c, isl_ast_node *node)
{
    compile(c, node);
    isl_ast_node_free(node);
}

/* The value that "id" has to stay below as the iterator of a loop that is to be
 * unrolled, or 0.
 */
static long long limit_of(const struct compiling *c, isl_id *id)
{
    int d = pg_unrolled_loop(c->unroll, id);

    return d < 0 ? 0 : c->unroll->extent[d];
}

/* What is in "loop", whose code begins behind step "head". */
static void list_actions(struct compiling *c, struct loop *loop, size_t head)
{
    loop->actions = pg_alloc(c->code->n - head, sizeof(*loop->actions));
    for (size_t i = head + 1; i < c->code->n; i++) {
        struct action *action = c->code->steps[i].action;

        if (!action || !action->user)
            continue;
        if (action->user->kind == PG_USER_STMT ||
            action->user->kind == PG_USER_MOVE)
            loop->actions[loop->n++] = action;
        loop->together |= action->user->kind == PG_USER_BARRIER ||
                          action->user->kind == PG_USER_COPY ||
                          action->user->kind == PG_USER_BACK;
    }
}

static void compile_for(struct compiling *c, isl_ast_node *node)
{
    struct loop *loop = NULL;
    isl_ast_expr *iterator = isl_ast_node_for_get_iterator(node);
    isl_id *id = isl_ast_expr_get_id(iterator);
    bool once = isl_ast_node_for_is_degenerate(node) == isl_bool_true;
    unsigned name = c->names.n;
    size_t head = c->code->n + 1;

    add(c, STEP_SET, name,
        pg_expr_take(isl_ast_node_for_get_init(node), &c->names, c->fault));
    pg_names_add(&c->names, id, c->fault);
    if (name < c->names.n) {
        isl_ast_expr *init = isl_ast_node_for_get_init(node);

        c->limits[name] = limit_of(c, id);
        c->firsts[name] = pg_unrolled_first(init);
        isl_ast_expr_free(init);
    }
    if (!once) {
        loop = pg_alloc(1, sizeof(*loop));
        loop->outer = c->loop;
        loop->name = name;
        loop->inc =
            pg_expr_take(isl_ast_node_for_get_inc(node), &c->names, c->fault);
        add(c, STEP_UNLESS, 0,
            pg_expr_take(isl_ast_node_for_get_cond(node), &c->names, c->fault))
            ->loop = loop;
        c->loop = loop;
    }
    compile_take(c, isl_ast_node_for_get_body(node));
    if (!once) {
        c->loop = loop->outer;
        list_actions(c, loop, head);
        add(c, STEP_ADD, name,
            pg_expr_take(isl_ast_node_for_get_inc(node), &c->names, c->fault));
        add(c, STEP_GO, 0, NULL)->target = head;
        c->code->steps[head].target = c->code->n;
    }
    c->names.n = name;
    isl_id_free(id);
    isl_ast_expr_free(iterator);
}

static void compile_if(struct compiling *c, isl_ast_node *node)
{
    size_t test = c->code->n, end;

    add(c, STEP_UNLESS, 0,
        pg_expr_take(isl_ast_node_if_get_cond(node), &c->names, c->fault));
    compile_take(c, isl_ast_node_if_get_then(node));
    if (isl_ast_node_if_has_else(node) == isl_bool_true) {
        end = c->code->n;
        add(c, STEP_GO, 0, NULL);
        c->code->steps[test].target = c->code->n;
        compile_take(c, isl_ast_node_if_get_else(node));
        c->code->steps[end].target = c->code->n;
    } else {
        c->code->steps[test].target = c->code->n;
    }
}

static struct expr **compile_all(struct compiling *c, isl_ast_expr **exprs,
                                 unsigned n)
{
    struct expr **all = pg_alloc(n + 1, sizeof(struct expr *));

    for (unsigned i = 0; exprs && i < n; i++)
        all[i] = pg_expr_compile(exprs[i], &c->names, c->fault);
    return all;
}

static void compile_call(struct compiling *c, isl_ast_node *node,
                         struct action *action)
{
    isl_ast_expr *expr = isl_ast_node_user_get_expr(node), *name;

    name = isl_ast_expr_get_op_arg(expr, 0);
    action->callee = isl_ast_expr_get_id(name);
    action->n = (unsigned)isl_ast_expr_get_op_n_arg(expr) - 1;
    action->args = pg_alloc(action->n + 1, sizeof(struct expr *));
    for (unsigned i = 0; i < action->n; i++)
        action->args[i] = pg_expr_take(
            isl_ast_expr_get_op_arg(expr, (int)i + 1), &c->names, c->fault);
    isl_ast_expr_free(name);
    isl_ast_expr_free(expr);
}

/* Iterations before the first one and from the limit on are not in the code.
 * isl may count some, in which nothing is done.
 */
static void add_limits(struct compiling *c)
{
    for (unsigned name = 0; name < c->names.n; name++)
        if (c->limits[name]) {
            struct step *step = add(c, STEP_BELOW, name, NULL);

            step->first = c->firsts[name];
            step->limit = c->limits[name];
        }
}

static void compile_user(struct compiling *c, isl_ast_node *node)
{
    isl_id *id = isl_ast_node_get_annotation(node);
    struct pg_user *user = id ? isl_id_get_user(id) : NULL;
    struct action *action = pg_alloc(1, sizeof(*action));

    isl_id_free(id);
    add_limits(c);
    add(c, STEP_ACTION, 0, NULL)->action = action;
    action->user = user;
    action->loop = c->loop;
    action->depth = c->names.n;
    if (!user) {
        compile_call(c, node, action);
        return;
    }
    action->n = user->n;
    action->args = compile_all(c, user->args, user->n);
    action->n_access = user->n_access;
    action->access = pg_alloc(user->n_access + 1, sizeof(struct expr **));
    action->n_subscript = pg_alloc(user->n_access + 1, sizeof(unsigned));
    for (unsigned a = 0; a < user->n_access; a++) {
        unsigned n = 0;

        while (user->access[a][n])
            n++;
        action->n_subscript[a] = n;
        action->access[a] = compile_all(c, user->access[a], n);
    }
    action->guard = compile_all(c, user->guard, user->n_access);
    action->whole = pg_expr_compile(user->whole, &c->names, c->fault);
    action->n_place = user->n_place;
    action->place = compile_all(c, user->place, user->n_place);
    for (int d = 0; d < 3; d++)
        action->grid[d] = pg_expr_compile(user->grid[d], &c->names, c->fault);
}

static void compile_mark(struct compiling *c, isl_ast_node *node)
{
    isl_id *id = isl_ast_node_mark_get_id(node);
    const struct pg_unroll *outer = c->unroll;

    if (!strcmp(isl_id_get_name(id), PG_MARK_UNROLL))
        c->unroll = isl_id_get_user(id);
    else if (strcmp(isl_id_get_name(id), PG_MARK_PIPELINE) != 0)
        pg_wrong(c->fault, "there is a mark '%s'", isl_id_get_name(id));
    compile_take(c, isl_ast_node_mark_get_node(node));
    c->unroll = outer;
    isl_id_free(id);
}

static void compile(struct compiling *c, isl_ast_node *node)
{
    isl_ast_node_list *list;
    int n;

    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_for:
        compile_for(c, node);
        return;
    case isl_ast_node_if:
        compile_if(c, node);
        return;
    case isl_ast_node_block:
        list = isl_ast_node_block_get_children(node);
        n = isl_ast_node_list_n_ast_node(list);
        for (int i = 0; i < n; i++)
            compile_take(c, isl_ast_node_list_get_ast_node(list, i));
        isl_ast_node_list_free(list);
        return;
    case isl_ast_node_mark:
        compile_mark(c, node);
        return;
    case isl_ast_node_user:
        compile_user(c, node);
        return;
    default:
        pg_cannot(c->fault, "an AST node is of no known kind");
    }
}

struct code *pg_code_compile(isl_ast_node *node, const struct names *names,
                             struct pg_fault *fault)
{
    struct compiling c = {.names = *names, .fault = fault};

    c.code = pg_alloc(1, sizeof(*c.code));
    if (node)
        compile(&c, node);
    else
        pg_wrong(fault, "no AST");
    add(&c, STEP_END, 0, NULL);
    return c.code;
}

bool pg_code_wanted(const struct windows *windows, unsigned stmt,
                    const long long *args, unsigned n)
{
    for (unsigned d = 0; d < n && d < MAX_WINDOW_ARGS; d++) {
        const struct window *w = &windows->stmts[stmt][d];
        bool in = w->n == 0;

        for (unsigned i = 0; i < w->n; i++)
            in |= args[d] >= w->low[i] && args[d] <= w->high[i];
        if (!in)
            return false;
    }
    return true;
}

/* If argument "d" of "action" is the iterator of "loop" times a positive
 * factor, with what is added in inner loops, that factor; then *x becomes the
 * least that the argument is in this iteration.
 */
static long long follows(const struct loop *loop, const struct action *action,
                         unsigned d, const struct windows *windows,
                         const long long *values, long long *x)
{
    unsigned end = loop->together ? windows->end : windows->first;
    long long factor = 0;

    if (windows->stmts[action->user->index][d].n &&
        (!windows->plain || pg_expr_ends_with(action->args[d], loop->name)))
        factor = pg_expr_partial(action->args[d], loop->name, windows->first,
                                 end, values, x);
    return factor > 0 ? factor : 0;
}

/* How many iterations to leave out until "action" wants one; -1: it wants none
 * any more.
 */
static long long wait_for(const struct loop *loop, const struct action *action,
                          const struct windows *windows,
                          const long long *values, long long inc)
{
    long long x, factor;

    for (unsigned d = 0; d < action->n && d < MAX_WINDOW_ARGS; d++) {
        const struct window *w = &windows->stmts[action->user->index][d];

        factor = follows(loop, action, d, windows, values, &x);
        if (!factor)
            continue;
        factor *= inc;
        for (unsigned i = 0; i < w->n; i++)
            if (x + factor - 1 >= w->low[i] && x <= w->high[i])
                return 0;
            else if (x < w->low[i])
                return (w->low[i] - x) / factor;
        return -1;
    }
    return 0;
}

/* Let a loop, of whose condition "step" is, go on where something is wanted. */
static void leave_out(const struct step *step, size_t *at, long long *values,
                      const struct windows *windows, struct pg_fault *fault)
{
    const struct loop *loop = step->loop;
    long long inc = pg_expr_eval(loop->inc, values, fault), least = -1;

    if (inc <= 0 || !loop->n)
        return;
    for (unsigned i = 0; i < loop->n; i++) {
        long long wait = wait_for(loop, loop->actions[i], windows, values, inc);

        if (wait == 0)
            return;
        if (wait > 0 && (least < 0 || wait < least))
            least = wait;
    }
    if (least < 0) {
        *at = step->target;
        return;
    }
    values[loop->name] += least * inc;
    --*at; /* the condition again */
}

bool pg_code_regular(const struct action *action, const long long *args,
                     const long long *values, const struct windows *windows,
                     struct pg_fault *fault)
{
    long long x, span;

    for (const struct loop *loop = action->loop; loop; loop = loop->outer)
        for (unsigned d = 0; d < action->n && d < MAX_WINDOW_ARGS; d++) {
            span = follows(loop, action, d, windows, values, &x);
            if (!span)
                continue;
            span *= pg_expr_eval(loop->inc, values, fault);
            if (args[d] < x || args[d] >= x + span)
                return false;
        }
    return true;
}

const struct action *pg_code_few(const struct code *code, size_t *at,
                                 long long *values,
                                 const struct windows *windows, long *work,
                                 struct pg_fault *fault)
{
    while (!fault->sentence) {
        const struct step *step = &code->steps[*at];
        long long value =
            step->expr ? pg_expr_eval(step->expr, values, fault) : 0;

        if (--*work < 0)
            pg_cannot(fault, out_of_work);

        ++*at;
        switch (step->kind) {
        case STEP_SET:
            values[step->name] = value;
            break;
        case STEP_ADD:
            values[step->name] += value;
            break;
        case STEP_BELOW:
            value = values[step->name];
            if (value < step->first || value >= step->limit)
                pg_wrong(fault,
                         "iteration %lld of a loop of %lld that is unrolled",
                         value, step->limit);
            break;
        case STEP_UNLESS:
            if (!value)
                *at = step->target;
            else if (windows && step->loop)
                leave_out(step, at, values, windows, fault);
            break;
        case STEP_GO:
            *at = step->target;
            break;
        case STEP_ACTION:
            return step->action;
        case STEP_END:
            --*at;
            return NULL;
        }
    }
    return NULL;
}

const struct action *pg_code_next(const struct code *code, size_t *at,
                                  long long *values, long *work,
                                  struct pg_fault *fault)
{
    return pg_code_few(code, at, values, NULL, work, fault);
}

/* By how much the loop's iterator of the step "at", which adds "by" to it, goes
 * on: to the last iteration, or over it.
 */
static __int128 jump(const struct code *code, size_t at, __int128 by,
                     const __int128 *values, unsigned bits,
                     struct pg_fault *fault)
{
    unsigned name = code->steps[at].name;
    const struct step *head = &code->steps[code->steps[at + 1].target];
    bool strict;
    const struct expr *bound = pg_expr_bound(head->expr, name, &strict);
    __int128 left;

    if (!bound || by <= 0) {
        pg_cannot(fault, "a loop is not a usual one");
        return by;
    }
    left = pg_expr_exact(bound, values, bits, fault) - strict - values[name];
    return left >= by ? left / by * by : by;
}

const struct action *pg_code_jump(const struct code *code, size_t *at,
                                  __int128 *values, unsigned bits, long *work,
                                  struct pg_fault *fault)
{
    while (!fault->sentence) {
        const struct step *step = &code->steps[*at];
        __int128 value =
            step->expr ? pg_expr_exact(step->expr, values, bits, fault) : 0;

        if (--*work < 0)
            pg_cannot(fault, out_of_work);
        switch (step->kind) {
        case STEP_SET:
            values[step->name] = value;
            break;
        case STEP_ADD:
            values[step->name] += jump(code, *at, value, values, bits, fault);
            break;
        case STEP_BELOW:
        case STEP_UNLESS:
        case STEP_GO:
            if (step->kind == STEP_GO || (step->kind == STEP_UNLESS && !value))
                *at = step->target - 1;
            break;
        case STEP_ACTION:
            ++*at;
            return step->action;
        case STEP_END:
            return NULL;
        }
        ++*at;
    }
    return NULL;
}

static void free_all(struct expr **exprs, unsigned n)
{
    for (unsigned i = 0; exprs && i < n; i++)
        pg_expr_free(exprs[i]);
    free(exprs);
}

static void free_action(struct action *action)
{
    if (!action)
        return;
    isl_id_free(action->callee);
    free_all(action->args, action->n);
    for (unsigned a = 0; a < action->n_access; a++)
        free_all(action->access[a], action->n_subscript[a]);
    free(action->access);
    free(action->n_subscript);
    free_all(action->guard, action->n_access);
    pg_expr_free(action->whole);
    free_all(action->place, action->n_place);
    for (int d = 0; d < 3; d++)
        pg_expr_free(action->grid[d]);
    free(action);
}

void pg_code_free(struct code *code)
{
    if (!code)
        return;
    for (size_t i = 0; i < code->n; i++) {
        pg_expr_free(code->steps[i].expr);
        free_action(code->steps[i].action);
        if (code->steps[i].loop) {
            pg_expr_free(code->steps[i].loop->inc);
            free(code->steps[i].loop->actions);
            free(code->steps[i].loop);
        }
    }
    free(code->steps);
    free(code);
}
