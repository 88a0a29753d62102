/* values.h - numbers of isl's, as such and as bounds of sets.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SUPPORT_VALUES_H
#define POLYGPU_SUPPORT_VALUES_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/val.h>

double pg_val_to_double(__isl_keep isl_val *value);
__isl_give isl_val *pg_largest_value(__isl_take isl_set *values);
__isl_give isl_aff *pg_only_expression(__isl_take isl_pw_aff *value);

#endif
