/* sizes.c - the user's sizes of tiles, grids and blocks.
 *
 * The notation is PPCG's: a union map from kernel numbers to sizes,
 *
 *     { kernel[0] -> tile[32,32]; kernel[i] -> block[8,32] }
 *
 * to which are added "vector[m,n]", how many points next to each other a thread
 * has in each parallel loop, "stages[n]", how many boxes of an array are in
 * shared memory while one of them is used, and, for kernel 0, "time[h,m,n]":
 * overlapping tiles of h steps, and of m x n elements, "stream[h,m,n]": the
 * same with planes of the first dimension one after the other, and
 * "partial[m,n]": the m x n partial results of a reduction.
 *
 * Sizes count from the outermost parallel loop inwards; the last one of
 * "block" and "grid" is the x direction.  Sizes beyond the parallel loops of
 * a kernel are not used, and loops beyond the sizes are not tiled or mapped.
 *
 * In a kernel whose one parallel loop goes to blocks while loops inside of it
 * go to threads, the first size of "tile" (default 1) and "grid" is for the
 * outer loop, and the first one of "block" (default 256) is the number of
 * threads for the loops inside, in the x direction.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/sizes.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_THREADS = 1024,
    MAX_THREADS_Z = 64,
    MAX_BLOCKS = 65535,
    MAX_TILE = 1 << 20,
    MAX_VECTOR = 16,
    MAX_STAGES = 8,
    MAX_TIME = 8192,
    MAX_PARTIAL = 4096
};

/* What is wrong with "list" of the kind "what", as a malloc'ed sentence, or
 * NULL.
 */
static char *check_list(const char *what, const struct pg_size_list *list)
{
    long long product = 1, limit = MAX_TILE;

    if (!strcmp(what, "grid"))
        limit = MAX_BLOCKS;
    else if (!strcmp(what, "block"))
        limit = MAX_THREADS;
    else if (!strcmp(what, "stages"))
        limit = MAX_STAGES;
    else if (!strcmp(what, "vector"))
        limit = MAX_VECTOR;
    else if (!strcmp(what, "time") || !strcmp(what, "stream"))
        limit = MAX_TIME;
    else if (!strcmp(what, "partial"))
        limit = MAX_PARTIAL;
    for (unsigned i = 0; i < list->n; i++) {
        if (list->v[i] < 1 || list->v[i] > limit)
            return pg_format("the %s size %lld is not between 1 and %lld", what,
                             list->v[i], limit);
        product = product > limit ? product : product * list->v[i];
    }
    if (!strcmp(what, "block") && product > MAX_THREADS)
        return pg_format("a block has %lld threads, more than %d", product,
                         MAX_THREADS);
    if (!strcmp(what, "block") && list->n == 3 && list->v[0] > MAX_THREADS_Z)
        return pg_format("a block has %lld threads in z, more than %d",
                         list->v[0], MAX_THREADS_Z);
    if (!strcmp(what, "stages") && list->n > 1)
        return pg_format("'stages' has %u sizes, more than one", list->n);
    if (!strcmp(what, "stream") && list->n > 4)
        return pg_format("a stream has %u sizes, more than four", list->n);
    if (strcmp(what, "tile") && strcmp(what, "vector") &&
        strcmp(what, "stream") && list->n > 3)
        return pg_format("a %s has %u sizes, more than three", what, list->n);
    return NULL;
}

/* Read the single element of "set", { what[s0,s1,...] }, into "list". */
static char *read_list(const char *what, __isl_take isl_set *set,
                       struct pg_size_list *list)
{
    isl_size n = isl_set_dim(set, isl_dim_set);
    char *error = NULL;

    list->n = 0;
    if (n < 0 || n > PG_MAX_SIZES)
        error = pg_format("'%s' has more than %d sizes", what, PG_MAX_SIZES);
    for (int i = 0; !error && i < n; i++) {
        isl_val *v;

        v = isl_set_plain_get_val_if_fixed(set, isl_dim_set, (unsigned)i);
        if (!v || !isl_val_is_int(v) || isl_val_cmp_si(v, 1) < 0 ||
            isl_val_cmp_si(v, 1L << 30) > 0)
            error = pg_format("size %d of '%s' is not one positive number", i,
                              what);
        else
            list->v[list->n++] = isl_val_get_num_si(v);
        isl_val_free(v);
    }
    isl_set_free(set);
    if (!error && list->n == 0)
        error = pg_format("'%s' has no sizes", what);
    return error ? error : check_list(what, list);
}

