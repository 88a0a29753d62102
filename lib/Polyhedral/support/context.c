/* context.c - what is kept of a context goes before it.
 *
 * isl counts the objects in a context and frees none that has some left.  The
 * linker sends all calls that free one here, Polly's too (--wrap in
 * CMakeLists.txt).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/coalesce.h"
#include "support/witness.h"

void __real_isl_ctx_free(isl_ctx *ctx);
void __wrap_isl_ctx_free(isl_ctx *ctx);

void __wrap_isl_ctx_free(isl_ctx *ctx)
{
    pg_coalesce_forget(ctx);
    pg_witness_forget(ctx);
    __real_isl_ctx_free(ctx);
}
