/* values.c - numbers of isl's, as such and as bounds of sets.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/values.h"

#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/set.h>
#include <math.h>
#include <stdlib.h>

/* "value" as a number, infinite if there is none.  Polly's isl_val_get_d is
 * wrong from 2^32 on.
 */
double pg_val_to_double(__isl_keep isl_val *value)
{
    char *text = isl_val_to_str(value);
    double number = text ? strtod(text, NULL) : HUGE_VAL;

    free(text);
    return number;
}

/* The largest one of "values" for any parameters.  To be used in place of
 * isl_pw_aff_max_val, which fails for pieces like (n - 2) / 20, defined where
 * they are integers.
 */
__isl_give isl_val *pg_largest_value(__isl_take isl_set *values)
{
    values = isl_set_project_out(values, isl_dim_param, 0,
                                 (unsigned)isl_set_dim(values, isl_dim_param));
    return isl_set_dim_max_val(values, 0);
}

static isl_stat keep_aff(__isl_take isl_set *domain, __isl_take isl_aff *aff,
                         void *user)
{
    isl_set_free(domain);
    *(isl_aff **)user = aff;
    return isl_stat_ok;
}

/* The expression of the only piece of "value", or NULL if it has several. */
__isl_give isl_aff *pg_only_expression(__isl_take isl_pw_aff *value)
{
    isl_aff *aff = NULL;

    value = isl_pw_aff_coalesce(value);
    if (isl_pw_aff_n_piece(value) == 1)
        isl_pw_aff_foreach_piece(value, &keep_aff, &aff);
    isl_pw_aff_free(value);
    return aff;
}
