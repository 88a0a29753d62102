/* fallback.h - the original loops run: who is told, and does it end the
 * program?
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_FALLBACK_H
#define POLYGPU_FALLBACK_H

#include "core/state.h"

/* Exit status of a program that POLYGPU=mandatory ended. */
#define POLYGPU_MANDATORY_STATUS 3

/* The original loops of "scop" are about to run because of "why": count it,
 * and print a line where the user should know.  "scop" is NULL where its
 * version is not known, "state" where there is none. */
void polygpu_fall_back(const struct polygpu_scop *scop,
                       struct polygpu_state *state,
                       const struct polygpu_status *why);
/* The same where something else follows, which the line ends with. */
void polygpu_report(const struct polygpu_scop *scop,
                    struct polygpu_state *state,
                    const struct polygpu_status *why, const char *then);
void polygpu_refuse_nested(void);
unsigned long polygpu_nested(void);

#endif
