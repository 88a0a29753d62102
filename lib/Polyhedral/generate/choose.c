/* choose.c - which of the ways to map a kernel is taken.
 *
 * The best whose loops can be made and used.  That is not known from a schedule
 * tree: isl decides while it makes loops which of them have one iteration, and
 * so by which loop the number of a register is found (unrolled.c), and which
 * instances share a condition (barriers.c), and nobody knows how long that
 * takes before it is done.  So loops are made of one candidate after the other.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/choose.h"
#include "generate/kernel.h"
#include "map/mapping.h"
#include "map/plan.h"
#include "polygpu/polyhedral.h"
#include "support/phase.h"

/* Make the loops of the mapping that is chosen for "kernel".  Those with
 * buffers may take all operations of the phase, and count for none behind.
 * NULL, or why not.
 */
static const char *try_mapping(const struct pg_scop *scop,
                               struct pg_kernel *kernel, struct pg_phase *phase)
{
    bool own = kernel->mapping->promotion;
    const char *why;

    if (own)
        pg_phase_restart(phase);
    why = pg_kernel_generate(scop, kernel);
    if (pg_phase_erred(phase))
        why = pg_phase_failure(phase);
    if (!why && own)
        pg_phase_restart(phase);
    return why;
}

/* Choose the mapping of "kernel", from the one on that is chosen, and make its
 * loops.  An error if there is none.
 */
isl_stat pg_choose_mapping(const struct pg_scop *scop, struct pg_kernel *kernel,
                           struct pg_phase *phase)
{
    const char *why;

    // What is forgotten below must not be an error of something else.
    if (pg_phase_erred(phase))
        return isl_stat_error;
    while ((why = try_mapping(scop, kernel, phase))) {
        if (kernel->mapping + 1 == kernel->candidates + kernel->n_candidate)
            return isl_stat_error;
        pg_phase_forget(phase);
        pg_kernel_forget_ast(kernel);
        pg_kernel_reject(kernel, why);
    }
    return isl_stat_ok;
}
