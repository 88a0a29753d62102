/* passes.c - small changes to a kernel's tree, one after the other.
 *
 * Every mapping of a kernel is made by a table of passes: tiled.c has those of
 * all mappings without buffers, nested.c those for threads that share inner
 * loops; promote/promoted_tree.c has the table of those with buffers.  Trees
 * can be printed before and after each.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/passes.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "support/text.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[PG_N_PASS] = {
    "distribute", "band",   "tile",    "grid",   "barriers",
    "boxes",      "points", "threads", "unroll", "pipeline"};
static const char all_passes[] = "all";

/* Is one of the names of "list", which are between commas, "name"?  NULL is an
 * empty list.
 */
static bool is_in(const char *list, const char *name)
{
    size_t length = strlen(name);

    for (; list; list = strchr(list, ',')) {
        list += *list == ',';
        if (!strncmp(list, name, length) &&
            (list[length] == ',' || !list[length]))
            return true;
    }
    return false;
}

/* NULL if "list" has names of passes, or "all", between commas; else a
 * malloc'ed sentence.
 */
char *pg_passes_check(const char *list)
{
    struct pg_text text = {0};
    size_t length = strcspn(list, ",");
    bool known = length == strlen(all_passes) &&
                 !strncmp(list, all_passes, strlen(all_passes));

    for (unsigned i = 0; !known && i < PG_N_PASS; i++)
        known = length == strlen(names[i]) && !strncmp(list, names[i], length);
    if (known)
        return list[length] ? pg_passes_check(list + length + 1) : NULL;
    pg_text_add(&text, "no pass is called '%.*s'; there are ", (int)length,
                list);
    for (unsigned i = 0; i < PG_N_PASS; i++)
        pg_text_add(&text, "%s, ", names[i]);
    pg_text_add(&text, "and all");
    return pg_text_take(&text);
}

/* Print "tree" if "list" has the pass or all of them. */
static void print(const struct pg_options *options, const char *list,
                  const char *when, const char *pass, const char *kernel,
                  enum pg_mapping_kind kind, __isl_keep isl_schedule *tree)
{
    static const char *const kinds[] = {"promoted", "shared", "nested",
                                        "plain"};
    struct pg_text text = {0};
    char *lines;

    if (!options || !options->print ||
        (!is_in(list, pass) && !is_in(list, all_passes)))
        return;
    lines = pg_tree_to_str(tree);
    pg_text_add(&text, "%s, %s: tree %s %s\n", kernel, kinds[kind], when, pass);
    pg_text_add_indented(&text, lines ? lines : "none\n", 2);
    free(lines);
    lines = pg_text_take(&text);
    options->print(lines, options->print_user);
    free(lines);
}

/* Let the "n" passes run over "tree" one after the other, and print it as the
 * options say: that of a mapping of the kind "kind" of the kernel called
 * "kernel".  NULL after the first pass that gives none.
 */
__isl_give isl_schedule *pg_passes_run(const struct pg_pass *passes, unsigned n,
                                       __isl_take isl_schedule *tree,
                                       void *state,
                                       const struct pg_options *options,
                                       const char *kernel,
                                       enum pg_mapping_kind kind)
{
    for (unsigned i = 0; tree && i < n; i++) {
        const char *name = names[passes[i].name];

        print(options, options ? options->print_before : NULL, "before", name,
              kernel, kind, tree);
        tree = passes[i].run(tree, state);
        print(options, options ? options->print_after : NULL, "after", name,
              kernel, kind, tree);
    }
    return tree;
}
