/* panels.c - several steps of Floyd and Warshall's algorithm in tiles.
 *
 * In step k of
 *
 *     for (k = 0; k < n; k++)
 *         for (i = 0; i < n; i++)
 *             for (j = 0; j < n; j++)
 *                 a[i][j] = f(a[i][j], a[i][k], a[k][j]);
 *
 * row k and column k are read by all others, before their own update or behind
 * it.  With both versions of them kept, the rest of the array need not wait:
 * 32 steps are then four kinds of tiles, which depend on each other in this
 * order: the diagonal one, of rows and columns k of all these steps; the others
 * of its rows, and those of its columns; and the rest, of which each element
 * takes its 32 updates by itself.  (Venkataraman, Sahni, Mukhopadhyaya, "A
 * Blocked All-Pairs Shortest-Paths Algorithm", 2003, reads final panels
 * instead, which gives other values where a cycle is negative, or where f is
 * no minimum.)
 *
 * This is a variant of the SCoP: the statement in parts by kind of tile, with
 * the number of the 32 steps as one more iterator, and copies of rows and
 * columns before and behind their update.  Nothing is taken from what the
 * program looks like but what to try: flow dependences of the variant, those
 * through copies included, have to be those of the source (is_same).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/panels.h"
#include "dependence/dependences.h"
#include "polygpu/polyhedral.h"
#include "schedule/expand.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/phase.h"
#include "support/text.h"

#include <isl/space.h>
#include <stdlib.h>

/* The steps of a tile, and the sides of one. */
#define SIZE "32"
#define IN(x) SIZE " T <= " x " < " SIZE " T + " SIZE
#define BEFORE(x) x " < " SIZE " T"
#define BEHIND(x) x " >= " SIZE " T + " SIZE
#define OUT(x) "(" BEFORE(x) " or " BEHIND(x) ")"

/* The place in the diagonal tile, and in those beside it. */
#define AT(x) x " - " SIZE " T"
#define BESIDE(x) x " - " SIZE " * floor(" x "/" SIZE ")"

enum { N_ITERATOR = 3, N_DIM = 2 };

enum stage { DIAGONAL, ROWS, COLUMNS, REST };

/* The statements of the variant, in their order in a step. */
enum what {
    PART,  /* of the statement: [k, i, j, T], for steps 32 T to 32 T + 31 */
    ROW,   /* copies a[k][x], and */
    COLUMN /* a[x][k], before or behind the update: [k, x, T] */
};

static const struct piece {
    enum stage stage;
    unsigned phase; /* of the step: what is in one shares loops */
    enum what what;
    unsigned after; /* what copies copy */
    const char *where, *loops;
    /* Of parts: in which version of the row, and of the column. */
    const char *row, *column;
} pieces[] = {
    {DIAGONAL, 0, ROW, 0, IN("x"), AT("x"), NULL, NULL},
    {DIAGONAL, 0, COLUMN, 0, IN("x"), AT("x"), NULL, NULL},
    {DIAGONAL, 1, PART, 0, "i = k and j = k", NULL, "0", "0"},
    {DIAGONAL, 1, ROW, 1, "x = k", NULL, NULL, NULL},
    {DIAGONAL, 1, COLUMN, 1, "x = k", NULL, NULL, NULL},
    {DIAGONAL, 2, PART, 0, "i = k and j != k and " IN("j"), AT("j"), "0", "j"},
    {DIAGONAL, 2, PART, 0, "j = k and i != k and " IN("i"), AT("i"), "i", "0"},
    {DIAGONAL, 2, ROW, 1, "x != k and " IN("x"), AT("x"), NULL, NULL},
    {DIAGONAL, 2, COLUMN, 1, "x != k and " IN("x"), AT("x"), NULL, NULL},
    {DIAGONAL, 3, PART, 0, "i != k and j != k and " IN("i") " and " IN("j"),
     AT("i") ", " AT("j"), "i", "j"},
    {ROWS, 0, ROW, 0, OUT("x"), BESIDE("x"), NULL, NULL},
    {ROWS, 0, PART, 0, "i = k and " OUT("j"), BESIDE("j"), "0", "tj"},
    {ROWS, 0, ROW, 1, OUT("x"), BESIDE("x"), NULL, NULL},
    {ROWS, 1, PART, 0, "i != k and " IN("i") " and " OUT("j"),
     AT("i") ", " BESIDE("j"), "i", "tj"},
    {COLUMNS, 0, COLUMN, 0, OUT("x"), BESIDE("x"), NULL, NULL},
    {COLUMNS, 0, PART, 0, "j = k and " OUT("i"), BESIDE("i"), "ti", "0"},
    {COLUMNS, 0, COLUMN, 1, OUT("x"), BESIDE("x"), NULL, NULL},
    {COLUMNS, 1, PART, 0, "j != k and " IN("j") " and " OUT("i"),
     BESIDE("i") ", " AT("j"), "ti", "j"},
    {REST, 0, PART, 0, BEFORE("i") " and " BEFORE("j"), "i, j", "0", "0"},
    {REST, 1, PART, 0, BEFORE("i") " and " BEHIND("j"), "i, j", "0", "1"},
    {REST, 2, PART, 0, BEHIND("i") " and " BEFORE("j"), "i, j", "1", "0"},
    {REST, 3, PART, 0, BEHIND("i") " and " BEHIND("j"), "i, j", "1", "1"}};

