/* params.h - parameters that an order of execution cannot depend on.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_PARAMS_H
#define POLYGPU_SCHEDULE_PARAMS_H

#include "polygpu/polyhedral.h"

void pg_forget_params(isl_union_set **domain, isl_union_map **order,
                      isl_union_map **near);

#endif
