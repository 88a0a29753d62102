/* graphs.h - launches that come again, as CUDA graphs.
 *
 * A session's launches between two waits, copies or marks are a segment.  What
 * a segment launches is recorded, where that is much.  One that comes again
 * equal has graphs built of it, and the next time its launches are held back
 * while they are the recorded ones: a graph is launched for each CHUNK of them.
 * Where they turn out to be others, those held back are launched by themselves,
 * in their order.  payoff.h says when graphs are built and used.
 *
 * Nothing is held back when a segment has been ended.  No function takes a lock
 * unless graphs are built or freed.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GRAPHS_H
#define POLYGPU_GRAPHS_H

#include "cuda/cuda_driver.h"
#include "cuda/sequence.h"
#include "support/device.h"

/* Of a session. */
struct polygpu_graphs;

/* Where launches go to; the context is current. */
struct polygpu_launcher {
    const struct polygpu_cuda_driver *driver;
    cu_stream stream;
    const struct polygpu_scop *scop;
    const cu_function *functions; /* of its kernels */
};

/* Constants but for tests; graphs.c says why they are what they are. */
struct polygpu_graph_limits {
    unsigned least; /* launches of a segment that is recorded */
    unsigned chunk; /* launches of a graph */
    unsigned nodes; /* of all graphs of the process */
    size_t bytes;   /* of all that is recorded */
};
extern struct polygpu_graph_limits polygpu_graph_limits;

/* What went wrong, for a sentence; set by functions that return false. */
struct polygpu_graph_failure {
    cu_result result;
    char what[160];
};

/* One launch, by itself. */
cu_result polygpu_launch_plainly(const struct polygpu_launcher *launcher,
                                 uint32_t kernel, const uint32_t grid[3],
                                 void **args);

/* NULL: there are to be none, or the driver or the host's memory has none. With
 * a profile it is only counted what comes again. */
struct polygpu_graphs *
polygpu_graphs_new(const struct polygpu_cuda_driver *driver,
                   unsigned generation);
/* "generation" is that of the context, which is current, or it is gone. */
void polygpu_graphs_free(struct polygpu_graphs *graphs, bool gone,
                         unsigned generation);
/* May there be any that have to be destroyed? */
bool polygpu_graphs_any(const struct polygpu_graphs *graphs);

/* Of the next launch of a segment: is it held back, and nothing else to be done
 * now?  Needs no context. */
bool polygpu_graphs_hold(struct polygpu_graphs *graphs, uint32_t kernel,
                         const struct polygpu_kernel *about,
                         const uint32_t grid[3], void *const *args);
/* Else do it; with a profile the caller does, but says so first. */
void polygpu_graphs_note(struct polygpu_graphs *graphs,
                         const struct polygpu_launcher *launcher,
                         uint32_t kernel, const uint32_t grid[3], void **args);
bool polygpu_graphs_launch(struct polygpu_graphs *graphs,
                           const struct polygpu_launcher *launcher,
                           uint32_t kernel, const uint32_t grid[3], void **args,
                           struct polygpu_graph_failure *failure);
/* The segment ends, and something else follows, which is that its launches are
 * waited for or not.  Where there is none, nothing happens. */
bool polygpu_graphs_end(struct polygpu_graphs *graphs, bool waits,
                        struct polygpu_graph_failure *failure);
/* The launches of the last segment have been waited for. */
void polygpu_graphs_waited(struct polygpu_graphs *graphs);
/* A run has ended: are there graphs to be built, or that do not pay? */
bool polygpu_graphs_rest(struct polygpu_graphs *graphs);
/* Build the former, free the latter. */
cu_result polygpu_graphs_tidy(struct polygpu_graphs *graphs);

/* Memory is short: free graphs that nobody uses; did that free any? */
bool polygpu_graphs_shed(unsigned generation);

/* With a profile: what has come. */
void polygpu_graphs_repeats(struct polygpu_repeats *repeats);
/* Say what was done, under POLYGPU_DEBUG=1. */
void polygpu_graphs_log(void);

/* For tests: asked before each function of graphs; true: it is to fail. */
void polygpu_graphs_inject(bool (*fails)(struct polygpu_status *status));

#endif