enum { N_PIECE = sizeof(pieces) / sizeof(*pieces) };

/* What a read of the array gets. */
enum role { OTHER, OWN, OF_ROW, OF_COLUMN };

struct making {
    const struct pg_scop *scop;
    struct pg_scop *made;
    const struct pg_stmt *stmt; /* the source's */
    unsigned array;             /* that it updates, */
    isl_map *element;           /* { S[k, i, j] -> A[x] } the element, */
    enum role *roles;           /* and by access how */
    unsigned temporary[2];      /* versions of rows, and of columns */
    unsigned number[N_PIECE];   /* of the statements */
};

/* ---- Which loops ----------------------------------------------------------
 */

static __isl_give isl_map *read_map(const struct making *m,
                                    __isl_take char *text)
{
    isl_map *map = isl_map_read_from_str(m->scop->ctx, text);

    free(text);
    return map;
}

/* The element of the instance that is in row k, or in column k:
 * { S[k, i, j] -> A[x] } for the instances of the statement.
 */
static __isl_give isl_map *element_at(const struct making *m, const char *i,
                                      const char *j)
{
    const char *name = m->stmt->name;
    isl_map *to = read_map(
        m, pg_format("{ %s[k, i, j] -> %s[k, %s, %s] }", name, name, i, j));

    to = isl_map_apply_range(to, isl_map_copy(m->element));
    return isl_map_intersect_domain(to, isl_set_copy(m->stmt->domain));
}

/* What read "access" of the array is about; OTHER: none of what is known. */
static enum role role_of(const struct making *m, const struct pg_access *access)
{
    static const struct {
        enum role role;
        const char *i, *j;
    } known[] = {{OWN, "i", "j"}, {OF_ROW, "k", "j"}, {OF_COLUMN, "i", "k"}};
    isl_map *read = isl_map_intersect_domain(isl_map_copy(access->relation),
                                             isl_set_copy(m->stmt->domain));
    enum role role = OTHER;

    for (unsigned i = 0; !role && i < sizeof(known) / sizeof(*known); i++) {
        isl_map *map = element_at(m, known[i].i, known[i].j);

        if (isl_map_is_equal(read, map) == isl_bool_true)
            role = known[i].role;
        isl_map_free(map);
    }
    isl_map_free(read);
    return role;
}

/* Find the one write of the statement, of an array with two dimensions. */
static bool find_write(struct making *m)
{
    unsigned n = 0;

    for (unsigned a = 0; a < m->stmt->n_access; a++) {
        const struct pg_access *access = &m->stmt->accesses[a];

        if (access->guarded)
            return false;
        if (!access->write)
            continue;
        n += access->must ? 1 : 2;
        m->array = access->array;
        m->element = access->relation;
    }
    return n == 1 && m->scop->arrays[m->array].n_dim == N_DIM &&
           m->scop->arrays[m->array].kind == PG_ARRAY_MEMORY;
}

/* Is "scop" one statement in three loops that updates an array from its row k
 * and its column k?
 */
