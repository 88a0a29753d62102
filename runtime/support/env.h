/* env.h - the environment variables, read once.
 *
 *   POLYGPU          auto (default) | off | mandatory
 *   POLYGPU_DEVICE   cuda (default) | emulated
 *   POLYGPU_EMULATED file of the emulated device's library (load_emulated.h)
 *   POLYGPU_PROFILE  0 (default) | 1
 *   POLYGPU_DEBUG    0 (default) | 1
 *   POLYGPU_COST     off: no cost test; else <name>=<number>,...: constants of
 *                    its model (device_model.h)
 *   POLYGPU_FAULT    for tests only: <kind>:<n> makes the n-th operation of a
 *                    kind fail (alloc, in, launch, out, load, sync, open)
 *
 * An empty value is as good as none.  A wrong value is reported once; a wrong
 * POLYGPU or POLYGPU_DEVICE switches offloading off, any other is as if unset.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_ENV_H
#define POLYGPU_ENV_H

#include "support/device.h"
#include "support/device_model.h"

#include <stdbool.h>

enum polygpu_mode { POLYGPU_AUTO, POLYGPU_OFF, POLYGPU_MANDATORY };

struct polygpu_env {
    enum polygpu_mode mode;
    bool emulated;
    const char *library; /* NULL: not given */
    bool profile;
    bool debug;
    bool cost; /* runs have to be worth it */
    struct polygpu_device_model model;
    enum polygpu_fault fault;
    unsigned long fault_at;
};

const struct polygpu_env *polygpu_env(void);
const struct polygpu_env *polygpu_env_known(void);

#endif
