/* env.h - the environment variables, read once.
 *
 *   POLYGPU          auto (default) | off | mandatory
 *   POLYGPU_DEVICE   cuda (default) | cuda:<n> | emulated
 *   POLYGPU_EMULATED file of the emulated device's library (load_emulated.h)
 *   POLYGPU_PROFILE  0 (default) | 1 (a table) | lines (for scripts)
 *                    | <file>.json (trace events) | <file>.csv (output.h)
 *   POLYGPU_DEBUG    0 (default) | 1
 *   POLYGPU_COST     auto (default): the cost test learns on a GPU | learn: on
 *                    the emulated device too | fixed: not | off: no cost test
 *                    | <name>=<number>,...: not, with these constants of its
 *                    model (device_model.h); auto,<name>=...: it begins
 *                    with them
 *   POLYGPU_RESIDENCY on (default) | off: device copies end with their run
 *                    | verify: they are compared with the host's before use
 *   POLYGPU_GRAPHS   auto (default): launches that come again are CUDA graphs
 *                    where that was measured to be faster | on: all are | off
 *   POLYGPU_OVERLAP  on (default) | off: copies and kernels of a run one after
 *                    the other
 *   POLYGPU_CHAIN    auto (default): kernels with loops of the host in them
 *                    where they are faster | on: wherever there are any | off
 *   POLYGPU_CPU      auto (default): loops that were compiled for all cores run
 *                    on these where they do not go to the device and that is
 *                    faster | parallel: wherever they can | off
 *   POLYGPU_ARCH     <n> or sm_<n>: of several plans and images those for a
 *                    device of this compute capability, not a newer one's
 *                    (plans.h)
 *   POLYGPU_COPY_THREADS <n> that copy, the caller included (workers.h)
 *   POLYGPU_FAULT    for tests only: <kind>:<n> makes the n-th operation of a
 *                    kind fail, <kind>:<n>+ all from the n-th on (faults.h);
 *                    count prints how many there were
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
#include "support/faults.h"

#include <stdbool.h>

enum polygpu_profile {
    POLYGPU_PROFILE_NONE,
    POLYGPU_PROFILE_TABLE,
    POLYGPU_PROFILE_LINES,
    POLYGPU_PROFILE_TRACE,
    POLYGPU_PROFILE_CSV
};
enum polygpu_mode { POLYGPU_AUTO, POLYGPU_OFF, POLYGPU_MANDATORY };

enum polygpu_residency {
    POLYGPU_RESIDENCY_ON,
    POLYGPU_RESIDENCY_OFF,
    POLYGPU_RESIDENCY_VERIFY
};

enum polygpu_graph_use {
    POLYGPU_GRAPHS_AUTO,
    POLYGPU_GRAPHS_ON,
    POLYGPU_GRAPHS_OFF
};

enum polygpu_chain { POLYGPU_CHAIN_AUTO, POLYGPU_CHAIN_ON, POLYGPU_CHAIN_OFF };

enum polygpu_cpu { POLYGPU_CPU_AUTO, POLYGPU_CPU_PARALLEL, POLYGPU_CPU_OFF };

enum { POLYGPU_MOST_COPY_THREADS = 64 };

struct polygpu_env {
    enum polygpu_mode mode;
    bool emulated;
    int device;     /* number of the CUDA device, -1: not given */
    int local_rank; /* which process of this machine this is, -1: unknown */
    const char *rank_name; /* the launcher's variable that says so */
    const char *library;   /* NULL: not given */
    enum polygpu_profile profile;
    bool debug;
    bool cost;   /* runs have to be worth it, */
    bool learns; /* by what runs before took */
    struct polygpu_device_model model;
    enum polygpu_residency residency;
    enum polygpu_graph_use graphs;
    bool overlap; /* copies beside kernels */
    enum polygpu_chain chain;
    enum polygpu_cpu cpu;
    unsigned arch;    /* major * 10 + minor, 0: not given */
    int copy_threads; /* 0: not given */
    struct polygpu_fault fault;
};

const struct polygpu_env *polygpu_env(void);
const struct polygpu_env *polygpu_env_known(void);

#endif