static bool find(struct making *m)
{
    bool seen[] = {false, false, false, false};

    m->stmt = &m->scop->stmts[0];
    if (m->scop->n_stmt != 1 || m->stmt->kind || m->stmt->n_tile ||
        pg_scop_has_updates(m->scop) ||
        isl_set_dim(m->stmt->domain, isl_dim_set) != N_ITERATOR ||
        !find_write(m))
        return false;
    m->roles = pg_alloc(m->stmt->n_access, sizeof(*m->roles));
    for (unsigned a = 0; a < m->stmt->n_access; a++) {
        const struct pg_access *access = &m->stmt->accesses[a];

        if (access->array != m->array)
            continue;
        m->roles[a] = access->write ? OWN : role_of(m, access);
        if (!access->write)
            seen[m->roles[a]] = true;
    }
    return seen[OWN] && seen[OF_ROW] && seen[OF_COLUMN] && !seen[OTHER];
}

/* ---- Statements -----------------------------------------------------------
 */

/* The iterators of a piece. */
static const char *iterators(const struct piece *piece)
{
    return piece->what == PART ? "k, i, j, T" : "k, x, T";
}

/* The instances of "piece", without a name. */
static __isl_give isl_set *instances(const struct making *m,
                                     const struct piece *piece)
{
    isl_set *all = isl_set_reset_tuple_id(isl_set_copy(m->stmt->domain)), *in;
    char *text = pg_format("{ [%s] : " IN("k") " and %s }", iterators(piece),
                           piece->where);

    if (piece->what != PART)
        all = isl_set_project_out(all, isl_dim_set, piece->what == ROW ? 1 : 2,
                                  1);
    in = isl_set_read_from_str(m->scop->ctx, text);
    free(text);
    all = isl_set_intersect(isl_set_add_dims(all, isl_dim_set, 1), in);
    all = isl_set_intersect_params(all, isl_set_copy(m->scop->context));
    all = isl_set_gist_params(all, isl_set_copy(m->scop->context));
    return pg_coalesce(all);
}

/* { P[k, i, j, T] -> S[k, i, j] }, or { C[k, x, T] -> S[k, i, j] } for the
 * instance that updates what is copied.
 */
static __isl_give isl_map *to_source(const struct making *m, unsigned p)
{
    const char *at = pieces[p].what == PART  ? "i, j"
                     : pieces[p].what == ROW ? "k, x"
                                             : "x, k";

    return read_map(m, pg_format("{ %s[%s] -> %s[k, %s] }",
                                 m->made->stmts[m->number[p]].name,
                                 iterators(&pieces[p]), m->stmt->name, at));
}

/* { P[k, i, j, T] -> R[k - 32 T, v, x] }: the version "which" of row or column
 * k at "x".  The later one is for those behind row or column k: known for a
 * whole tile where that is beside the diagonal one.
 */
static __isl_give isl_map *version(const struct making *m, unsigned p,
                                   unsigned temporary, const char *which,
                                   const char *x)
{
    const char *from = m->made->stmts[m->number[p]].name;
    const char *to = m->made->arrays[temporary].name;

    if (which[0] == '0' || which[0] == '1')
        return read_map(m,
                        pg_format("{ %s[%s] -> %s[k - " SIZE " T, %s, %s] }",
                                  from, iterators(&pieces[p]), to, which, x));
    if (which[0] == 't')
        return read_map(
            m, pg_format("{ %s[k, i, j, T] -> %s[k - " SIZE
                         " T, 0, %s] : %s < " SIZE
                         " T; %s[k, i, j, T] -> %s[k - " SIZE
                         " T, 1, %s] : %s >= " SIZE " T + " SIZE " }",
                         from, to, x, which + 1, from, to, x, which + 1));
    return read_map(
        m, pg_format("{ %s[k, i, j, T] -> %s[k - " SIZE
                     " T, 0, %s] : %s <= k; %s[k, i, j, T] -> %s[k - " SIZE
                     " T, 1, %s] : %s > k }",
                     from, to, x, which, from, to, x, which));
}

/* Make the accesses of "stmt", piece "p" of the statement: its own element is
 * where it was, rows and columns are read from their versions.
 */
static void redirect(const struct making *m, struct pg_stmt *stmt, unsigned p)
{
    for (unsigned a = 0; a < stmt->n_access; a++) {
        struct pg_access *access = &stmt->accesses[a];
        bool row = m->roles[a] == OF_ROW;

        if (!row && m->roles[a] != OF_COLUMN) {
            access->relation =
                isl_map_apply_range(to_source(m, p), access->relation);
            continue;
        }
        isl_map_free(access->relation);
        access->array = m->temporary[row ? 0 : 1];
        access->relation =
            version(m, p, access->array, row ? pieces[p].row : pieces[p].column,
                    row ? "j" : "i");
    }
}

