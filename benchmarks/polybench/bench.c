/* bench.c - see bench.h.  Inputs, random numbers and the dump are those of the
 * test programs (test/programs/harness.c), seeded with POLYGPU_SEED and written
 * to POLYGPU_DUMP.
 *
 * The kernel runs POLYGPU_REPEAT times (once if it is not set), each time on
 * the same inputs, and has to give the same results each time.  At the end a
 * line goes to stderr:
 *
 *   bench: seconds=F first=F repetitions=N checksum=X sum=F nonfinite=N
 *       processor=F
 *
 * (without the break).  seconds is the shortest time of a repetition, processor
 * the shortest processor time of one.  The checksum is one of all
 * bits of all arrays, in which a NaN is as good as another; sum and nonfinite
 * (infinite or NaN) leave out elements that nobody wrote.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

/* The test programs have forms of their own. */
#undef AT
#include "../../test/programs/harness.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_ARRAYS = 32 };

struct array {
    const char *name;
    void *data;
    size_t count;
    enum bench_type type;
};

struct summary {
    uint64_t checksum;
    double sum;
    size_t nonfinite;
};

static struct array arrays[MAX_ARRAYS];
static int n_arrays;
static int next_array;
static double started, processor_started;
static double elapsed = -1, processor;

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "bench: %s %s\n", what, which);
    exit(2);
}

/* ---- Arrays ------------------------------------------------------------ */

static size_t element_size(enum bench_type type)
{
    return type == BENCH_DOUBLE ? sizeof(double) : sizeof(float);
}

int bench_size(int position)
{
    return harness_size(position);
}

/* Repetitions ask for the same arrays in the same order. */
void *bench_array(const char *name, size_t count, enum bench_type type)
{
    struct array *array = &arrays[next_array];

    if (next_array == n_arrays) {
        if (n_arrays == MAX_ARRAYS)
            fail("too many arrays:", name);
        array->name = name;
        array->data = harness_alloc(count, element_size(type));
        array->count = count;
        array->type = type;
        n_arrays++;
    }
    next_array++;
    harness_poison(array->data, count, element_size(type));
    return array->data;
}

static const struct array *find(const void *data)
{
    for (int i = 0; i < n_arrays; i++)
        if (arrays[i].data == data)
            return &arrays[i];
    fail("input for", "an unknown array");
    return NULL;
}

static void set(const struct array *array, size_t at, double value)
{
    if (array->type == BENCH_INT)
        ((int *)array->data)[at] = (int)value;
    else if (array->type == BENCH_FLOAT)
        ((float *)array->data)[at] = (float)value;
    else
        ((double *)array->data)[at] = value;
}

static double get(const struct array *array, size_t at)
{
    if (array->type == BENCH_INT)
        return ((const int *)array->data)[at];
    if (array->type == BENCH_FLOAT)
        return (double)((const float *)array->data)[at];
    return ((const double *)array->data)[at];
}

/* ---- Inputs ------------------------------------------------------------ */

double bench_random(void)
{
    return harness_random();
}

void bench_fill(void *data)
{
    const struct array *array = find(data);
    double scale = array->type == BENCH_INT ? 4 : 1;

    for (size_t i = 0; i < array->count; i++)
        set(array, i, scale * harness_random());
}

void bench_positive(void *data)
{
    const struct array *array = find(data);

    for (size_t i = 0; i < array->count; i++)
        set(array, i, fabs(harness_random()));
}

void bench_integers(void *data, int low, int high)
{
    const struct array *array = find(data);

    for (size_t i = 0; i < array->count; i++) {
        double share = fabs(harness_random()) - 0.5;

        set(array, i, low + floor(share * (high - low + 1)));
    }
}

void bench_zero(void *data)
{
    const struct array *array = find(data);

    memset(array->data, 0, array->count * element_size(array->type));
}

void bench_dominant(void *data, int n, int symmetric)
{
    const struct array *array = find(data);
    size_t width = (size_t)n;

    bench_fill(data);
    for (size_t i = 0; i < width; i++) {
        set(array, i * width + i, 2.0 * n);
        for (size_t j = 0; symmetric && j < i; j++)
            set(array, j * width + i, get(array, i * width + j));
    }
}

void bench_decreasing(void *data)
{
    const struct array *array = find(data);

    for (size_t i = 0; i < array->count; i++) {
        double at = (double)i + 1;

        set(array, i, harness_random() / (4 * at * at));
    }
}

/* ---- Time -------------------------------------------------------------- */

static double seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void bench_start(void)
{
    processor_started = seconds(CLOCK_PROCESS_CPUTIME_ID);
    started = seconds(CLOCK_MONOTONIC);
}

void bench_stop(void)
{
    elapsed = seconds(CLOCK_MONOTONIC) - started;
    processor = seconds(CLOCK_PROCESS_CPUTIME_ID) - processor_started;
}

/* ---- Results ----------------------------------------------------------- */

static uint64_t element_bits(const struct array *array, size_t at)
{
    uint32_t single;
    uint64_t bits;

    if (element_size(array->type) == sizeof(bits)) {
        memcpy(&bits, (const double *)array->data + at, sizeof(bits));
        return bits;
    }
    memcpy(&single, (const float *)array->data + at, sizeof(single));
    return single;
}

static struct summary summarize(void)
{
    struct summary result = {0};

    for (int a = 0; a < n_arrays; a++) {
        const struct array *array = &arrays[a];
        uint64_t unwritten;

        harness_poison(&unwritten, 1, element_size(array->type));
        if (element_size(array->type) == sizeof(uint32_t))
            unwritten = (uint32_t)unwritten;
        for (size_t i = 0; i < array->count; i++) {
            uint64_t bits = element_bits(array, i);
            double value = get(array, i);

            if (bits != unwritten) {
                result.sum += value;
                result.nonfinite += !isfinite(value);
                if (isnan(value))
                    bits = 1;
            }
            result.checksum = (result.checksum ^ bits) * 0x9e3779b97f4a7c15u;
            result.checksum ^= result.checksum >> 29;
        }
    }
    return result;
}

int main(int argc, char **argv)
{
    const char *text = getenv("POLYGPU_REPEAT");
    int repetitions = text && *text ? atoi(text) : 1;
    struct summary first = {0};
    double first_time = 0;
    double best = 0, best_processor = 0;

    if (repetitions < 1)
        fail("POLYGPU_REPEAT is no positive number:", text);
    harness_start(argc, argv);
    for (int i = 0; i < repetitions; i++) {
        struct summary result;

        harness_restart();
        next_array = 0;
        bench_program();
        if (elapsed < 0)
            fail("the program has", "no timer");
        result = summarize();
        if (i == 0) {
            first = result;
            first_time = best = elapsed;
            best_processor = processor;
        } else if (result.checksum != first.checksum) {
            fail("a repetition has", "other results");
        }
        best = elapsed < best ? elapsed : best;
        best_processor =
            processor < best_processor ? processor : best_processor;
    }
    for (int a = 0; a < n_arrays; a++)
        harness_dump(arrays[a].name, arrays[a].data, arrays[a].count,
                     element_size(arrays[a].type));
    fprintf(stderr,
            "bench: seconds=%.6f first=%.6f repetitions=%d "
            "checksum=%016llx sum=%.9g nonfinite=%zu processor=%.6f\n",
            best, first_time, repetitions, (unsigned long long)first.checksum,
            first.sum, first.nonfinite, best_processor);
    return harness_end();
}
