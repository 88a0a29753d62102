/* print.c - what was decided, for people and for tests.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "support/text.h"

#include <isl/options.h>
#include <isl/printer.h>
#include <stdlib.h>
#include <string.h>

/* Append "title" and then "string" (malloc'ed, freed here), indented. */
static void add_block(struct pg_text *text, const char *title, char *string)
{
    pg_text_add(text, "%s:\n", title);
    pg_text_add_indented(text, string ? string : "(none)", 2);
    free(string);
}

/* Add a line for one map of a union map. */
static isl_stat add_map(__isl_take isl_map *map, void *user)
{
    char *string = isl_map_to_str(map);

    pg_text_add(user, "  %s\n", string ? string : "");
    free(string);
    isl_map_free(map);
    return isl_stat_ok;
}

/* Two lines in alphabetical order. */
static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Append the lines of "lines" (malloc'ed, freed here) in alphabetical order,
 * which unlike isl's does not depend on hashes.
 */
static void add_sorted(struct pg_text *text, char *lines)
{
    size_t n = 0, i = 0;
    char **line;

    for (char *c = lines; *c; c++)
        n += *c == '\n';
    line = pg_alloc(n, sizeof(*line));
    for (char *c = strtok(lines, "\n"); c; c = strtok(NULL, "\n"))
        line[i++] = c;
    qsort(line, i, sizeof(*line), &compare_lines);
    for (size_t j = 0; j < i; j++)
        pg_text_add(text, "%s\n", line[j]);
    free(line);
    free(lines);
}

/* Append "title" and the maps of "relation", one on each line. */
static void add_relation(struct pg_text *text, const char *title,
                         __isl_keep isl_union_map *relation)
{
    struct pg_text lines = {0};

    pg_text_add(text, "%s:\n", title);
    if (relation)
        isl_union_map_foreach_map(relation, &add_map, &lines);
    add_sorted(text, pg_text_take(&lines));
}

/* Append "title" and the sets of "elements", one on each line. */
static void add_elements(struct pg_text *text, const char *title,
                         __isl_keep isl_union_set *elements)
{
    isl_set_list *list = isl_union_set_get_set_list(elements);
    struct pg_text lines = {0};
    isl_size n = elements ? isl_set_list_n_set(list) : 0;

    pg_text_add(text, "%s:\n", title);
    for (int i = 0; i < n; i++) {
        isl_set *set = isl_set_list_get_set(list, i);
        char *string = isl_set_to_str(set);

        pg_text_add(&lines, "  %s\n", string ? string : "");
        free(string);
        isl_set_free(set);
    }
    isl_set_list_free(list);
    add_sorted(text, pg_text_take(&lines));
}

/* The dependences, what is live, and the schedule tree. */
char *pg_schedule_to_str(const struct pg_scop *scop)
{
    struct pg_text text = {0};

    add_relation(&text, "read after write", scop->raw);
    add_relation(&text, "write after read", scop->war);
    add_relation(&text, "write after write", scop->waw);
    if (scop->live_in)
        add_elements(&text, "live in", scop->live_in);
    if (scop->live_out)
        add_elements(&text, "live out", scop->live_out);
    if (scop->schedule)
        add_block(&text,
                  scop->schedule_gisted ? "schedule (gisted)" : "schedule",
                  pg_tree_to_str(scop->schedule));
    return pg_text_take(&text);
}

/* What the printer of user nodes needs. */
struct printing {
    const struct pg_scop *scop;
    const struct pg_plan *plan;
    const struct pg_kernel *kernel; /* whose code it is, or NULL */
    pg_stmt_printer stmt;
    void *user;
    bool out; /* elements are moved to the host, or would be */
};

/* Append "expr" as C. */
static void add_expr(struct pg_text *text, __isl_keep isl_ast_expr *expr)
{
    char *string = isl_ast_expr_to_C_str(expr);

    pg_text_add(text, "%s", string ? string : "?");
    free(string);
}

/* Append the arguments of "user", with commas between. */
static void add_args(struct pg_text *text, const struct pg_user *user)
{
    for (unsigned i = 0; i < user->n; i++) {
        pg_text_add(text, i ? ", " : "");
        add_expr(text, user->args[i]);
    }
}

/* The name of "array" for people; a temporary is not the array of the source,
 * and not all that the source computes has a name.
 */
static const char *name_of(const struct pg_array *array)
{
    return array->source_name && !strchr(array->source_name, ' ') &&
                   array->kind != PG_ARRAY_TEMPORARY
               ? array->source_name
               : array->name;
}

/* Append element "subscripts" of "buffer" as "shared0_A[k][i]". */
static void add_element(struct pg_text *text, const struct pg_buffer *buffer,
                        isl_ast_expr **subscripts)
{
    bool shared = buffer->kind == PG_BUFFER_SHARED;

    pg_text_add(text, "%s", buffer->name);
    for (unsigned d = 0; d < buffer->n_dim; d++) {
        if (shared && d == buffer->innermost)
            continue;
        pg_text_add(text, "[");
        add_expr(text, subscripts[d]);
        pg_text_add(text, "]");
    }
    if (!shared)
        return;
    pg_text_add(text, "[");
    add_expr(text, subscripts[buffer->innermost]);
    pg_text_add(text, "]");
}

/* Append the subscripts "args" of "n" dimensions. */
static void add_subscripts(struct pg_text *text, unsigned n,
                           isl_ast_expr **args)
{
    for (unsigned i = 0; i < n; i++) {
        pg_text_add(text, "[");
        add_expr(text, args[i]);
        pg_text_add(text, "]");
    }
}

/* Append the box that the copy "user" is about, as "[i .. +32]". */
static void add_box(struct pg_text *text, const struct pg_buffer *buffer,
                    const struct pg_user *user)
{
    for (unsigned d = 0; d < user->n; d++) {
        pg_text_add(text, "[");
        add_expr(text, user->args[d]);
        pg_text_add(text, " .. +%u", buffer->extent[d]);
        if (buffer->stride[d] > 1)
            pg_text_add(text, " by %u", buffer->stride[d]);
        pg_text_add(text, "]");
    }
}

/* Append when the copy "user" moves all of its box and, if that is written,
 * which elements it moves else, by their subscripts and the place of the
 * box.
 */
static void add_moved(struct pg_text *text, const struct printing *printing,
                      const struct pg_user *user, isl_ast_expr *condition)
{
    const struct pg_mapping *mapping = printing->kernel->mapping;

    if (!user->whole)
        return;
    pg_text_add(text, " /* all there if ");
    add_expr(text, user->whole);
    if (mapping->kind == PG_MAPPING_SHARED ||
        mapping->buffers[user->index].written) {
        pg_text_add(text, ", else where ");
        add_expr(text, condition);
    }
    for (unsigned i = 0; i < user->n_place; i++) {
        pg_text_add(text, ", i%u = ", i);
        add_expr(text, user->place[i]);
    }
    pg_text_add(text, " */");
}

/* Append what a copy, a load or a store moves. */
static void add_copy(struct pg_text *text, const struct printing *printing,
                     const struct pg_user *user)
{
    const struct pg_buffer *buffer =
        &printing->kernel->mapping->buffers[user->index];
    const char *array = name_of(&printing->scop->arrays[buffer->array]);

    if (user->kind == PG_USER_COPY) {
        pg_text_add(text, "copy %s = %s", buffer->name, array);
        add_box(text, buffer, user);
        pg_text_add(text, ";");
        add_moved(text, printing, user, printing->kernel->inside[user->index]);
        return;
    }
    if (user->kind == PG_USER_BACK) {
        pg_text_add(text, "copy %s", array);
        add_box(text, buffer, user);
        pg_text_add(text, " = %s;", buffer->name);
        add_moved(text, printing, user, printing->kernel->back[user->index]);
        return;
    }
    if (user->kind == PG_USER_LOAD) {
        add_element(text, buffer, user->access[0]);
        pg_text_add(text, " = ");
    }
    pg_text_add(text, "%s", array);
    add_subscripts(text, user->n, user->args);
    if (user->kind == PG_USER_STORE) {
        pg_text_add(text, " = ");
        add_element(text, buffer, user->access[0]);
    }
    pg_text_add(text, ";");
}

/* Append access "i" of "user" as "A[i][j]". */
static void add_access(struct pg_text *text, const struct printing *printing,
                       const struct pg_user *user, unsigned i)
{
    const struct pg_scop *scop = printing->scop;
    unsigned a = scop->stmts[user->index].accesses[i].array;
    const struct pg_array *array = &scop->arrays[a];

    if (user->redirected && user->redirected[i] >= 0) {
        add_element(text,
                    &printing->kernel->mapping->buffers[user->redirected[i]],
                    user->access[i]);
        return;
    }
    pg_text_add(text, "%s", name_of(array));
    if (printing->plan && !pg_plan_has_subscripts(printing->plan, a))
        return;
    for (unsigned d = 0; d < array->n_dim; d++) {
        pg_text_add(text, "[");
        add_expr(text, user->access[i][d]);
        pg_text_add(text, "]");
    }
}

/* Append "S(i, j); // writes A[i][j], reads B[j]". */
static void add_generic(struct pg_text *text, const struct printing *printing,
                        const struct pg_user *user)
{
    const struct pg_stmt *stmt = &printing->scop->stmts[user->index];
    static const char *const words[] = {"reads", "writes"};

    pg_text_add(text, "%s(", stmt->name);
    add_args(text, user);
    pg_text_add(text, ");");
    for (int write = 1; write >= 0; write--) {
        bool first = true;

        for (unsigned i = 0; i < user->n_access; i++) {
            if (stmt->accesses[i].write != (write == 1))
                continue;
            pg_text_add(text, first ? " /* %s " : ", ", words[write]);
            first = false;
            add_access(text, printing, user, i);
        }
        pg_text_add(text, first ? "" : " */");
    }
}

/* Append the text of a statement instance, from the caller's printer if there
 * is one.
 */
static void add_instance(struct pg_text *text, const struct printing *printing,
                         const struct pg_user *user)
{
    char **args = pg_alloc(user->n, sizeof(*args));
    char **access = pg_alloc(user->n_access, sizeof(*access));
    char *source = NULL;

    for (unsigned i = 0; i < user->n; i++)
        args[i] = isl_ast_expr_to_C_str(user->args[i]);
    for (unsigned i = 0; i < user->n_access; i++) {
        struct pg_text one = {0};

        add_access(&one, printing, user, i);
        access[i] = pg_text_take(&one);
    }
    if (printing->stmt)
        source = printing->stmt(printing->user, user->index,
                                (const char *const *)args,
                                (const char *const *)access);
    if (source)
        pg_text_add(text, "%s", source);
    else
        add_generic(text, printing, user);
    free(source);
    for (unsigned i = 0; i < user->n; i++)
        free(args[i]);
    for (unsigned i = 0; i < user->n_access; i++)
        free(access[i]);
    free(args);
    free(access);
}

/* Append what a launch does. */
static void add_launch(struct pg_text *text, const struct printing *printing,
                       const struct pg_user *user)
{
    const struct pg_kernel *kernel = &printing->plan->kernels[user->index];

    pg_text_add(text, "launch %s<<<(", kernel->name);
    for (unsigned d = 0; d < 3; d++) {
        pg_text_add(text, d ? ", " : "");
        add_expr(text, user->grid[d]);
    }
    pg_text_add(text, "), (%u, %u, %u)>>>(", kernel->mapping->block[0],
                kernel->mapping->block[1], kernel->mapping->block[2]);
    add_args(text, user);
    pg_text_add(text, ");");
}

/* Append the one line that "user" stands for. */
static void add_user(struct pg_text *text, const struct printing *printing,
                     const struct pg_user *user)
{
    const struct pg_array *array;

    switch (user->kind) {
    case PG_USER_STMT:
        add_instance(text, printing, user);
        break;
    case PG_USER_BARRIER:
        pg_text_add(text, "__syncthreads();");
        break;
    case PG_USER_COPY:
    case PG_USER_BACK:
    case PG_USER_LOAD:
    case PG_USER_STORE:
        add_copy(text, printing, user);
        break;
    case PG_USER_LAUNCH:
        add_launch(text, printing, user);
        break;
    case PG_USER_MOVE:
        array = &printing->scop->arrays[user->index];
        pg_text_add(text, "%s(%s",
                    printing->out && array->dead_after ? "reserve" : "move",
                    name_of(array));
        for (unsigned i = 0; i < user->n; i++) {
            pg_text_add(text, "[");
            add_expr(text, user->args[i]);
            pg_text_add(text, "]");
        }
        pg_text_add(text, ");");
        break;
    }
}

/* Print a user node. */
static __isl_give isl_printer *
print_user(__isl_take isl_printer *p, __isl_take isl_ast_print_options *options,
           __isl_keep isl_ast_node *node, void *data)
{
    struct pg_text text = {0};
    struct pg_user *user = pg_user_of(node);
    char *string;

    if (user)
        add_user(&text, data, user);
    string = pg_text_take(&text);
    for (char *line = strtok(string, "\n"); line; line = strtok(NULL, "\n")) {
        p = isl_printer_start_line(p);
        p = isl_printer_print_str(p, line);
        p = isl_printer_end_line(p);
    }
    free(string);
    isl_ast_print_options_free(options);
    return p;
}

/* "node" as C; with the macros it uses in front if "macros". */
static char *ast_to_str(__isl_keep isl_ast_node *node,
                        struct printing *printing, bool macros)
{
    isl_ast_print_options *options;
    isl_printer *p;
    char *string;
    isl_ctx *ctx;

    if (!node)
        return NULL;
    ctx = isl_ast_node_get_ctx(node);
    options = isl_ast_print_options_alloc(ctx);
    options =
        isl_ast_print_options_set_print_user(options, &print_user, printing);
    p = isl_printer_to_str(ctx);
    p = isl_printer_set_output_format(p, ISL_FORMAT_C);
    if (macros)
        p = isl_ast_node_print_macros(node, p);
    p = isl_ast_node_print(node, p, options);
    string = isl_printer_get_str(p);
    isl_printer_free(p);
    return string;
}

/* Append the head line and the mapped tree of kernel "k". */
static void add_kernel(struct pg_text *text, const struct pg_plan *plan,
                       unsigned k)
{
    const struct pg_kernel *kernel = &plan->kernels[k];
    char *tree, limit[3][16];

    for (unsigned d = 0; d < 3; d++)
        if (kernel->mapping->grid_limit[d] < PG_GRID_ALL)
            snprintf(limit[d], sizeof(limit[d]), "%u",
                     kernel->mapping->grid_limit[d]);
        else
            strcpy(limit[d], "any");
    pg_text_add(text, "kernel %u: %s line %u\n", k, kernel->name, kernel->line);
    if (kernel->parallel)
        pg_text_add(text,
                    "  parallel %u, grid at most %s x %s x %s, "
                    "block %u x %u x %u%s\n",
                    kernel->n_parallel, limit[0], limit[1], limit[2],
                    kernel->mapping->block[0], kernel->mapping->block[1],
                    kernel->mapping->block[2],
                    kernel->has_barrier ? ", barriers" : "");
    else
        pg_text_add(text, "  one thread\n");
    for (unsigned i = 0; i < kernel->n_host; i++)
        pg_text_add(text, i ? ", %s" : "  host iterators %s", kernel->host[i]);
    pg_text_add(text, kernel->n_host ? "\n" : "");
    if (kernel->tiled)
        pg_text_add(text, "  a launch is a wave of tiles, a block a tile\n");
    else if (kernel->combines)
        pg_text_add(text, "  combines partial results\n");
    else if (kernel->steps)
        pg_text_add(text, "  with the loops around kernels in it\n");
    if (kernel->choice)
        pg_text_add(text, "  %s\n", kernel->choice);
    pg_text_add(text, "  schedule:\n");
    tree = pg_tree_to_str(kernel->mapping->schedule);
    pg_text_add_indented(text, tree, 4);
    free(tree);
}

/* Append the temporaries, if there are any, as "float x_private[n][m]". */
static void add_temporaries(struct pg_text *text, const struct pg_plan *plan)
{
    bool any = false;

    for (unsigned a = 0; plan->extents && a < plan->scop->n_array; a++) {
        const struct pg_array *array = &plan->scop->arrays[a];

        if (!plan->extents[a])
            continue;
        pg_text_add(text, "%s  %s %s", any ? "" : "temporaries:\n", array->type,
                    array->name);
        for (unsigned d = 0; d < array->n_dim; d++) {
            pg_text_add(text, "[");
            add_expr(text, plan->extents[a][d]);
            pg_text_add(text, "]");
        }
        pg_text_add(text, "\n");
        any = true;
    }
}

/* The mapping, the host's loops and the copies. */
char *pg_plan_to_str(const struct pg_plan *plan)
{
    struct printing printing = {.scop = plan->scop, .plan = plan};
    struct pg_text text = {0};

    pg_text_add(&text, "scop %s line %u: %u kernel%s\n", plan->scop->function,
                plan->scop->line, plan->n_kernel,
                plan->n_kernel == 1 ? "" : "s");
    for (unsigned k = 0; k < plan->n_kernel; k++)
        add_kernel(&text, plan, k);
    if (!plan->host)
        return pg_text_take(&text);
    add_temporaries(&text, plan);
    pg_text_add(&text, "run if: ");
    add_expr(&text, plan->nonempty);
    pg_text_add(&text, "\n");
    add_block(&text, "copy in", ast_to_str(plan->in, &printing, false));
    add_block(&text, "host", ast_to_str(plan->host, &printing, false));
    if (plan->chained) {
        pg_text_add(&text, "other way if: ");
        add_expr(&text, plan->chain);
        pg_text_add(&text, "\n");
        add_block(&text, "host, other way",
                  ast_to_str(plan->chained, &printing, false));
    }
    printing.out = true;
    add_block(&text, "copy out", ast_to_str(plan->out, &printing, false));
    pg_text_add(&text, "indices: %u bits, parameters at most %lld\n",
                plan->index_bits, plan->param_limit);
    return pg_text_take(&text);
}

/* Does "kernel" access array "array"? */
static bool uses(const struct pg_plan *plan, const struct pg_kernel *kernel,
                 unsigned array)
{
    bool found = plan->scop->arrays[array].indirect;

    for (unsigned s = 0; !found && s < plan->scop->n_stmt; s++) {
        const struct pg_stmt *stmt = &plan->scop->stmts[s];
        isl_set *part = isl_union_set_extract_set(
            kernel->domain, isl_set_get_space(stmt->domain));

        for (unsigned i = 0; i < stmt->n_access; i++)
            found |= stmt->accesses[i].array == array &&
                     isl_set_is_empty(part) == isl_bool_false;
        isl_set_free(part);
    }
    return found;
}

/* Append the parameters of the function of "kernel". */
static void add_signature(struct pg_text *text, const struct pg_plan *plan,
                          const struct pg_kernel *kernel)
{
    const struct pg_scop *scop = plan->scop;
    const char *integer = plan->index_bits == 32 ? "int" : "long";
    bool first = true;

    pg_text_add(text, "__global__ void %s(", kernel->name);
    for (unsigned i = 0; i < scop->n_array; i++) {
        const struct pg_array *array = &scop->arrays[i];

        if (!pg_plan_in_memory(plan, i) || !uses(plan, kernel, i))
            continue;
        pg_text_add(text, "%s%s *%s", first ? "" : ", ", array->type,
                    name_of(array));
        first = false;
    }
    for (unsigned i = 0; i < scop->n_param; i++) {
        pg_text_add(text, "%s%s %s", first ? "" : ", ", integer,
                    scop->params[i].name);
        first = false;
    }
    for (unsigned i = 0; i < kernel->n_host; i++) {
        pg_text_add(text, "%s%s %s", first ? "" : ", ", integer,
                    kernel->host[i]);
        first = false;
    }
    pg_text_add(text, ")\n");
}

/* Append the declarations of block or thread numbers. */
static void add_ids(struct pg_text *text, char kind, const char *builtin,
                    unsigned n)
{
    for (unsigned d = 0; d < n; d++)
        pg_text_add(text, "%s%c%u = %s.%c", d ? ", " : "    int ", kind, d,
                    builtin, "xyz"[d]);
    pg_text_add(text, n ? ";\n" : "");
}

/* Append the declaration of a thread's own variable for array "a".  A dimension
 * of one element is one whose subscript does not matter, and one without a
 * number is as long as the array's.
 */
static void add_local(struct pg_text *text, const struct pg_plan *plan,
                      unsigned a)
{
    const struct pg_array *array = &plan->scop->arrays[a];

    pg_text_add(text, "    %s %s", array->type, name_of(array));
    for (unsigned d = 0; plan->own && plan->own[a] && d < array->n_dim; d++)
        if (plan->own[a][d])
            pg_text_add(text, "[%u]", plan->own[a][d]);
        else
            pg_text_add(text, "[]");
    pg_text_add(text, ";\n");
}

/* Append the declarations of a thread's own variables. */
static void add_locals(struct pg_text *text, const struct pg_plan *plan,
                       const struct pg_kernel *kernel)
{
    for (unsigned a = 0; a < plan->scop->n_array; a++)
        if (plan->is_private[a] && uses(plan, kernel, a))
            add_local(text, plan, a);
}

/* Append the declarations of the buffers of "kernel". */
static void add_buffers(struct pg_text *text, const struct pg_plan *plan,
                        const struct pg_kernel *kernel)
{
    for (unsigned i = 0; i < kernel->mapping->n_buffer; i++) {
        const struct pg_buffer *buffer = &kernel->mapping->buffers[i];
        bool shared = buffer->kind == PG_BUFFER_SHARED;

        pg_text_add(text, "    %s%s %s", shared ? "__shared__ " : "",
                    plan->scop->arrays[buffer->array].type, buffer->name);
        for (unsigned d = 0; d < buffer->n_dim; d++)
            if (!shared || d != buffer->innermost)
                pg_text_add(text,
                            buffer->folded && d == buffer->plane ? "[modulo %u]"
                                                                 : "[%u]",
                            buffer->extent[d]);
        if (shared)
            pg_text_add(text, "[%u]",
                        buffer->extent[buffer->innermost] + buffer->pad);
        pg_text_add(text, ";\n");
    }
}

/* CUDA-like source of one kernel. */
char *pg_kernel_to_str(const struct pg_plan *plan, unsigned kernel,
                       pg_stmt_printer stmt, void *user)
{
    const struct pg_kernel *k = &plan->kernels[kernel];
    struct printing printing = {plan->scop, plan, k, stmt, user, false};
    struct pg_text text = {0};
    char *body, *code;

    isl_options_set_ast_iterator_type(plan->scop->ctx,
                                      plan->index_bits == 32 ? "int" : "long");
    body = ast_to_str(k->ast, &printing, true);
    isl_options_set_ast_iterator_type(plan->scop->ctx, "int");
    code = body;
    while (code && !strncmp(code, "#define", strlen("#define"))) {
        size_t length = strcspn(code, "\n");

        pg_text_add(&text, "%.*s\n", (int)length, code);
        code += length + (code[length] == '\n');
    }
    add_signature(&text, plan, k);
    pg_text_add(&text, "{\n");
    add_ids(&text, 'b', "blockIdx", k->mapping->n_grid);
    for (unsigned d = 1; d < k->mapping->n_grid; d++)
        if (k->mapping->grid_limit[d] > PG_GRID_YZ)
            pg_text_add(
                &text,
                "    /* and b%u + %d, ... where there are more tiles */\n", d,
                PG_GRID_YZ);
    add_ids(&text, 't', "threadIdx", k->mapping->n_block);
    add_locals(&text, plan, k);
    add_buffers(&text, plan, k);
    pg_text_add(&text, k->mapping->n_grid + k->mapping->n_block ? "\n" : "");
    pg_text_add_indented(&text, code, 4);
    pg_text_add(&text, "}\n");
    free(body);
    return pg_text_take(&text);
}
