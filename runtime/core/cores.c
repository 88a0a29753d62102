/* cores.c - see cores.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/cores.h"

#include "support/env.h"
#include "support/inside.h"
#include "support/openmp.h"

int polygpu_cores(void)
{
    struct polygpu_outside saved;
    int threads;

    if (polygpu_env()->cpu == POLYGPU_CPU_OFF)
        return 0;
    saved = polygpu_enter();
    threads = polygpu_openmp_threads();
    polygpu_leave(saved);
    return threads;
}

bool polygpu_cores_forced(void)
{
    return polygpu_env()->cpu == POLYGPU_CPU_PARALLEL;
}

double polygpu_cores_ms(double ms, double launches, int threads)
{
    double parted;

    if (threads < 2)
        return ms;
    parted = ms / threads + launches * POLYGPU_REGION_MS;
    return parted < ms ? parted : ms;
}

double polygpu_cores_ms_of(const struct polygpu_scop *scop, double ms,
                           double again_ms, double launches, double scattered)
{
    double tiled = again_ms / POLYGPU_TILE_OF_THREAD, parted;

    if (!(scop->flags & POLYGPU_SCOP_PARALLEL) || polygpu_cores() < 1)
        return ms;
    parted = (ms > tiled ? ms : tiled) + scattered * POLYGPU_SCATTERED_MS;
    parted = polygpu_cores_ms(parted, launches, polygpu_cores());
    ms = ms > again_ms ? ms : again_ms;
    return parted < ms ? parted : ms;
}
