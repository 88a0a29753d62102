/* inspect.h - what indices may lead to, and whether that may be read.
 *
 * Which elements of an array a kernel reads may depend on data: then all that
 * the smallest and the largest index lead to is copied to the device.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_INSPECT_H
#define POLYGPU_INSPECT_H

#include "core/run.h"

/* Has nothing of what is read indirectly been written by the run?  Else its
 * status says so.  All moves have been told. */
bool polygpu_inspect_apart(struct polygpu_run *run);

#endif
