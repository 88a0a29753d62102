/* log.h - lines on stderr.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_LOG_H
#define POLYGPU_LOG_H

void polygpu_message(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* A line under POLYGPU_DEBUG=1; the arguments are not evaluated without. */
#define POLYGPU_LOG(...)                                                       \
    do {                                                                       \
        if (polygpu_env()->debug)                                              \
            polygpu_message("debug: " __VA_ARGS__);                            \
    } while (0)

#endif
