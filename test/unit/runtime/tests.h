/* tests.h - the tests of polygpu_rt_test, each run as its first argument.
 *
 * Those named child-... are run by others, in a process of their own.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_TESTS_H
#define POLYGPU_TESTS_H

/* exit() that belongs to the test. */
_Noreturn void tests_end_process(int status);

/* test_copy.c */
void test_exact(void);
void test_hole(void);
void test_empty(void);
void test_commit(void);
void test_poison(void);
void test_usage(void);
void test_order(void);
void test_barrier(void);
void test_diverge(void);
void test_unmarked(void);
void test_dynamic(void);

/* test_copies.c */
void test_copies(void);
void test_large_copies(void);
void child_exit_in_copy(void);
void child_exit_beside_copy(void);
void child_jump_out_of_copy(void);

/* test_gather.c */
void test_gather(void);

/* test_library.c */
void test_library(void);

/* test_process.c */
void test_faults(void);
void test_version(void);
void test_fork(void);
void test_profile(void);
void test_table(void);
void test_mandatory(void);
void test_environment(void);
void test_early_late(void);
void child_pair(void);
void child_profile(void);
void child_decline(void);
void child_version(void);
void child_diverge(void);
void child_nothing(void);

/* test_decision.c */
void test_counts(void);
void test_threshold(void);
void test_worth(void);
void test_active(void);
void test_hopeless(void);
void test_asked(void);
void child_asked(void);
void child_hopeless(void);
void child_keys(void);
void child_sized(void);
void child_active(void);

/* test_observed.c */
void test_observed(void);
void test_places(void);
void test_advice(void);
void test_peak(void);
void child_copied_once(void);
void child_kept(void);
void child_advice(void);

/* test_moves.c */
void test_moves(void);

/* test_pending.c */
void test_pending(void);
void test_pending_beside(void);
void test_pending_times(void);
void test_pending_faults(void);
void test_pending_flights(void);
void test_pending_calls(void);
void test_pending_random(void);
void test_pending_deaf(void);
void child_pending(void);
void child_pending_random(void);

/* test_streams.c */
void test_streams_random(void);
void test_streams_deaf(void);
void test_streams_fewer(void);
void test_streams_errors(void);
void test_streams_times(void);
void test_streams_resident(void);
void child_streams(void);

/* test_output.c */
void test_output(void);
void child_names(void);
void child_many_events(void);
void child_touch(void);
void child_forks(void);
void child_starts(void);
void child_moves(void);

/* test_residency.c */
void test_residency(void);
void child_residency(void);
void child_least_recent(void);
void test_staying(void);
void child_staying(void);
void test_meeting(void);
void child_meeting(void);
void test_deferred(void);
void child_deferred(void);
void child_replay(void);
void child_spoilt(void);
void child_parts(void);
void child_copied(void);
void child_bounds(void);

/* test_threads.c */
void test_threads(void);

/* test_workers.c */
void test_workers(void);

/* test_signals.c */
void test_nested(void);
void test_nested_once(void);
void test_errno(void);
void child_nested(void);

/* test_overlap.c */
void test_overlap(void);
void test_overlap_faults(void);
void test_overlap_random(void);
void test_overlap_calls(void);
void test_overlap_graphs(void);
void test_in_place(void);
void child_in_place(void);
void child_overlap(void);
void child_overlap_random(void);
void child_overlap_most(void);

/* test_graphs.c */
void test_payoff(void);
void test_graphs(void);
void test_graphs_auto(void);
void test_graphs_calls(void);
void test_graphs_refused(void);
void test_graphs_reset(void);
void test_graphs_faults(void);
void test_graphs_profile(void);
void test_graphs_threads(void);
void child_graphs(void);

/* test_staging.c */
void test_staging_sizes(void);
void test_staging_limits(void);
void test_staging_calls(void);
void test_staging_threads(void);
void test_staging_fork(void);
void test_staging_reset(void);
void test_staging_signals(void);
void child_staging_growth(void);
void child_staging_limits(void);
void child_staging_small(void);
void child_staging_one(void);
void child_staging_refused(void);
void child_staging_calls(void);

/* test_grid.c */
void test_grid(void);
void test_grid_refused(void);
void child_grid(void);

/* test_cuda.c */
void test_cuda_program(void);
void test_cuda_reset(void);
void test_cuda_capture(void);
void test_cuda_flight(void);
void test_cuda_fork(void);
void test_cuda_errors(void);
void test_cuda_memory(void);
void test_cuda_images(void);
void test_cuda_modules(void);
void test_cuda_context(void);
void test_cuda_shared(void);
void test_cuda_small(void);
void test_cuda_calls(void);
void test_cuda_device(void);
void child_device(void);
void child_calls(void);

#endif
