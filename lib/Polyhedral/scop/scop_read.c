/* scop_read.c - read the text form of a SCoP (see scop_print.c).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "scop/scop.h"
#include "support/text.h"

#include <isl/aff.h>
#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

/* Where the reader is, and what it has. */
struct reader {
    const char *at;
    unsigned line;
    char *error; /* the first one; then nothing more is read */
    struct pg_scop *scop;
};

/* Remember what is wrong in this line, if nothing was wrong before. */
static void fail(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void fail(struct reader *r, const char *format, ...)
{
    struct pg_text text = {0};
    va_list args;

    if (r->error)
        return;
    pg_text_add(&text, "line %u: ", r->line);
    va_start(args, format);
    pg_text_add_v(&text, format, args);
    va_end(args);
    r->error = pg_text_take(&text);
}

/* Go to the next word of this line; is there one? */
static bool more(struct reader *r)
{
    if (r->error)
        return false;
    r->at += strspn(r->at, " \t\r");
    if (*r->at == '#')
        r->at += strcspn(r->at, "\n");
    return *r->at && *r->at != '\n';
}

/* The next word or quoted string of this line, malloc'ed; "what" it should be
 * is for the error.  NULL after an error.
 */
static char *word(struct reader *r, const char *what)
{
    struct pg_text text = {0};
    bool quoted;

    if (!more(r)) {
        fail(r, "%s is missing", what);
        return NULL;
    }
    quoted = *r->at == '"';
    r->at += quoted;
    while (*r->at && *r->at != '\n' &&
           (quoted ? *r->at != '"' : !strchr(" \t\r\"#", *r->at))) {
        char c = *r->at++;

        if (quoted && c == '\\' && *r->at && *r->at != '\n') {
            c = *r->at++;
            c = c == 'n' ? '\n' : c;
        }
        pg_text_add(&text, "%c", c);
    }
    if (quoted && *r->at != '"')
        fail(r, "%s has no closing quote", what);
    else
        r->at += quoted;
    if (r->error)
        free(pg_text_take(&text));
    return r->error ? NULL : pg_text_take(&text);
}

/* The next word as a number. */
static unsigned number(struct reader *r, const char *what)
{
    char *string = word(r, what), *end;
    unsigned long value = 0;

    if (!string)
        return 0;
    value = strtoul(string, &end, 10);
    if (!*string || *end || *string < '0' || *string > '9' ||
        value > 0x7fffffff)
        fail(r, "%s should be a number, not '%s'", what, string);
    free(string);
    return (unsigned)value;
}

/* The next word must be "keyword". */
static void expect(struct reader *r, const char *keyword)
{
    char *string = word(r, keyword);

    if (string && strcmp(string, keyword))
        fail(r, "'%s' should be '%s'", string, keyword);
    free(string);
}

/* Is the next word "keyword"?  Then it is read. */
static bool is_next(struct reader *r, const char *keyword)
{
    size_t n = strlen(keyword), blanks = strspn(r->at, " \t");
    bool is = !r->error && !strncmp(r->at + blanks, keyword, n) &&
              strchr(" \t\r\n#", r->at[blanks + n]);

    r->at += is ? blanks + n : 0;
    return is;
}

/* The next word must be one of "words", which a NULL ends: its index. */
static unsigned choose(struct reader *r, const char *const *words)
{
    char *string = word(r, words[0]);
    struct pg_text text = {0};
    unsigned index = 0;

    if (!string)
        return 0;
    while (words[index] && strcmp(string, words[index]))
        index++;
    if (!words[index]) {
        for (unsigned i = 0; i < index; i++)
            pg_text_add(&text, "%s%s",
                        i == 0       ? ""
                        : index == 2 ? " nor "
                                     : ", ",
                        words[i]);
        fail(r, "'%s' is %s %s", string, index == 2 ? "neither" : "none of",
             text.data);
        free(pg_text_take(&text));
        index = 0;
    }
    free(string);
    return index;
}

/* The parameter space of the scop, once there is a context. */
static __isl_give isl_space *parameters(struct reader *r)
{
    return isl_set_get_space(r->scop->context);
}

/* Does "space" have only parameters that were declared? */
static void check_params(struct reader *r, __isl_take isl_space *space)
{
    isl_size n = isl_space_dim(space, isl_dim_param);

    for (int i = 0; i < n; i++) {
        const char *name =
            isl_space_get_dim_name(space, isl_dim_param, (unsigned)i);
        bool known = false;

        for (unsigned j = 0; name && j < r->scop->n_param; j++)
            known |= !strcmp(r->scop->params[j].name, name);
        if (!known)
            fail(r, "'%s' is not among the parameters", name ? name : "?");
    }
    isl_space_free(space);
}

/* The line "scop". */
static void read_head(struct reader *r)
{
    struct pg_scop *scop = r->scop;

    if (scop->function)
        fail(r, "a second scop begins");
    if (r->error)
        return;
    scop->function = word(r, "the function's name");
    expect(r, "file");
    scop->file = word(r, "the file's name");
    expect(r, "line");
    scop->line = number(r, "the line");
}

/* The line "param". */
static void read_param(struct reader *r)
{
    struct pg_scop *scop = r->scop;
    struct pg_param *param;
    char *name;

    if (scop->context)
        fail(r, "parameters come before the context");
    name = word(r, "the parameter's name");
    for (unsigned i = 0; name && i < scop->n_param; i++)
        if (!strcmp(scop->params[i].name, name))
            fail(r, "the parameter '%s' is declared twice", name);
    if (r->error) {
        free(name);
        return;
    }
    scop->params = pg_grow(scop->params, scop->n_param, sizeof(*param));
    param = &scop->params[scop->n_param++];
    param->name = name;
    param->source_name = word(r, "the parameter's name in the source");
}

/* The line "context". */
static void read_context(struct reader *r)
{
    struct pg_scop *scop = r->scop;
    char *string = word(r, "the context");
    isl_space *space;

    if (scop->context)
        fail(r, "a second context begins");
    if (!r->error) {
        space = isl_space_params_alloc(scop->ctx, 0);
        for (unsigned i = 0; i < scop->n_param; i++) {
            space = isl_space_add_dims(space, isl_dim_param, 1);
            space = isl_space_set_dim_name(space, isl_dim_param, i,
                                           scop->params[i].name);
        }
        scop->context = isl_set_read_from_str(scop->ctx, string);
        if (!scop->context)
            fail(r, "the context is not a set in isl's notation");
        else if (isl_set_is_params(scop->context) != isl_bool_true)
            fail(r, "the context is not about parameters only");
        if (!r->error)
            check_params(r, isl_set_get_space(scop->context));
        if (!r->error)
            scop->context = isl_set_align_params(scop->context, space);
        else
            isl_space_free(space);
    }
    free(string);
}

/* The extents at the end of a line "array". */
static void read_extents(struct reader *r, struct pg_array *array)
{
    array->extent = pg_alloc(array->n_dim, sizeof(*array->extent));
    for (unsigned d = array->kind == PG_ARRAY_TEMPORARY ? 0 : 1;
         d < array->n_dim; d++) {
        char *string;

        expect(r, "extent");
        if (number(r, "the dimension") != d)
            fail(r, "the extent of dimension %u is missing", d);
        string = word(r, "the extent");
        if (string) {
            array->extent[d] = isl_pw_aff_read_from_str(r->scop->ctx, string);
            if (!array->extent[d])
                fail(r, "the extent is not an expression in isl's notation");
            else
                check_params(r, isl_pw_aff_get_domain_space(array->extent[d]));
        }
        if (string && !r->error)
            array->extent[d] =
                isl_pw_aff_align_params(array->extent[d], parameters(r));
        free(string);
    }
}

/* The array that the temporary "array" has values of. */
static void read_origin(struct reader *r, struct pg_array *array)
{
    char *name;
    int origin;

    expect(r, "of");
    name = word(r, "the array that it is a temporary of");
    origin = pg_scop_find_array(r->scop, name);
    if (origin < 0 || origin == (int)array->origin)
        fail(r, "there is no array '%s'", name ? name : "");
    else
        array->origin = (unsigned)origin;
    free(name);
    array->of_block = is_next(r, "block");
    if (is_next(r, "planes")) {
        array->planes = number(r, "the planes that are needed at a time");
        expect(r, "at");
        array->plane = number(r, "the dimension of planes");
        if (!r->error && array->plane >= array->n_dim)
            fail(r, "the array has no dimension %u", array->plane);
    }
}

/* The line "array". */
static void read_array(struct reader *r)
{
    static const char *const kinds[] = {"memory", "value", "phi", "temporary",
                                        NULL};
    static const char *const lives[] = {"live", "dead", NULL};
    struct pg_scop *scop = r->scop;
    struct pg_array *array;
    char *name = word(r, "the array's name");

    if (!scop->context)
        fail(r, "arrays come after the context");
    if (pg_scop_find_array(scop, name) >= 0)
        fail(r, "the array '%s' is declared twice", name);
    if (r->error) {
        free(name);
        return;
    }
    array = pg_scop_add_array(scop);
    array->name = name;
    array->source_name = word(r, "the array's name in the source");
    array->type = word(r, "the type of the elements");
    array->elem_size = number(r, "the size of an element");
    array->kind = (enum pg_array_kind)choose(r, kinds);
    array->n_dim = number(r, "the number of dimensions");
    array->dead_after = choose(r, lives) == 1;
    array->origin = scop->n_array - 1;
    if ((array->kind == PG_ARRAY_VALUE || array->kind == PG_ARRAY_PHI) &&
        array->n_dim > 0)
        fail(r, "a value or phi has no dimensions");
    if (array->kind == PG_ARRAY_TEMPORARY)
        read_origin(r, array);
    if (is_next(r, "known"))
        array->known = number(r, "the number of elements");
    array->indirect = is_next(r, "indirect");
    array->updated = array->indirect && is_next(r, "updated");
    array->flagged = array->updated && !array->dead_after;
    if (array->n_dim > 64)
        fail(r, "an array has %u dimensions, more than 64", array->n_dim);
    if (array->elem_size == 0)
        fail(r, "an element has no size");
    if (!r->error)
        read_extents(r, array);
    else
        array->n_dim = 0;
}

/* The statement that "stmt" is a part of. */
static void read_whole(struct reader *r, struct pg_stmt *stmt)
{
    char *name = word(r, "the statement that it is a part of");
    int origin = pg_scop_find_stmt(r->scop, name);

    if (origin < 0 || origin == (int)stmt->origin)
        fail(r, "there is no statement '%s'", name ? name : "");
    else
        stmt->origin = (unsigned)origin;
    free(name);
}

/* The next word must be an operator. */
static enum pg_operator read_operator(struct reader *r)
{
    const char *names[PG_OP_FMAX + 1] = {NULL};

    for (unsigned op = PG_OP_ADD; op <= PG_OP_FMAX; op++)
        names[op - 1] = pg_operator_name((enum pg_operator)op);
    return (enum pg_operator)(choose(r, names) + 1);
}

/* How the statement updates an element. */
static void read_update(struct reader *r, struct pg_stmt *stmt)
{
    struct pg_update *update = pg_stmt_add_update(stmt);

    update->op = read_operator(r);
    update->old = number(r, "the read of what is updated");
    update->updated = number(r, "the write of what is updated");
}

/* What follows in a line "stmt" up to the domain, and that word. */
static void read_role(struct reader *r, struct pg_stmt *stmt)
{
    static const char *const roles[] = {
        "domain",  "total",  "of",        "copy", "fill",
        "combine", "update", "reordered", "tile", NULL};
    int role;

    stmt->origin = r->scop->n_stmt - 1;
    while (!r->error && (role = choose(r, roles)) != 0)
        switch (role) {
        case 1:
            stmt->total = true;
            break;
        case 2:
            read_whole(r, stmt);
            break;
        case 3:
        case 4:
        case 5:
            stmt->kind = role == 3   ? PG_STMT_COPY
                         : role == 4 ? PG_STMT_FILL
                                     : PG_STMT_COMBINE;
            stmt->total = true;
            stmt->op = role == 3 ? PG_OP_NONE : read_operator(r);
            break;
        case 6:
            read_update(r, stmt);
            break;
        case 7:
            stmt->reordered = true;
            break;
        case 8:
            stmt->n_tile = number(r, "the number of iterators of tiles");
            break;
        default:
            return;
        }
}

/* The line "stmt". */
static void read_stmt(struct reader *r)
{
    struct pg_scop *scop = r->scop;
    struct pg_stmt *stmt;
    char *name = word(r, "the statement's name"), *string;
    const char *tuple;

    if (!scop->context)
        fail(r, "statements come after the context");
    if (pg_scop_find_stmt(scop, name) >= 0)
        fail(r, "the statement '%s' is declared twice", name);
    if (r->error) {
        free(name);
        return;
    }
    stmt = pg_scop_add_stmt(scop);
    stmt->name = name;
    expect(r, "line");
    stmt->line = number(r, "the line");
    read_role(r, stmt);
    string = word(r, "the domain");
    if (string)
        stmt->domain = isl_set_read_from_str(scop->ctx, string);
    free(string);
    if (r->error)
        return;
    if (!stmt->domain) {
        fail(r, "the domain is not a set in isl's notation");
        return;
    }
    tuple = isl_set_is_params(stmt->domain)
                ? NULL
                : isl_set_get_tuple_name(stmt->domain);
    if (!tuple || strcmp(tuple, name))
        fail(r, "the domain is not one of '%s'", name);
    check_params(r, isl_set_get_space(stmt->domain));
    if (!r->error)
        stmt->domain = isl_set_align_params(stmt->domain, parameters(r));
}

/* Does "access" go from the statement to its array? */
static void check_access(struct reader *r, const struct pg_stmt *stmt,
                         const struct pg_access *access)
{
    const struct pg_array *array = &r->scop->arrays[access->array];
    const char *from = isl_map_get_tuple_name(access->relation, isl_dim_in);
    const char *to = isl_map_get_tuple_name(access->relation, isl_dim_out);

    if (!from || strcmp(from, stmt->name) ||
        isl_map_dim(access->relation, isl_dim_in) !=
            isl_set_dim(stmt->domain, isl_dim_set))
        fail(r, "the access does not start at an instance of '%s'", stmt->name);
    else if (!to || strcmp(to, array->name) ||
             isl_map_dim(access->relation, isl_dim_out) !=
                 (isl_size)array->n_dim)
        fail(r, "the access does not go to an element of '%s'", array->name);
    check_params(r, isl_map_get_space(access->relation));
}

/* The line "read" or "write". */
static void read_access(struct reader *r, bool write)
{
    struct pg_scop *scop = r->scop;
    static const char *const musts[] = {"must", "may", NULL};
    struct pg_access access = {0, write, false, NULL, false};
    struct pg_stmt *stmt = scop->n_stmt ? &scop->stmts[scop->n_stmt - 1] : NULL;
    char *name, *string;
    int array;

    if (!stmt)
        fail(r, "an access comes after its statement");
    access.must = choose(r, musts) == 0;
    access.guarded = is_next(r, "guarded");
    name = word(r, "the array's name");
    array = pg_scop_find_array(scop, name);
    if (array < 0)
        fail(r, "there is no array '%s'", name ? name : "");
    free(name);
    string = word(r, "the access relation");
    if (string) {
        access.array = (unsigned)array;
        access.relation = isl_map_read_from_str(scop->ctx, string);
        if (!access.relation)
            fail(r, "the access is not a relation in isl's notation");
        else
            check_access(r, stmt, &access);
    }
    free(string);
    if (r->error) {
        isl_map_free(access.relation);
        return;
    }
    access.relation = isl_map_align_params(access.relation, parameters(r));
    stmt->accesses = pg_grow(stmt->accesses, stmt->n_access, sizeof(access));
    stmt->accesses[stmt->n_access++] = access;
}

/* The line "schedule". */
static void read_schedule(struct reader *r)
{
    struct pg_scop *scop = r->scop;
    char *string = word(r, "the schedule");
    isl_union_set *domain, *ours;

    if (!scop->context)
        fail(r, "the schedule comes after the context");
    if (scop->original)
        fail(r, "a second schedule begins");
    if (!r->error) {
        scop->original = isl_schedule_read_from_str(scop->ctx, string);
        domain = isl_schedule_get_domain(scop->original);
        ours = pg_scop_domain(scop);
        if (!scop->original)
            fail(r, "the schedule is not a tree in isl's notation");
        else if (isl_union_set_is_subset(ours, domain) != isl_bool_true)
            fail(r, "the schedule does not run every statement instance");
        isl_union_set_free(domain);
        isl_union_set_free(ours);
    }
    free(string);
}

/* Has "stmt" of the core "n" reads, and then a write? */
static bool has_accesses(const struct pg_stmt *stmt, unsigned n)
{
    bool has = stmt->n_access == n + 1;

    for (unsigned i = 0; has && i <= n; i++)
        has = stmt->accesses[i].write == (i == n);
    return has;
}

/* Does "update" of "stmt" read and write an array? */
static void check_update(struct reader *r, const struct pg_stmt *stmt,
                         const struct pg_update *update)
{
    unsigned n = stmt->n_access;

    if (update->old >= n || update->updated >= n ||
        stmt->accesses[update->old].write ||
        !stmt->accesses[update->updated].write ||
        stmt->accesses[update->old].array !=
            stmt->accesses[update->updated].array)
        fail(r, "what '%s' updates is not read and written", stmt->name);
}

/* Do statements have the accesses that their kinds need? */
static void check_kinds(struct reader *r)
{
    for (unsigned i = 0; i < r->scop->n_stmt; i++) {
        const struct pg_stmt *stmt = &r->scop->stmts[i];

        if (stmt->kind == PG_STMT_COPY && !has_accesses(stmt, 1))
            fail(r, "the copy statement '%s' is not one read, then one write",
                 stmt->name);
        if (stmt->kind == PG_STMT_FILL && !has_accesses(stmt, 0))
            fail(r, "the statement '%s' that fills is not one write",
                 stmt->name);
        if (stmt->kind == PG_STMT_COMBINE && !has_accesses(stmt, 2))
            fail(r,
                 "the statement '%s' that combines is not two reads, then one "
                 "write",
                 stmt->name);
        for (unsigned j = 0; j < stmt->n_update; j++)
            check_update(r, stmt, &stmt->updates[j]);
    }
}

/* One line that is not empty. */
static void read_line(struct reader *r)
{
    char *keyword = word(r, "a keyword");

    if (!keyword)
        return;
    if (!r->scop->function && strcmp(keyword, "scop"))
        fail(r, "the text does not begin with 'scop'");
    else if (!strcmp(keyword, "scop"))
        read_head(r);
    else if (!strcmp(keyword, "param"))
        read_param(r);
    else if (!strcmp(keyword, "context"))
        read_context(r);
    else if (!strcmp(keyword, "array"))
        read_array(r);
    else if (!strcmp(keyword, "stmt"))
        read_stmt(r);
    else if (!strcmp(keyword, "read") || !strcmp(keyword, "write"))
        read_access(r, *keyword == 'w');
    else if (!strcmp(keyword, "schedule"))
        read_schedule(r);
    else
        fail(r, "'%s' begins no line of a scop", keyword);
    free(keyword);
    if (more(r))
        fail(r, "there is more than expected: '%.*s'",
             (int)strcspn(r->at, "\n"), r->at);
}

/* Read the text form of a SCoP.  NULL and *error (malloc'ed, one sentence
 * with the line number) if "text" is none.
 */
struct pg_scop *pg_scop_read(isl_ctx *ctx, const char *text, char **error)
{
    struct reader r = {text, 1, NULL, pg_scop_alloc(ctx)};

    *error = NULL;
    while (!r.error && *r.at) {
        if (more(&r))
            read_line(&r);
        if (!r.error && *r.at == '\n') {
            r.at++;
            r.line++;
        }
    }
    if (!r.scop->function)
        fail(&r, "the text is empty");
    if (!r.scop->original)
        fail(&r, "the scop has no schedule");
    check_kinds(&r);
    if (!r.error)
        return r.scop;
    isl_ctx_reset_error(ctx);
    pg_scop_free(r.scop);
    *error = r.error;
    return NULL;
}
