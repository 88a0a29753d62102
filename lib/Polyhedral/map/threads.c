/* threads.c - loops of a kernel for threads of a CPU: which one is parted, what
 * is inside of it, and in pieces of what size.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/threads.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <isl/schedule_node.h>
#include <limits.h>

/* Iterations that a thread takes at once: of a loop without others in it, so
 * that what is done for each such piece does not count, and of one that goes
 * inside of others, whose elements of a row should stay in the first cache
 * until the next row comes: 512 of 8 bytes are an eighth of 32 KiB.
 */
enum { PIECE = 256, PIECE_OF_ROW = 512 };

/* Sides of a tile: of the parallel loop, whose iterations use the same elements
 * of an array one after the other, and of the last loop but one, so that these
 * with PIECE_OF_ROW in a row are what the second cache holds: 32 x 512 of 8
 * bytes are 128 KiB.  Loops between are not in pieces.  Of a product of 1536^3
 * by one thread 8 iterations leave a third of the time, 32 a quarter; but then
 * a loop over a hundred rows is three pieces for all threads.
 */
enum { TILE_OF_THREAD = PG_TILE_OF_THREAD, TILE_INSIDE = 32 };

/* What a cache brings at once. */
enum { LINE_BYTES = 64 };

/* What a loop has to have more than the innermost one of the source to take its
 * place: one more access whose neighbours are next to each other, not only one
 * that is written instead of read (pg_shape_rate).
 */
enum { MORE = 8 };

/* Which of the members is to be inside of the others. */
static int innermost(const struct pg_scop *scop,
                     __isl_keep isl_union_pw_aff_list *members,
                     __isl_keep isl_schedule_node *inner,
                     __isl_keep isl_union_set *domain)
{
    int last = isl_union_pw_aff_list_n_union_pw_aff(members) - 1, best, most;

    for (best = last; best >= 0; best--)
        if (pg_shape_is_last(scop, members, best, inner, domain))
            break;
    best = best < 0 ? last : best;
    most = pg_shape_rate(scop, NULL, members, best, inner, domain) + MORE;
    for (int i = last, source = best; i >= 0; i--) {
        int rate = i == source
                       ? 0
                       : pg_shape_rate(scop, NULL, members, i, inner, domain);

        if (rate >= most) {
            best = i;
            most = rate + 1;
        }
    }
    return best;
}

/* Have member "from" at the place "to". */
static __isl_give isl_union_pw_aff_list *
move(__isl_take isl_union_pw_aff_list *members, int from, int to)
{
    isl_union_pw_aff *one =
        isl_union_pw_aff_list_get_union_pw_aff(members, from);

    members = isl_union_pw_aff_list_drop(members, (unsigned)from, 1);
    return isl_union_pw_aff_list_insert(members, (unsigned)to, one);
}

/* The "members" of a band around "inner" with one parallel loop, the first: of
 * a permutable band the outermost one, but that along the rows of arrays goes
 * inside of all.  "*n_parallel", so many are, becomes 1, or stays 0.
 */
__isl_give isl_union_pw_aff_list *pg_threads_order(
    const struct pg_scop *scop, __isl_take isl_union_pw_aff_list *members,
    unsigned *n_parallel, bool permutable, __isl_keep isl_schedule_node *inner,
    __isl_keep isl_union_set *domain)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);
    unsigned parallel = *n_parallel;
    int last;

    *n_parallel = parallel > 1 ? 1 : parallel;
    if (!permutable || n < 2 || !parallel)
        return members;
    last = innermost(scop, members, inner, domain);
    if (parallel == 1 && last == 0)
        return members;
    return move(members, last, n - 1);
}

static isl_bool is_no_band(__isl_keep isl_schedule_node *node, void *user)
{
    bool *found = user;

    *found |= isl_schedule_node_get_type(node) == isl_schedule_node_band;
    return isl_bool_ok(!*found);
}

/* Is the first member, which is the only parallel one, that along rows?  Then a
 * thread goes through the other loops with a piece of a row at a time.
 */
static bool is_along_rows(const struct pg_scop *scop,
                          __isl_keep isl_union_pw_aff_list *members,
                          bool permutable, __isl_keep isl_schedule_node *inner,
                          __isl_keep isl_union_set *domain)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);

    return permutable && n > 1 && n <= PG_MAX_SIZES &&
           innermost(scop, members, inner, domain) == 0;
}

