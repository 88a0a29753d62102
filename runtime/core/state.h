/* state.h - what the runtime keeps of a SCoP from one run to the next.
 *
 * Reached through polygpu_scop.state, made at the first run and never freed:
 * the profile is printed when the process ends, perhaps after the library
 * that holds the SCoP was unloaded, so names are copies.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_STATE_H
#define POLYGPU_STATE_H

#include "core/estimate.h"
#include "core/pace.h"
#include "support/device.h"

struct polygpu_kernel_stats {
    uint64_t launches;
    uint32_t grid[3]; /* of the largest launch */
    /* as the compiler counts them, where sizes are known: */
    double operations;
    double flops_single, flops_double; /* among them */
    double bytes;                      /* of the arrays, decision.h */
    struct polygpu_launch_stats device;
};

struct polygpu_scop_stats {
    const char *device; /* of the last run that began; NULL: none did */
    uint64_t runs, declined, failed;
    uint64_t by_cost; /* of "declined": those that would not have paid */
    uint64_t bytes_in, bytes_out;
    uint64_t bytes_kept;  /* not copied in, since the device had them */
    double ms;            /* from begin to end */
    double in_ms, out_ms; /* of that, copying */
};

/* Bytes are those that were copied, gaps between elements included. */
struct polygpu_array_stats {
    uint64_t bytes_in, bytes_out;
    uint64_t bytes_kept; /* not copied in */
    double in_ms, out_ms;
};

struct polygpu_array_state {
    char *name;
    uintptr_t first, end; /* bytes of the device, the last time observed */
    struct polygpu_array_stats stats;
};

struct polygpu_kernel_state {
    char *name;
    uint32_t plan, variant;
    bool instead; /* of others: it is not there unless it is launched */
    uint32_t block[3];
    struct polygpu_kernel_stats stats;
};

/* Of the kernels of a variant. */
struct polygpu_variant_state {
    bool load_tried;
    unsigned generation; /* of the device, when loading was tried */
    void *module;
    struct polygpu_status load_status;
    bool load_settled;       /* it succeeded, or is not tried again */
    unsigned load_wait;      /* for lack of memory: runs until the next try, */
    unsigned load_last_wait; /* and between the last two */
    uint64_t runs;           /* that wrote their results, for the profile */
    char *when;              /* the sizes that it is for; of variant 0: "" */
};

/* Of a parameter, in the runs that a profile has seen. */
struct polygpu_size_state {
    int64_t least, most;
};

/* Of the bytes that runs read and write, those that were copied each time: 1 is
 * all of them; lately. */
struct polygpu_share {
    bool known; /* a run has ended well, */
    bool last;  /* and that was the last one */
    unsigned looks;
    double in, out;
};

struct polygpu_state {
    struct polygpu_state *next; /* in order of first use */
    char *function, *file;
    uint32_t line;

    uint32_t reported; /* bit c: a failure of polygpu_cause c was printed */

    double saved;      /* ms that runs would have saved but for the setup, */
    double hoped;      /* and but for copies of what could stay on the device */
    double hope;       /* 0, or how much more is wanted the next time */
    unsigned foreseen; /* runs that might have been (prospects.h), */
    unsigned usual_looks;
    double usual; /* the mean of usual_ms - staying_ms of those that were */
    bool joined;  /* they have moved there for several SCoPs, once; */
    bool follows; /* and the next run is to do so */
    double lost;  /* ms that runs lost to keep there what is there */
    double left;  /* how often they left, and were there again: 2^n - 1 */
    struct polygpu_share moved;
    unsigned look_wait;      /* runs until the next look for results, */
    unsigned look_last_wait; /* and between the last two */
    int64_t silence;      /* ns of the CPU until runs are asked about again */
    int64_t silence_step; /* ns of a run when one was asked about */

    struct polygpu_class classes[POLYGPU_CLASSES]; /* learnt.h; and the CPU's */
    double cpu_ratio;    /* pace of the class that was measured last */
    unsigned unmeasured; /* runs on the device that could be left */
    bool leaves;         /* the last one could (overlap.h) */
    struct polygpu_left left_runs;

    struct polygpu_run *resting; /* run.h */
    uint64_t hopeful; /* the key of sizes that are not too small, or 0 */

    bool estimated;
    struct polygpu_estimate estimate; /* of the last run */
    const char *decision;

    unsigned grids; /* loops of launches that were one kernel (grid.h) */

    bool seen; /* by this process, not only by its parent */
    struct polygpu_scop_stats stats;
    char reason[200]; /* why the last run that did not begin, but for the cost
                         test, or failed did so, for the profile */
    uint32_t plan;    /* of the last run that began, else of those to come */
    uint32_t n_arrays, n_kernels, n_variants, n_params;
    struct polygpu_array_state *arrays;
    struct polygpu_variant_state *variants; /* at least one */
    bool sized;                             /* a run has told its parameters: */
    struct polygpu_size_state *sizes;
    struct polygpu_kernel_state kernels[];
};

struct polygpu_state *polygpu_state(struct polygpu_scop *scop);
struct polygpu_state *polygpu_state_first(void);
/* Load the kernels of a variant. */
bool polygpu_state_load(struct polygpu_state *state,
                        const struct polygpu_scop *scop, uint32_t variant,
                        const struct polygpu_device *device, void **module,
                        struct polygpu_status *status);
void polygpu_state_sized(struct polygpu_state *state, const int64_t *params);
void polygpu_state_count(struct polygpu_state *state,
                         const struct polygpu_scop_stats *stats,
                         const struct polygpu_kernel_stats *kernels);
void polygpu_state_declined(struct polygpu_state *state, const char *reason);
void polygpu_state_count_array(struct polygpu_state *state, uint32_t array,
                               const struct polygpu_array_stats *stats);
/* Does the profile have kernel k? */
bool polygpu_state_shows(const struct polygpu_state *state, uint32_t k);
bool polygpu_state_loaded(const struct polygpu_state *state, uint32_t variant);
void polygpu_state_estimated(struct polygpu_state *state,
                             const struct polygpu_estimate *estimate,
                             const char *decision);
void polygpu_state_asked(struct polygpu_state *state, double ms, double cpu_ms);
bool polygpu_state_is_silent(const struct polygpu_state *state);
void polygpu_state_spend(struct polygpu_state *state, double ms);
bool polygpu_state_earned(struct polygpu_state *state, double load, double open,
                          struct polygpu_estimate *estimate);
void polygpu_state_ran(struct polygpu_state *state);
void polygpu_state_left(struct polygpu_state *state);
struct polygpu_share polygpu_state_moves(struct polygpu_state *state, double in,
                                         double out);
bool polygpu_state_hopes(struct polygpu_state *state, double gain, double price,
                         double credit, bool late);
double polygpu_state_usual(struct polygpu_state *state, bool *foreseen,
                           double copies);
bool polygpu_state_foresees(struct polygpu_state *state);
void polygpu_state_gains(struct polygpu_state *state, double gain);
bool polygpu_state_leaves(struct polygpu_state *state, double loss,
                          double price, bool others);
bool polygpu_state_join(struct polygpu_state *state, bool follows);
bool polygpu_state_follows(struct polygpu_state *state);
bool polygpu_state_looks(struct polygpu_scop *scop);
void polygpu_state_looked(struct polygpu_state *state, bool met);

#endif
