/* profile.c - see profile.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/profile.h"

#include "core/lock.h"
#include "core/profile_csv.h"
#include "core/profile_lines.h"
#include "core/profile_table.h"
#include "core/profile_trace.h"
#include "core/state.h"
#include "support/clock.h"
#include "support/env.h"
#include "support/inside.h"

static double started;

__attribute__((constructor)) static void note_start(void)
{
    started = polygpu_now();
}

void polygpu_profile_link(void)
{
}

static void print(enum polygpu_profile which)
{
    switch (which) {
    case POLYGPU_PROFILE_NONE:
        break;
    case POLYGPU_PROFILE_TABLE:
        polygpu_profile_table(polygpu_now() - started);
        break;
    case POLYGPU_PROFILE_LINES:
        polygpu_profile_lines();
        break;
    case POLYGPU_PROFILE_TRACE:
        polygpu_profile_trace(started);
        break;
    case POLYGPU_PROFILE_CSV:
        polygpu_profile_csv();
        break;
    }
}

/* The lowest priority that programs may use: this destructor is among the
 * last, after exit handlers, so that loops in those are counted.  Nothing is
 * printed where a signal handler that interrupted the runtime ends the process:
 * what it interrupted may hold the lock. */
__attribute__((destructor(101))) static void print_profile(void)
{
    struct polygpu_outside saved;

    if (polygpu_is_inside() || !polygpu_env()->profile)
        return;
    saved = polygpu_enter();
    polygpu_lock();
    print(polygpu_env()->profile);
    polygpu_unlock();
    polygpu_leave(saved);
}
