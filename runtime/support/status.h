/* status.h - what went wrong, as a sentence.
 *
 * Every step that can fail returns false and leaves its cause and a sentence
 * in a polygpu_status; only fallback.c decides what follows from it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_STATUS_H
#define POLYGPU_STATUS_H

#include <stdbool.h>
#include <stdint.h>

enum polygpu_cause {
    POLYGPU_OK = 0,
    /* not failures: the loops are not offloaded this time */
    POLYGPU_CAUSE_OFF,
    POLYGPU_CAUSE_NO_DEVICE,
    POLYGPU_CAUSE_CONDITION,
    POLYGPU_CAUSE_COST,
    POLYGPU_CAUSE_VERSION,
    POLYGPU_CAUSE_NO_IMAGE,
    POLYGPU_CAUSE_LOST,
    /* failures */
    POLYGPU_CAUSE_OPEN,
    POLYGPU_CAUSE_LOAD,
    POLYGPU_CAUSE_MEMORY,
    POLYGPU_CAUSE_UPLOAD,
    POLYGPU_CAUSE_LAUNCH,
    POLYGPU_CAUSE_TOGETHER, /* a launch whose blocks cannot be there at once */
    POLYGPU_CAUSE_SYNCHRONIZE,
    POLYGPU_CAUSE_DOWNLOAD,
    POLYGPU_CAUSE_USAGE,
    POLYGPU_CAUSE_BROKEN /* whatever it was, the device is lost */
};

struct polygpu_status {
    enum polygpu_cause cause;
    char text[512];
};

bool polygpu_fail(struct polygpu_status *status, enum polygpu_cause cause,
                  const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with a sentence in which "%3" stands for values[3], unless "values"
 * is null. */
bool polygpu_fail_with(struct polygpu_status *status, enum polygpu_cause cause,
                       const char *sentence, const int64_t *values);

#endif