/* Make "stmt" the copy that piece "p" is. */
static void copy(const struct making *m, struct pg_stmt *stmt, unsigned p)
{
    unsigned temporary = m->temporary[pieces[p].what == ROW ? 0 : 1];

    stmt->kind = PG_STMT_COPY;
    stmt->total = true;
    stmt->n_access = 2;
    stmt->accesses = pg_alloc(2, sizeof(*stmt->accesses));
    stmt->accesses[0] = (struct pg_access){
        m->array, false, true,
        isl_map_apply_range(to_source(m, p), isl_map_copy(m->element)), false};
    stmt->accesses[1] = (struct pg_access){
        temporary, true, true,
        version(m, p, temporary, pieces[p].after ? "1" : "0", "x"), false};
}

/* Add piece "p"; false if it has no instances.  The rest, which has most of
 * them, keeps the statement's number.
 */
static bool add_piece(struct making *m, unsigned p)
{
    isl_set *domain = instances(m, &pieces[p]);
    struct pg_stmt *stmt;

    if (isl_set_is_empty(domain) != isl_bool_false) {
        isl_set_free(domain);
        return false;
    }
    if (p == N_PIECE - 1) {
        stmt = &m->made->stmts[0];
        isl_set_free(stmt->domain);
    } else {
        stmt = pg_scop_add_stmt(m->made);
        if (pieces[p].what == PART) {
            *stmt = pg_stmt_copy(m->stmt);
            free(stmt->name);
            isl_set_free(stmt->domain);
        }
        stmt->origin =
            pieces[p].what == PART ? m->stmt->origin : m->made->n_stmt - 1;
        stmt->name =
            pg_format(pieces[p].what == PART ? "%s_%u" : "%s_version%u",
                      m->stmt->name, m->made->n_stmt - 1);
    }
    m->number[p] = (unsigned)(stmt - m->made->stmts);
    stmt->n_tile = pieces[p].what == PART;
    stmt->n_update = 0;
    stmt->domain = isl_set_set_tuple_name(domain, stmt->name);
    if (pieces[p].what == PART)
        redirect(m, stmt, p);
    else
        copy(m, stmt, p);
    return true;
}

/* Add the temporary for the versions of rows or columns. */
static bool add_temporary(struct making *m, enum what what)
{
    isl_set *all = isl_set_reset_tuple_id(isl_set_copy(m->stmt->domain));
    isl_pw_aff **extents;

    all = isl_set_intersect_params(all, isl_set_copy(m->scop->context));
    all = isl_set_project_out(all, isl_dim_set, 0, 1);
    all = isl_set_project_out(all, isl_dim_set, what == ROW ? 0 : 1, 1);
    all = isl_set_insert_dims(all, isl_dim_set, 0, 2);
    all = isl_set_lower_bound_si(all, isl_dim_set, 0, 0);
    all = isl_set_upper_bound_si(all, isl_dim_set, 0, atoi(SIZE) - 1);
    all = isl_set_lower_bound_si(all, isl_dim_set, 1, 0);
    all = isl_set_upper_bound_si(all, isl_dim_set, 1, 1);
    extents = pg_set_extents(all);
    isl_set_free(all);
    if (!extents)
        return false;
    pg_scop_add_temporary(m->made, m->array, what == ROW ? "rows" : "columns",
                          1, extents);
    m->temporary[what == ROW ? 0 : 1] = m->made->n_array - 1;
    return true;
}

/* ---- The order ------------------------------------------------------------
 */

/* "all" (NULL: nothing) with the "values" of loops for the instances of piece
 * "p", expressions in its iterators.
 */
static __isl_give isl_union_map *add_values(const struct making *m,
                                            __isl_take isl_union_map *all,
                                            unsigned p, const char *values)
{
    isl_map *map = read_map(m, pg_format("{ %s[%s] -> [%s] }",
                                         m->made->stmts[m->number[p]].name,
                                         iterators(&pieces[p]), values));

    map = isl_map_align_params(map, isl_set_get_space(m->scop->context));
    return all ? isl_union_map_add_map(all, map) : isl_union_map_from_map(map);
}

/* "tree" inside of a loop over "value", an expression for each statement that
 * is made of the pieces "from" to "to" - 1: "T", "k", or of what the tile is
 * in: "b".
 */
