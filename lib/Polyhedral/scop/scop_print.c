/* scop_print.c - the text form of a SCoP.
 *
 * One line for each thing; indented lines belong to the line above them:
 *
 *     scop "gemm" file "gemm.c" line 12
 *     param n "n"
 *     context "[n] -> {  : n >= 0 }"
 *     array A "A" float 4 memory 2 live extent 1 "[n] -> { [(n)] }"
 *     stmt S0 line 14 domain "[n] -> { S0[i] : 0 <= i < n }"
 *       read must A "[n] -> { S0[i] -> A[i, 0] }"
 *     schedule "{ domain: \"...\" }"
 *
 * A temporary array names the array that it is a temporary "of" and has all
 * extents; a part of a statement names the one that it is a part "of", and a
 * statement that only copies says "copy":
 *
 *     array x_ "x" float 4 temporary 1 dead of x extent 0 "[n] -> { [(n)] }"
 *     stmt S0_1 line 14 of S0 domain "[n] -> { S0_1[i] : i > n }"
 *     stmt copy0 line 0 copy domain "{ copy0[] }"
 *
 * One of which each block has a part says "block", and how many "planes" of a
 * dimension it needs at a time if that is known:
 *
 *     array x_ "x" float 4 temporary 3 dead of x block planes 5 at 2 extent ...
 *
 * An access that the program makes under a condition on data only, and kernels
 * always, is "guarded":
 *
 *       write must guarded A "[n] -> { S0[i] -> A[i] }"
 *
 * An array says of how many elements from its base on it is "known" that they
 * are there, if guarded accesses go to it:
 *
 *     array A "A" float 4 memory 1 live known 100
 *
 * or that statements read it in an "indirect" way, and has no accesses then:
 *
 *     array x "x" float 4 memory 1 live indirect
 *
 * or update it, too, by atomic operations in any order:
 *
 *     array h "h" int 4 memory 1 live indirect updated
 *
 * Words may be written in quotes; in quotes \" \\ and \n stand for a quote, a
 * backslash and an end of line.  A # starts a comment.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "scop/scop.h"
#include "support/text.h"

#include <isl/aff.h>
#include <stdlib.h>
#include <string.h>

/* Append "string" in quotes. */
static void add_quoted(struct pg_text *text, const char *string)
{
    pg_text_add(text, "\"");
    for (; string && *string; string++) {
        if (*string == '\n')
            pg_text_add(text, "\\n");
        else if (*string == '"' || *string == '\\')
            pg_text_add(text, "\\%c", *string);
        else
            pg_text_add(text, "%c", *string);
    }
    pg_text_add(text, "\"");
}

/* Append "word", in quotes if it would not be read as one word. */
static void add_word(struct pg_text *text, const char *word)
{
    if (!word || !*word || strpbrk(word, " \t\n\r\"\\#"))
        add_quoted(text, word);
    else
        pg_text_add(text, "%s", word);
}

/* Append "string" (malloc'ed, freed here) in quotes. */
static void add_isl(struct pg_text *text, char *string)
{
    add_quoted(text, string);
    free(string);
}

/* Append the line of "array". */
static void add_array(struct pg_text *text, const struct pg_scop *scop,
                      const struct pg_array *array)
{
    static const char *const kinds[] = {"memory", "value", "phi", "temporary"};
    bool temporary = array->kind == PG_ARRAY_TEMPORARY;

    pg_text_add(text, "array ");
    add_word(text, array->name);
    pg_text_add(text, " ");
    add_quoted(text, array->source_name);
    pg_text_add(text, " ");
    add_word(text, array->type);
    pg_text_add(text, " %u %s %u %s", array->elem_size, kinds[array->kind],
                array->n_dim, array->dead_after ? "dead" : "live");
    if (temporary) {
        pg_text_add(text, " of ");
        add_word(text, scop->arrays[array->origin].name);
        if (array->of_block)
            pg_text_add(text, " block");
        if (array->planes)
            pg_text_add(text, " planes %u at %u", array->planes, array->plane);
    }
    if (array->known)
        pg_text_add(text, " known %u", array->known);
    if (array->indirect)
        pg_text_add(text, array->updated ? " indirect updated" : " indirect");
    for (unsigned d = temporary ? 0 : 1; array->extent && d < array->n_dim;
         d++) {
        pg_text_add(text, " extent %u ", d);
        add_isl(text, isl_pw_aff_to_str(array->extent[d]));
    }
    pg_text_add(text, "\n");
}

/* Append the lines of "stmt". */
static void add_stmt(struct pg_text *text, const struct pg_scop *scop,
                     const struct pg_stmt *stmt)
{
    static const char *const kinds[] = {"", "copy", "fill", "combine"};

    pg_text_add(text, "stmt ");
    add_word(text, stmt->name);
    pg_text_add(text, " line %u ", stmt->line);
    if (stmt->kind)
        pg_text_add(text, "%s ", kinds[stmt->kind]);
    else if (stmt != &scop->stmts[stmt->origin])
        pg_text_add(text, "of %s ", scop->stmts[stmt->origin].name);
    if (stmt->n_tile)
        pg_text_add(text, "tile %u ", stmt->n_tile);
    if (stmt->total && !stmt->kind)
        pg_text_add(text, "total ");
    if (stmt->op)
        pg_text_add(text, "%s ", pg_operator_name(stmt->op));
    for (unsigned i = 0; i < stmt->n_update; i++)
        pg_text_add(text, "update %s %u %u ",
                    pg_operator_name(stmt->updates[i].op), stmt->updates[i].old,
                    stmt->updates[i].updated);
    if (stmt->reordered)
        pg_text_add(text, "reordered ");
    pg_text_add(text, "domain ");
    add_isl(text, isl_set_to_str(stmt->domain));
    pg_text_add(text, "\n");
    for (unsigned i = 0; i < stmt->n_access; i++) {
        const struct pg_access *access = &stmt->accesses[i];

        pg_text_add(text, "  %s %s %s", access->write ? "write" : "read",
                    access->must ? "must" : "may",
                    access->guarded ? "guarded " : "");
        add_word(text, scop->arrays[access->array].name);
        pg_text_add(text, " ");
        add_isl(text, isl_map_to_str(access->relation));
        pg_text_add(text, "\n");
    }
}

/* The text form of "scop", without what the steps computed. */
char *pg_scop_to_str(const struct pg_scop *scop)
{
    struct pg_text text = {0};

    pg_text_add(&text, "scop ");
    add_quoted(&text, scop->function);
    pg_text_add(&text, " file ");
    add_quoted(&text, scop->file);
    pg_text_add(&text, " line %u\n", scop->line);
    for (unsigned i = 0; i < scop->n_param; i++) {
        pg_text_add(&text, "param ");
        add_word(&text, scop->params[i].name);
        pg_text_add(&text, " ");
        add_quoted(&text, scop->params[i].source_name);
        pg_text_add(&text, "\n");
    }
    pg_text_add(&text, "context ");
    add_isl(&text, isl_set_to_str(scop->context));
    pg_text_add(&text, "\n");
    for (unsigned i = 0; i < scop->n_array; i++)
        add_array(&text, scop, &scop->arrays[i]);
    for (unsigned i = 0; i < scop->n_stmt; i++)
        add_stmt(&text, scop, &scop->stmts[i]);
    pg_text_add(&text, "schedule ");
    add_isl(&text, isl_schedule_to_str(scop->original));
    pg_text_add(&text, "\n");
    return pg_text_take(&text);
}
