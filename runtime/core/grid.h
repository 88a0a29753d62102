/* grid.h - loops of launches as one kernel, whose blocks meet (polygpu_grid).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GRID_H
#define POLYGPU_GRID_H

#include <stdbool.h>
#include <stdint.h>

struct polygpu_run;

/* How a kernel does the loop: so many iterations in a launch, with so many
 * blocks, which meet at "counter". */
struct polygpu_grid {
    int64_t rounds;
    uint32_t blocks;
    uintptr_t counter;
};

/* Is it to do "rounds" iterations around launches of "kernels"?  Then how. */
bool polygpu_grid_choose(struct polygpu_run *run, uint32_t kernel,
                         int64_t rounds, const uint32_t *kernels, uint32_t n,
                         struct polygpu_grid *how);

#endif