/* The accesses that go to the same elements in all iterations of the first
 * member, along rows in the last one, and in others of the band from row to
 * row.  That is more than caches hold until it comes again.
 */
static unsigned long coming_again(const struct pg_scop *scop,
                                  __isl_keep isl_union_pw_aff_list *members,
                                  __isl_keep isl_schedule_node *inner,
                                  __isl_keep isl_union_set *domain)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);
    unsigned long again = pg_shape_kept(scop, members, 0, inner, domain).same;
    unsigned long rows = 0;

    again &= pg_shape_kept(scop, members, n - 1, inner, domain).next;
    for (int i = 1; again && i < n - 1; i++)
        rows |= again & ~pg_shape_kept(scop, members, i, inner, domain).same;
    return rows;
}

/* Bytes of lines by statement that an instance brings for the accesses "again"
 * in the order of the source: those of its element where the innermost loop
 * goes along rows, else a line.
 */
static unsigned *bytes_of(const struct pg_scop *scop, unsigned long again,
                          __isl_keep isl_union_pw_aff_list *members,
                          __isl_keep isl_schedule_node *inner,
                          __isl_keep isl_union_set *domain)
{
    unsigned *bytes = pg_alloc(scop->n_stmt, sizeof(*bytes)), bit = 0;
    struct pg_kept kept = {0, 0};

    for (int i = isl_union_pw_aff_list_n_union_pw_aff(members) - 1; i >= 0; i--)
        if (pg_shape_is_last(scop, members, i, inner, domain)) {
            kept = pg_shape_kept(scop, members, i, inner, domain);
            break;
        }
    for (unsigned s = 0; s < scop->n_stmt; s++)
        for (unsigned a = 0; a < scop->stmts[s].n_access; a++, bit++) {
            unsigned array = scop->stmts[s].accesses[a].array;
            unsigned long one = bit < sizeof(one) * CHAR_BIT ? 1UL << bit : 0;

            if (again & one & kept.next)
                bytes[s] += scop->arrays[array].elem_size;
            else if (again & one & ~kept.same)
                bytes[s] += LINE_BYTES;
        }
    return bytes;
}

/* Tiles of all members of a permutable band. */
static void tile_all(struct pg_shape *shape, unsigned n)
{
    shape->n_tile = n;
    for (unsigned i = 1; i < n; i++)
        shape->tile[i] = 1;
    shape->tile[0] = TILE_OF_THREAD;
    shape->tile[n - 2] = TILE_INSIDE;
    shape->tile[n - 1] = PIECE_OF_ROW;
}

/* The sizes of a kernel of which the first of the "members" is parallel, as
 * "n_parallel" of them were: pieces of it go to blocks of one thread.  If it is
 * in tiles for caches, what of that they save by statement (pg_kernel.again),
 * for the caller to free, else NULL.
 */
unsigned *pg_threads_shape(struct pg_shape *shape, const struct pg_scop *scop,
                           __isl_keep isl_union_pw_aff_list *members,
                           unsigned n_parallel, bool permutable,
                           __isl_keep isl_schedule_node *inner,
                           __isl_keep isl_union_set *domain)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);
    bool rows = n_parallel == 1 &&
                is_along_rows(scop, members, permutable, inner, domain);
    bool loops = n > 1;
    unsigned long again = 0;
    unsigned *bytes = NULL;

    isl_schedule_node_foreach_descendant_top_down(inner, &is_no_band, &loops);
    if (!rows && permutable && n >= 3 && n <= PG_MAX_SIZES)
        again = coming_again(scop, members, inner, domain);
    shape->n_tile = rows ? (unsigned)n : 1;
    for (unsigned i = 0; i < shape->n_tile; i++)
        shape->tile[i] = 1;
    if (rows) {
        shape->tile[0] = PIECE_OF_ROW;
    } else if (again) {
        tile_all(shape, (unsigned)n);
        bytes = bytes_of(scop, again, members, inner, domain);
    } else if (!loops) {
        shape->tile[0] = PIECE;
    }
    shape->n_block = shape->first_thread = 0;
    shape->n_inner = 0;
    pg_shape_grid(shape, 1);
    shape->grid[0] = 0;
    return bytes;
}
