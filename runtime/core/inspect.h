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

/* Does the run write nothing of what it reads indirectly, and are arrays apart
 * that are said to be?  Else its status says why not.  All moves have been
 * told. */
bool polygpu_inspect_apart(struct polygpu_run *run);

#endif
