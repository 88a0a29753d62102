/* test_main.c - run the test that the command line names.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {
    {"exact", test_exact},
    {"hole", test_hole},
    {"moves", test_moves},
    {"meeting", test_meeting},
    {"child-meeting", child_meeting},
    {"residency", test_residency},
    {"child-residency", child_residency},
    {"child-least-recent", child_least_recent},
    {"hopeless", test_hopeless},
    {"asked", test_asked},
    {"child-asked", child_asked},
    {"child-hopeless", child_hopeless},
    {"child-keys", child_keys},
    {"staying", test_staying},
    {"child-staying", child_staying},
    {"deferred", test_deferred},
    {"child-deferred", child_deferred},
    {"child-replay", child_replay},
    {"child-spoilt", child_spoilt},
    {"child-parts", child_parts},
    {"child-copied", child_copied},
    {"child-bounds", child_bounds},
    {"empty", test_empty},
    {"commit", test_commit},
    {"poison", test_poison},
    {"usage", test_usage},
    {"order", test_order},
    {"barrier", test_barrier},
    {"diverge", test_diverge},
    {"unmarked", test_unmarked},
    {"dynamic", test_dynamic},
    {"copies", test_copies},
    {"large-copies", test_large_copies},
    {"workers", test_workers},
    {"gather", test_gather},
    {"child-exit-in-copy", child_exit_in_copy},
    {"child-exit-beside-copy", child_exit_beside_copy},
    {"child-jump-out-of-copy", child_jump_out_of_copy},
    {"library", test_library},
    {"faults", test_faults},
    {"version", test_version},
    {"fork", test_fork},
    {"profile", test_profile},
    {"table", test_table},
    {"observed", test_observed},
    {"places", test_places},
    {"advice", test_advice},
    {"peak", test_peak},
    {"child-copied-once", child_copied_once},
    {"child-kept", child_kept},
    {"child-advice", child_advice},
    {"output", test_output},
    {"child-names", child_names},
    {"child-many-events", child_many_events},
    {"child-touch", child_touch},
    {"child-forks", child_forks},
    {"child-starts", child_starts},
    {"child-moves", child_moves},
    {"mandatory", test_mandatory},
    {"environment", test_environment},
    {"counts", test_counts},
    {"threshold", test_threshold},
    {"worth", test_worth},
    {"active", test_active},
    {"early-late", test_early_late},
    {"threads", test_threads},
    {"cuda-errors", test_cuda_errors},
    {"cuda-memory", test_cuda_memory},
    {"cuda-images", test_cuda_images},
    {"modules", test_cuda_modules},
    {"cuda-context", test_cuda_context},
    {"cuda-shared", test_cuda_shared},
    {"cuda-small", test_cuda_small},
    {"cuda-calls", test_cuda_calls},
    {"child-calls", child_calls},
    {"cuda-device", test_cuda_device},
    {"child-device", child_device},
    {"cuda-program", test_cuda_program},
    {"cuda-reset", test_cuda_reset},
    {"cuda-capture", test_cuda_capture},
    {"cuda-flight", test_cuda_flight},
    {"cuda-fork", test_cuda_fork},
    {"overlap", test_overlap},
    {"overlap-faults", test_overlap_faults},
    {"overlap-calls", test_overlap_calls},
    {"overlap-graphs", test_overlap_graphs},
    {"overlap-random", test_overlap_random},
    {"pending", test_pending},
    {"pending-beside", test_pending_beside},
    {"pending-times", test_pending_times},
    {"pending-faults", test_pending_faults},
    {"pending-flights", test_pending_flights},
    {"pending-calls", test_pending_calls},
    {"pending-random", test_pending_random},
    {"pending-deaf", test_pending_deaf},
    {"child-pending", child_pending},
    {"child-pending-random", child_pending_random},
    {"streams-random", test_streams_random},
    {"streams-deaf", test_streams_deaf},
    {"streams-fewer", test_streams_fewer},
    {"streams-errors", test_streams_errors},
    {"streams-times", test_streams_times},
    {"streams-resident", test_streams_resident},
    {"child-streams", child_streams},
    {"in-place", test_in_place},
    {"child-in-place", child_in_place},
    {"child-overlap", child_overlap},
    {"child-overlap-random", child_overlap_random},
    {"child-overlap-most", child_overlap_most},
    {"payoff", test_payoff},
    {"graphs", test_graphs},
    {"grid", test_grid},
    {"grid-refused", test_grid_refused},
    {"child-grid", child_grid},
    {"graphs-calls", test_graphs_calls},
    {"graphs-faults", test_graphs_faults},
    {"graphs-profile", test_graphs_profile},
    {"graphs-reset", test_graphs_reset},
    {"graphs-refused", test_graphs_refused},
    {"graphs-auto", test_graphs_auto},
    {"graphs-threads", test_graphs_threads},
    {"child-graphs", child_graphs},
    {"staging-sizes", test_staging_sizes},
    {"staging-limits", test_staging_limits},
    {"staging-calls", test_staging_calls},
    {"staging-threads", test_staging_threads},
    {"staging-fork", test_staging_fork},
    {"staging-reset", test_staging_reset},
    {"staging-signals", test_staging_signals},
    {"child-staging-growth", child_staging_growth},
    {"child-staging-limits", child_staging_limits},
    {"child-staging-small", child_staging_small},
    {"child-staging-one", child_staging_one},
    {"child-staging-refused", child_staging_refused},
    {"child-staging-calls", child_staging_calls},
    {"nested", test_nested},
    {"nested-once", test_nested_once},
    {"errno", test_errno},
    {"child-nested", child_nested},
    {"child-pair", child_pair},
    {"child-profile", child_profile},
    {"child-decline", child_decline},
    {"child-version", child_version},
    {"child-diverge", child_diverge},
    {"child-nothing", child_nothing},
    {"child-sized", child_sized},
    {"child-active", child_active},
};

static int finished;

/* A process that ends in the middle of a test has not passed it, whatever its
 * status (the last thread's end, for one, is status 0). */
static void require_finish(void)
{
    if (!finished) {
        fprintf(stderr, "the process ended before the test\n");
        _exit(1);
    }
}

void tests_end_process(int status)
{
    finished = 1;
    exit(status);
}

int main(int argc, char **argv)
{
    size_t i;

    atexit(require_finish);
    for (i = 0; argc == 2 && i < sizeof tests / sizeof *tests; ++i)
        if (!strcmp(argv[1], tests[i].name)) {
            tests[i].run();
            finished = 1;
            return 0;
        }
    fprintf(stderr, "usage: %s <test>\n", argv[0]);
    return 2;
}
