/* shift.c - statements are moved to a common stride only if all of them are.
 *
 * Where the instances of several statements keep to a stride in the same loop,
 * each with an offset of its own, isl moves them to one offset and puts the
 * offsets in order inside (generate_component in isl_ast_codegen.c).  For that
 * it compares each statement with one of them, where outer loops and parameters
 * are equal.  A statement that shares none of these with that one is taken to
 * have its offset, whatever it has in common with the others: with a stride of
 * 5, one at 0, 2 and 4 ran before another one at 3.
 *
 * So where there is nothing to compare no statement is moved.  The linker sends
 * isl's only call here (--wrap in CMakeLists.txt).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include <isl/set.h>
#include <isl/val.h>

/* isl's function, as in its own headers, which are not installed. */
isl_stat __real_isl_set_dim_residue_class_val(__isl_keep isl_set *set, int pos,
                                              isl_val **modulo,
                                              isl_val **residue);
isl_stat __wrap_isl_set_dim_residue_class_val(__isl_keep isl_set *set, int pos,
                                              isl_val **modulo,
                                              isl_val **residue);

/* Set "*modulo" and "*residue" to what all values of dimension "pos" of "set"
 * have in common; the same value is 0 and this.  Of no values isl has 0 and 0,
 * and here it is 1, as if they were any.
 */
isl_stat __wrap_isl_set_dim_residue_class_val(__isl_keep isl_set *set, int pos,
                                              isl_val **modulo,
                                              isl_val **residue)
{
    isl_bool empty;

    if (__real_isl_set_dim_residue_class_val(set, pos, modulo, residue) !=
        isl_stat_ok)
        return isl_stat_error;
    if (isl_val_is_zero(*modulo) != isl_bool_true ||
        isl_val_is_zero(*residue) != isl_bool_true)
        return isl_stat_ok;
    empty = isl_set_is_empty(set);
    if (empty == isl_bool_true)
        *modulo = isl_val_set_si(*modulo, 1);
    return empty < 0 || !*modulo ? isl_stat_error : isl_stat_ok;
}
