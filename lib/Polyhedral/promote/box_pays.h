/* box_pays.h - does shared memory pay for what a block works on?
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_BOX_PAYS_H
#define POLYGPU_PROMOTE_BOX_PAYS_H

#include "polygpu/polyhedral.h"

struct pg_box_references;

isl_bool pg_box_is_own(const struct pg_box_references *refs, unsigned group);
isl_bool pg_box_pays(const struct pg_box_references *refs, unsigned group,
                     unsigned n_copy);
isl_bool pg_box_is_across(const struct pg_box_references *refs, unsigned group);

#endif
