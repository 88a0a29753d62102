/* profile.c - see profile.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/profile.h"

#include "core/profile_lines.h"
#include "core/profile_table.h"
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
    polygpu_state_lock();
    if (polygpu_env()->profile == POLYGPU_PROFILE_LINES)
        polygpu_profile_lines();
    else
        polygpu_profile_table(polygpu_now() - started);
    polygpu_state_unlock();
    polygpu_leave(saved);
}
