/* device_model.h - the constants of the cost test's model (decision.h).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_DEVICE_MODEL_H
#define POLYGPU_DEVICE_MODEL_H

#include <stdbool.h>
#include <stddef.h>

/* The constants of the model, in the order of their names in device_model.c. */
struct polygpu_device_model {
    double cpu, gpu, thread, memory, in, out, launch, meet, step, array, run,
        open, load;
};

extern const struct polygpu_device_model polygpu_default_device_model;

bool polygpu_device_model_set(struct polygpu_device_model *model,
                              const char *name, size_t length, double value);
void polygpu_device_model_names(char *text, size_t size);

#endif
