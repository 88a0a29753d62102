/* estimate.h - what a run is estimated to take (decision.h), in milliseconds.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_ESTIMATE_H
#define POLYGPU_ESTIMATE_H

#include <stdbool.h>

/* What is copied: bytes, gaps that come along included, and how often the
 * device is asked. */
struct polygpu_copies {
    double bytes, number;
};

struct polygpu_estimate {
    bool known; /* the compiler counted, and the counts make sense */
    double operations, launches;
    double threads; /* of a launch, on average */
    double arrays;
    struct polygpu_copies in, out;
    struct polygpu_copies once_in, once_out; /* that later runs do without */
    struct polygpu_copies missing; /* of the former, not on the device */
    struct polygpu_copies stayed;  /* of the latter, not brought since then */
    struct polygpu_copies newer;  /* that the CPU needs, and the device again */
    struct polygpu_copies spoilt; /* that both have, and the CPU would write */
    bool all_stay;                /* no array has to be copied for each run */
    bool was_there;               /* a run of the SCoP was on the device */
    bool foreseen; /* it is known what of arrays that are not there stays; */
    struct polygpu_copies usual_in, usual_out; /* of them, that do not */
    double usual_ms; /* gpu_ms of runs to come, if this one is there, too */
    double lost;     /* by trials */
    unsigned runs;   /* before this one */
    bool cpu_known;  /* the CPU's time was measured */
    bool trial;      /* the side was chosen to be measured, not for its time */
    bool tried;      /* and that of the last run */
    /* by the model's constants alone: the CPU's loops; the device's run without
     * arrays and copies; its kernels: */
    double model_cpu_ms, model_device_ms, model_kernel_ms;
    /* with what was learnt: */
    double cpu_ms, kernel_ms, launch_ms, transfer_ms, fixed_ms, gpu_ms;
    double arrays_ms;  /* of fixed_ms, once */
    double once_ms;    /* of copies that are not in transfer_ms */
    double flush_ms;   /* of cpu_ms, for what the host lacks: there and back */
    double leaving_ms; /* what the next run on the device takes longer when
                          this one is not there */
    /* Of the SCoPs that have its arrays as well (prospects.h): on the CPU;
     * there when all is there; until then, but for what comes for both. */
    double others_cpu_ms, others_usual_ms, others_price_ms;
    double saved_ms, setup_ms;
    double staying_ms; /* gpu_ms when all that can stay there is there */
};

#endif
