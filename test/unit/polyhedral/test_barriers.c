/* test_barriers.c - before which tiles of a product there are barriers.
 *
 * A block need not wait before it copies its first tile.  The numbers of tiles
 * say which one that is if they start at zero, as the mapping has it; if they
 * do not, every tile has its barrier.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/mapping.h"
#include "map/shape.h"
#include "polygpu/polyhedral.h"
#include "promote/promote.h"
#include "promote/promoting.h"
#include "run.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/phase.h"
#include "verify/model.h"

#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 5 * 3 * 3, FIRST = 2 * 2 }; /* of all blocks */

static unsigned failures;

/* Add the points of "set" to "*user" if they are barriers. */
static isl_stat count_barriers(isl_set *set, void *user)
{
    const char *name = isl_set_get_tuple_name(set);
    isl_val *n = isl_set_count_val(set);

    if (name && !strncmp(name, "barrier", strlen("barrier")))
        *(long *)user += isl_val_get_num_si(n);
    isl_val_free(n);
    isl_set_free(set);
    return isl_stat_ok;
}

/* The members of "band", each plus "more". */
static isl_union_pw_aff *shifted(isl_schedule_node *band, long more)
{
    isl_union_pw_aff_list *members = pg_tree_members(band);
    isl_union_pw_aff *member =
        isl_union_pw_aff_list_get_union_pw_aff(members, 0);
    isl_union_set *stmts = isl_schedule_node_get_universe_domain(band);

    isl_union_pw_aff_list_free(members);
    return isl_union_pw_aff_add(
        member,
        isl_union_pw_aff_val_on_domain(
            stmts, isl_val_int_from_si(isl_schedule_node_get_ctx(band), more)));
}

/* The barriers of a product in 18 x 21 points with 12 steps, in tiles of 4 x 8
 * points and 4 steps for 2 x 2 blocks, whose parallel loops start at "first".
 */
static long barriers(long first)
{
    isl_ctx *ctx = pg_ctx_alloc();
    char *text = read_program("product_constant"), *error = NULL;
    struct pg_scop *scop = pg_scop_read(ctx, text, &error);
    struct pg_kernel kernel = {.domain = pg_scop_domain(scop)};
    struct pg_mapping mapping = {0};
    struct pg_promoting what = {
        .scop = scop, .kernel = &kernel, .n_parallel = 2};
    isl_schedule_node *node = isl_schedule_get_root(scop->original);
    struct pg_options options;
    struct pg_report report;
    struct pg_phase phase;
    struct pg_shape shape;
    isl_union_set *domain;
    long n = 0;

    pg_options_default(&options);
    options.promote = true;
    options.sizes = "{ kernel[i] -> tile[4,8,4]; kernel[i] -> block[2,4]; "
                    "kernel[i] -> grid[2,2] }";
    pg_report_init(&report);
    pg_dependences(scop, &options, &report);
    pg_phase_begin(&phase, ctx, "test", &options, &report);
    what.phase = &phase;
    what.options = &options;
    what.order = pg_scop_order(scop);
    what.members = isl_union_pw_aff_list_alloc(ctx, 2);
    node = isl_schedule_node_child(node, 0);
    for (int i = 0; i < 2; i++) {
        what.members =
            isl_union_pw_aff_list_add(what.members, shifted(node, first));
        node = isl_schedule_node_child(node, 0);
    }
    what.inner = node;
    if (!pg_promote(&what, &shape, &mapping)) {
        domain = isl_schedule_get_domain(mapping.schedule);
        isl_union_set_foreach_set(domain, &count_barriers, &n);
        isl_union_set_free(domain);
    }
    if (pg_phase_end(&phase, isl_stat_ok) != isl_stat_ok)
        n = -1;
    isl_union_map_free(what.order);
    isl_union_pw_aff_list_free(what.members);
    isl_schedule_node_free(node);
    isl_union_set_free(kernel.domain);
    pg_mapping_clear(&mapping);
    free(text);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
    return n;
}

static void expect(long first, long wanted)
{
    long n = barriers(first);

    if (n == wanted)
        return;
    printf("FAIL loops from %ld on: %ld barriers, not %ld\n", first, n, wanted);
    failures++;
}

int main(void)
{
    /* One in front of the copies and one behind them. */
    expect(0, 2 * TILES - FIRST);
    expect(-8, 2 * TILES);
    printf("%u failures\n", failures);
    return failures != 0;
}