static __isl_give isl_schedule *around(const struct making *m,
                                       __isl_take isl_schedule *tree,
                                       unsigned from, unsigned to,
                                       const char *value)
{
    isl_union_map *all = NULL;

    for (unsigned p = from; tree && p < to; p++) {
        const struct piece *piece = &pieces[p];
        const char *own = value;

        if (value[0] == 'b')
            own = piece->what != PART    ? "floor(x/" SIZE ")"
                  : piece->stage == ROWS ? "floor(j/" SIZE ")"
                                         : "floor(i/" SIZE ")";
        all = add_values(m, all, p, own);
    }
    if (!all)
        return tree;
    return isl_schedule_insert_partial_schedule(
        tree, isl_multi_union_pw_aff_from_union_map(all));
}

/* Piece "p" by itself. */
static __isl_give isl_schedule *instances_of(const struct making *m, unsigned p)
{
    return isl_schedule_from_domain(isl_union_set_from_set(
        isl_set_copy(m->made->stmts[m->number[p]].domain)));
}

/* "first", then "second"; either may be NULL for nothing. */
static __isl_give isl_schedule *then(__isl_take isl_schedule *first,
                                     __isl_take isl_schedule *second)
{
    return !first    ? second
           : !second ? first
                     : isl_schedule_sequence(first, second);
}

/* "tree", of pieces "from" to "to" - 1, inside of their own loops. */
static __isl_give isl_schedule *around_own(const struct making *m,
                                           __isl_take isl_schedule *tree,
                                           unsigned from, unsigned to)
{
    isl_union_map *all = NULL;

    for (unsigned p = from; tree && p < to; p++) {
        if (!pieces[p].loops)
            continue;
        all = add_values(m, all, p, pieces[p].loops);
    }
    if (!all)
        return tree;
    return isl_schedule_insert_partial_schedule(
        tree, isl_multi_union_pw_aff_from_union_map(all));
}

/* The end of the pieces from "p" on that are in its phase, or in its stage. */
static unsigned end_of(unsigned p, bool phase)
{
    unsigned end = p;

    while (end < N_PIECE && pieces[end].stage == pieces[p].stage &&
           (!phase || pieces[end].phase == pieces[p].phase))
        end++;
    return end;
}

/* The pieces of the stage that begins with "from", inside of its loop over k;
 * for the rest that is the innermost one.
 */
static __isl_give isl_schedule *stage_of(const struct making *m, unsigned from)
{
    unsigned to = end_of(from, false);
    isl_schedule *all = NULL;

    for (unsigned p = from, end; p < to; p = end) {
        isl_schedule *phase = NULL;

        end = end_of(p, true);
        for (unsigned q = p; q < end; q++)
            phase = then(phase, instances_of(m, q));
        if (pieces[p].stage == REST)
            phase = around(m, phase, p, end, "k");
        all = then(all, around_own(m, phase, p, end));
    }
    return pieces[from].stage == REST ? all : around(m, all, from, to, "k");
}

/* The order of the variant. */
static __isl_give isl_schedule *order_of(const struct making *m)
{
    isl_schedule *stages[REST + 1] = {NULL}, *panels;
    unsigned first[REST + 2] = {0};

    for (unsigned p = 0; p < N_PIECE; p = end_of(p, false)) {
        first[pieces[p].stage] = p;
        stages[pieces[p].stage] = stage_of(m, p);
    }
    first[REST + 1] = N_PIECE;
    panels = then(stages[ROWS], stages[COLUMNS]);
    panels = around(m, panels, first[ROWS], first[REST], "b");
    panels = then(stages[DIAGONAL], then(panels, stages[REST]));
    return around(m, panels, 0, N_PIECE, "T");
}

/* ---- Proof ----------------------------------------------------------------
 */

/* What the pieces are of the source, { P[k, i, j, T] -> S[k, i, j] }, or what
 * copies into "temporary" copy, { C[k, x, T] -> A[x] }.
 */
static __isl_give isl_union_map *meaning(const struct making *m, int temporary)
{
    isl_union_map *all =
        isl_union_map_empty(isl_set_get_space(m->scop->context));

    for (unsigned p = 0; p < N_PIECE; p++) {
        const struct pg_stmt *stmt;
        isl_map *map;

        if ((pieces[p].what == PART) != (temporary < 0))
            continue;
        stmt = &m->made->stmts[m->number[p]];
        if (temporary >= 0 && (int)stmt->accesses[1].array != temporary)
            continue;
        map = temporary < 0 ? to_source(m, p)
                            : isl_map_copy(stmt->accesses[0].relation);
        map = isl_map_intersect_domain(map, isl_set_copy(stmt->domain));
        all = isl_union_map_add_map(all, map);
    }
    return all;
}