/* What the callback of the maps in a sizes relation needs. */
struct reader {
    struct pg_kernel_sizes *result; /* NULL: only check */
    unsigned kernel;
    char *error;
};

/* The list of "sizes" that the tuple "name" belongs to, or NULL. */
static struct pg_size_list *list_of(struct pg_kernel_sizes *sizes,
                                    const char *name)
{
    if (name && !strcmp(name, "tile"))
        return &sizes->tile;
    if (name && !strcmp(name, "grid"))
        return &sizes->grid;
    if (name && !strcmp(name, "block"))
        return &sizes->block;
    if (name && !strcmp(name, "stages"))
        return &sizes->stages;
    if (name && !strcmp(name, "vector"))
        return &sizes->vector;
    if (name && !strcmp(name, "time"))
        return &sizes->time;
    if (name && !strcmp(name, "stream"))
        return &sizes->stream;
    if (name && !strcmp(name, "partial"))
        return &sizes->partial;
    return NULL;
}

/* Check one piece of a map of the relation. */
static isl_stat check_piece(__isl_take isl_basic_map *piece, void *user)
{
    struct reader *reader = user;
    isl_map *map = isl_map_from_basic_map(piece);
    struct pg_size_list scratch;
    char *what = pg_strdup(isl_map_get_tuple_name(map, isl_dim_out));

    reader->error = read_list(what, isl_map_range(map), &scratch);
    free(what);
    return reader->error ? isl_stat_error : isl_stat_ok;
}

/* Read one map { kernel[k] -> what[s] } of the relation. */
static isl_stat read_map(__isl_take isl_map *map, void *user)
{
    struct reader *reader = user;
    struct pg_kernel_sizes scratch = {0};
    const char *from = isl_map_get_tuple_name(map, isl_dim_in);
    const char *what = isl_map_get_tuple_name(map, isl_dim_out);
    struct pg_size_list *list =
        list_of(reader->result ? reader->result : &scratch, what);

    if (!from || strcmp(from, "kernel") || isl_map_dim(map, isl_dim_in) != 1)
        reader->error = pg_format("sizes are for kernel[k], not for '%s'",
                                  from ? from : "a set without a name");
    else if (!list)
        reader->error = pg_format(
            "'%s' is none of tile, grid, block, vector, stages, time, stream "
            "and partial",
            what ? what : "a set without a name");
    else if (isl_map_dim(map, isl_dim_param) != 0)
        reader->error = pg_format("the sizes of '%s' have parameters", what);
    if (!reader->error && reader->result) {
        map = isl_map_fix_si(map, isl_dim_in, 0, (int)reader->kernel);
        if (isl_map_is_empty(map) != isl_bool_true)
            reader->error =
                read_list(what, isl_map_range(isl_map_copy(map)), list);
    } else if (!reader->error) {
        isl_map_foreach_basic_map(map, &check_piece, reader);
        if (!reader->error && isl_map_is_single_valued(map) != isl_bool_true)
            reader->error =
                pg_format("a kernel has several sizes of '%s'", what);
    }
    isl_map_free(map);
    return reader->error ? isl_stat_error : isl_stat_ok;
}

/* Read the relation "sizes": check it if "result" is NULL, else get the sizes
 * of "kernel".  Returns NULL or a malloc'ed sentence.
 */
static char *read_sizes(const char *sizes, unsigned kernel,
                        struct pg_kernel_sizes *result)
{
    struct reader reader = {result, kernel, NULL};
    isl_ctx *ctx;
    isl_union_map *map;

    if (!sizes || !*sizes)
        return NULL;
    ctx = pg_ctx_alloc();
    map = isl_union_map_read_from_str(ctx, sizes);
    if (!map)
        reader.error =
            pg_format("'%s' is not a relation in isl's notation", sizes);
    else
        isl_union_map_foreach_map(map, &read_map, &reader);
    isl_union_map_free(map);
    pg_ctx_free(ctx);
    return reader.error;
}

/* The sizes that the user gave for "kernel"; lists without sizes stay empty.
 * Returns NULL or a malloc'ed sentence that says what is wrong.
 */
char *pg_sizes_get(const char *sizes, unsigned kernel,
                   struct pg_kernel_sizes *result)
{
    memset(result, 0, sizeof(*result));
    return read_sizes(sizes, kernel, result);
}

/* NULL if pg_map understands "sizes", else a malloc'ed sentence.  Sizes that
 * differ from kernel to kernel within one map, as in
 * { kernel[i] -> tile[i] }, are not understood.
 */
char *pg_sizes_check(const char *sizes)
{
    return read_sizes(sizes, 0, NULL);
}
