/* stride.c - a loop with a stride starts at one of its own iterations.
 *
 * The lower bound of a loop is a maximum of expressions, or, where the pieces
 * of what it runs have none in common, its smallest iteration as a piecewise
 * expression (exact_bound in isl_ast_codegen.c).  isl computes that for where
 * the loop runs, and simplifies it with all that holds there: what is left may
 * give any number elsewhere.  The conditions in the body leave out what is not
 * to run, but they are made for iterations at the stride: from another number
 * on, a block runs the tiles of other ones.
 *
 * So where an expression of isl's does not keep to the stride everywhere, the
 * first iteration is set to the offset wherever the loop does not run.  The
 * linker sends two calls of isl's here (--wrap in CMakeLists.txt).  The first
 * one, for several purposes, makes a map from the outer loops to the
 * iterations; if there is a stride, it gets the builder as its tuple's name.
 * The second one takes the smallest iterations, for first ones only.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

/* isl's functions, as in its own headers, which are not installed. */
int isl_ast_build_get_depth(isl_ast_build *build);
isl_bool isl_ast_build_has_stride(isl_ast_build *build, int pos);
__isl_give isl_val *isl_ast_build_get_stride(isl_ast_build *build, int pos);
__isl_give isl_aff *isl_ast_build_get_offset(isl_ast_build *build, int pos);
__isl_give isl_set *isl_ast_build_get_domain(isl_ast_build *build);
__isl_give isl_pw_aff *
isl_ast_build_compute_gist_pw_aff(isl_ast_build *build,
                                  __isl_take isl_pw_aff *value);

__isl_give isl_map *
__real_isl_ast_build_map_to_iterator(isl_ast_build *build,
                                     __isl_take isl_set *set);
__isl_give isl_map *
__wrap_isl_ast_build_map_to_iterator(isl_ast_build *build,
                                     __isl_take isl_set *set);
__isl_give isl_pw_multi_aff *
__real_isl_map_lexmin_pw_multi_aff(__isl_take isl_map *map);
__isl_give isl_pw_multi_aff *
__wrap_isl_map_lexmin_pw_multi_aff(__isl_take isl_map *map);

static void free_build(void *user)
{
    isl_ast_build_free(user);
}

/* { outer loops -> iteration } for the iterations "set" of the loop that is
 * being built.
 */
__isl_give isl_map *
__wrap_isl_ast_build_map_to_iterator(isl_ast_build *build,
                                     __isl_take isl_set *set)
{
    isl_map *map = __real_isl_ast_build_map_to_iterator(build, set);
    isl_bool strided =
        isl_ast_build_has_stride(build, isl_ast_build_get_depth(build));
    isl_id *id;

    if (strided != isl_bool_true || !map)
        return strided < 0 ? isl_map_free(map) : map;
    build = isl_ast_build_copy(build);
    id = isl_id_alloc(isl_map_get_ctx(map), NULL, build);
    if (!id)
        isl_ast_build_free(build);
    return isl_map_set_tuple_id(map, isl_dim_out,
                                isl_id_set_free_user(id, &free_build));
}

/* The loop that is being built. */
struct loop {
    isl_set *outer; /* where its first iteration may be asked for */
    isl_val *stride;
    isl_aff *offset;
};

/* Does the expression of a piece keep to the stride, elsewhere as well? */
static isl_bool keeps_stride(__isl_keep isl_set *piece, __isl_keep isl_aff *aff,
                             void *user)
{
    const struct loop *loop = user;
    isl_aff *rest = isl_aff_sub(isl_aff_copy(aff), isl_aff_copy(loop->offset));
    isl_set *off = isl_set_copy(loop->outer);
    isl_bool keeps;

    (void)piece;
    rest = isl_aff_mod_val(rest, isl_val_copy(loop->stride));
    off = isl_set_subtract(
        off, isl_set_from_basic_set(isl_aff_zero_basic_set(rest)));
    keeps = isl_set_is_empty(off);
    isl_set_free(off);
    return keeps;
}

/* Does "first", { outer loops -> [iteration] }, keep to the stride everywhere
 * once isl has simplified it?
 */
static isl_bool starts_at_stride(isl_ast_build *build,
                                 __isl_keep isl_pw_multi_aff *first,
                                 struct loop *loop)
{
    isl_pw_aff *value = isl_pw_multi_aff_get_pw_aff(first, 0);
    isl_bool keeps;

    value = isl_ast_build_compute_gist_pw_aff(build, value);
    keeps = isl_pw_aff_every_piece(value, &keeps_stride, loop);
    isl_pw_aff_free(value);
    return keeps;
}

/* "map", { outer loops -> [iteration] }, with the offset where it has none. */
static __isl_give isl_map *add_offset(__isl_take isl_map *map,
                                      const struct loop *loop)
{
    isl_set *idle = isl_set_subtract(isl_set_copy(loop->outer),
                                     isl_map_domain(isl_map_copy(map)));
    isl_map *start = isl_map_from_aff(isl_aff_copy(loop->offset));

    return isl_map_union(map, isl_map_intersect_domain(start, idle));
}

/* The first iterations of "map", { outer loops -> [iteration] }. */
static __isl_give isl_pw_multi_aff *first_of(isl_ast_build *build,
                                             __isl_take isl_map *map)
{
    int depth = isl_ast_build_get_depth(build);
    struct loop loop = {isl_ast_build_get_domain(build),
                        isl_ast_build_get_stride(build, depth),
                        isl_ast_build_get_offset(build, depth)};
    isl_pw_multi_aff *first =
        __real_isl_map_lexmin_pw_multi_aff(isl_map_copy(map));
    isl_bool keeps = starts_at_stride(build, first, &loop);

    if (keeps == isl_bool_false) {
        isl_pw_multi_aff_free(first);
        map = add_offset(map, &loop);
        first = __real_isl_map_lexmin_pw_multi_aff(isl_map_copy(map));
    }
    isl_map_free(map);
    isl_set_free(loop.outer);
    isl_val_free(loop.stride);
    isl_aff_free(loop.offset);
    return keeps < 0 ? isl_pw_multi_aff_free(first) : first;
}

__isl_give isl_pw_multi_aff *
__wrap_isl_map_lexmin_pw_multi_aff(__isl_take isl_map *map)
{
    isl_pw_multi_aff *first;
    isl_id *id;

    if (isl_map_has_tuple_id(map, isl_dim_out) != isl_bool_true)
        return __real_isl_map_lexmin_pw_multi_aff(map);
    id = isl_map_get_tuple_id(map, isl_dim_out);
    if (isl_id_get_free_user(id) == &free_build) {
        map = isl_map_reset_tuple_id(map, isl_dim_out);
        first = first_of(isl_id_get_user(id), map);
    } else {
        first = __real_isl_map_lexmin_pw_multi_aff(map);
    }
    isl_id_free(id);
    return first;
}