/* { P[..., T] -> [T] } for the statements of "domain". */
static __isl_give isl_union_map *tiles_of(const struct making *m,
                                          __isl_keep isl_union_map *domain)
{
    isl_union_set *wanted = isl_union_map_domain(isl_union_map_copy(domain));
    isl_union_map *all =
        isl_union_map_empty(isl_set_get_space(m->scop->context));

    for (unsigned p = 0; p < N_PIECE; p++)
        all = isl_union_map_add_map(
            all, read_map(m, pg_format("{ %s[%s] -> [T] }",
                                       m->made->stmts[m->number[p]].name,
                                       iterators(&pieces[p]))));
    return isl_union_map_intersect_domain(all, wanted);
}

/* Is "a" the same as "b" for the parameters of the context? */
static bool is_equal(const struct making *m, __isl_take isl_union_map *a,
                     __isl_take isl_union_map *b)
{
    isl_bool equal;

    a = isl_union_map_intersect_params(a, isl_set_copy(m->scop->context));
    b = isl_union_map_intersect_params(b, isl_set_copy(m->scop->context));
    equal = isl_union_map_is_equal(a, b);
    isl_union_map_free(a);
    isl_union_map_free(b);
    return equal == isl_bool_true;
}

/* What access "a" of the statement reads, { S[k, i, j] -> A[x] }. */
static __isl_give isl_union_map *read_of(const struct making *m, unsigned a)
{
    return isl_union_map_from_map(
        isl_map_intersect_domain(isl_map_copy(m->stmt->accesses[a].relation),
                                 isl_set_copy(m->stmt->domain)));
}

/* { C[k, x, T] -> P[k, i, j, T'] } with T' = T, or with T < T'. */
static __isl_give isl_union_map *in_tiles(const struct making *m,
                                          __isl_keep isl_union_map *versions,
                                          __isl_keep isl_union_map *parts,
                                          bool same)
{
    isl_union_map *when = isl_union_map_read_from_str(
        m->scop->ctx, same ? "{ [T] -> [T] }" : "{ [T] -> [U] : T < U }");

    when = isl_union_map_apply_domain(
        when, isl_union_map_reverse(tiles_of(m, versions)));
    return isl_union_map_apply_range(when,
                                     isl_union_map_reverse(tiles_of(m, parts)));
}

/* Does each read of "temporary" get what one copy has put there in the same
 * tile?  All others that come before it are of tiles before, and tiles are in
 * the outermost loop.  Gives whose, { C[k, x, T] -> P[k, i, j, T] }.
 */
static bool find_copies(const struct making *m, unsigned temporary,
                        __isl_keep isl_union_map *parts,
                        __isl_give isl_union_map **from)
{
    isl_union_map *versions = meaning(m, (int)temporary);
    isl_union_map *all = isl_union_map_copy(m->made->raw), *others;
    bool one;

    all = isl_union_map_intersect_domain(
        all, isl_union_map_domain(isl_union_map_copy(versions)));
    *from = isl_union_map_intersect(isl_union_map_copy(all),
                                    in_tiles(m, versions, parts, true));
    others = isl_union_map_subtract(all, isl_union_map_copy(*from));
    others =
        isl_union_map_subtract(others, in_tiles(m, versions, parts, false));
    one = isl_union_map_is_injective(*from) == isl_bool_true &&
          isl_union_map_is_empty(others) == isl_bool_true;
    isl_union_map_free(others);
    isl_union_map_free(versions);
    return one;
}

/* Does read "a" of the statement come behind the same writes of the same
 * element in the variant as in the source?  If it is of a copy, the copy does.
 * Pairs are compared piece by piece, with the source's between those instances,
 * since together they are too many sets in one space.
 */
