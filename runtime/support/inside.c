/* inside.c - see inside.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/inside.h"

_Thread_local volatile sig_atomic_t polygpu_depth;