static bool reads_same(const struct making *m, unsigned a,
                       __isl_keep isl_union_map *parts)
{
    isl_union_map *source = pg_all_pairs(
        read_of(m, a), pg_scop_accesses_of(m->scop, m->array, true),
        isl_schedule_copy(m->scop->original), NULL);
    isl_union_map *to_parts = isl_union_map_reverse(isl_union_map_copy(parts));
    isl_union_set *all = isl_union_map_domain(isl_union_map_copy(parts));
    isl_union_map *before = isl_union_map_copy(m->made->raw);
    bool same = true;

    before = isl_union_map_intersect_domain(before, isl_union_set_copy(all));
    if (m->roles[a] != OWN) {
        unsigned temporary = m->temporary[m->roles[a] == OF_ROW ? 0 : 1];
        isl_union_map *element = meaning(m, (int)temporary), *from;

        same = find_copies(m, temporary, parts, &from);
        before = isl_union_map_intersect_range(
            before, isl_union_map_domain(isl_union_map_copy(element)));
        before = isl_union_map_apply_range(before, isl_union_map_copy(from));
        element = isl_union_map_apply_domain(element, from);
        element =
            isl_union_map_apply_domain(element, isl_union_map_copy(parts));
        same = is_equal(m, element, read_of(m, a)) && same;
    }
    before = isl_union_map_intersect_range(before, all);
    source = isl_union_map_apply_domain(source, isl_union_map_copy(to_parts));
    source = isl_union_map_apply_range(source, to_parts);
    return is_equal(m, before, source) && same;
}

/* Does the variant, which has all pairs of accesses as dependences, compute
 * what the source does?  Each instance is in one part.  The writes of an
 * element are in the source's order, since each instance reads the element that
 * it writes, behind the same writes of it; so the last one is the same, for all
 * reads that come behind the same ones as well.
 */
static bool is_same(struct making *m)
{
    isl_union_map *parts = meaning(m, -1);
    isl_union_set *all = isl_union_map_range(isl_union_map_copy(parts));
    isl_union_set *domain = isl_union_set_intersect_params(
        isl_union_set_from_set(isl_set_copy(m->stmt->domain)),
        isl_set_copy(m->scop->context));
    bool same;

    all = isl_union_set_intersect_params(all, isl_set_copy(m->scop->context));
    same = isl_union_set_is_equal(all, domain) == isl_bool_true &&
           isl_union_map_is_injective(parts) == isl_bool_true;
    for (unsigned a = 0; same && a < m->stmt->n_access; a++)
        if (m->roles[a] && !m->stmt->accesses[a].write)
            same = reads_same(m, a, parts);
    isl_union_set_free(all);
    isl_union_set_free(domain);
    isl_union_map_free(parts);
    return same;
}

/* ---- The variant ----------------------------------------------------------
 */

static bool make(struct making *m)
{
    bool some = true;

    m->made = pg_scop_copy(m->scop);
    if (!add_temporary(m, ROW) || !add_temporary(m, COLUMN))
        return false;
    for (unsigned p = 0; some && p < N_PIECE; p++)
        some = add_piece(m, p);
    if (!some)
        return false;
    isl_schedule_free(m->made->original);
    m->made->original = order_of(m);
    return m->made->original != NULL;
}

/* Do "step" of making the variant, as a phase of its own. */
static bool run(struct making *m, bool (*step)(struct making *m),
                const struct pg_options *options, struct pg_report *report)
{
    struct pg_phase phase;
    bool done;

    pg_phase_begin(&phase, m->scop->ctx, "tiles by panels", options, report);
    done = step(m);
    return pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok && done;
}

/* As the header says. */
bool pg_scop_has_panels(const struct pg_scop *scop)
{
    if (scop->blocks)
        return true;
    for (unsigned s = 0; s < scop->n_stmt; s++)
        if (scop->stmts[s].n_tile == 1)
            return true;
    return false;
}

/* A copy of "scop" with several steps of its outermost loop in tiles, with its
 * dependences and in its own order; NULL if it is not of this kind, or after an
 * error of isl.  It is the same for all parameters, and made without what is
 * known of them, which takes half of the operations.
 */
struct pg_scop *pg_scop_panels(const struct pg_scop *scop,
                               const struct pg_options *options)
{
    struct pg_scop *any = pg_scop_copy(scop);
    struct making m = {.scop = any};
    struct pg_report unheard;
    bool done;

    isl_set_free(any->context);
    any->context = isl_set_universe(isl_set_get_space(scop->context));
    pg_report_init(&unheard);
    done = run(&m, &find, options, &unheard) &&
           run(&m, &make, options, &unheard) &&
           pg_dependences_all(m.made, options, &unheard) == isl_stat_ok &&
           run(&m, &is_same, options, &unheard);
    pg_report_clear(&unheard);
    free(m.roles);
    pg_scop_free(any);
    if (done)
        return m.made;
    pg_scop_free(m.made);
    return NULL;
}
