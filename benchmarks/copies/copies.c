/* copies.c - how fast the host's side of copies is, on the stand-in for the
 * driver (test/unit/runtime/fake_cuda.c):
 *
 *   POLYGPU_COPY_THREADS=2 LD_LIBRARY_PATH=build/test/unit/runtime/fake \
 *       build/bin/polygpu_rt_copies
 *
 * GB/s, the fastest of some tries.  "memcpy" is one call of it.  "fill" and
 * "empty" are staged copies whose bus takes no time, "in" and "out" those whose
 * bus is a memcpy by the same processors, "driver" is a copy that is not
 * staged, also a memcpy.  "gather" and "scatter" are of rows of 7 KiB with gaps
 * of 1 KiB; "one gather" and "one scatter" the same by one thread.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda.h"
#include "cuda/staging.h"
#include "support/clock.h"
#include "support/gather.h"
#include "support/workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 256 * 1024 * 1024, ROW = 7 * 128, PITCH = 8 * 128 };

static char *from, *to; /* LARGEST bytes each, of the host */
static uintptr_t device;
static void *session;
static struct polygpu_status status;
static struct polygpu_segments rows;
static struct polygpu_group group;

static void end(const char *why)
{
    fprintf(stderr, "copies: %s %s\n", why, status.text);
    exit(1);
}

static void copy_by_memcpy(size_t size)
{
    memcpy(to, from, size);
}

static void copy_in(size_t size)
{
    if (!polygpu_cuda.copy_in(session, device, from, size, &status))
        end("copy to the device:");
}

static void copy_out(size_t size)
{
    if (!polygpu_cuda.copy_out(session, to, device, size, &status))
        end("copy from the device:");
}

static void gather(size_t size)
{
    (void)size;
    polygpu_gather(&rows, &group, (uintptr_t)from, 8, to);
}

static void gather_alone(size_t size)
{
    (void)size;
    polygpu_segments_gather(&rows, &group, (uintptr_t)from, 8, to);
}

static void scatter(size_t size)
{
    (void)size;
    polygpu_scatter(&rows, &group, (uintptr_t)to, 8, from);
}

static void scatter_alone(size_t size)
{
    (void)size;
    polygpu_segments_scatter(&rows, &group, (uintptr_t)to, 8, from);
}

/* Rows that fill "size" bytes, with their gaps; how many bytes they have. */
static size_t make_rows(size_t size)
{
    int64_t i, n = (int64_t)(size / (8 * PITCH));

    polygpu_segments_free(&rows);
    for (i = 0; i < n; ++i)
        if (!polygpu_segments_append(
                &rows, (struct polygpu_segment){i * PITCH, ROW, 1}))
            end("no memory");
    memset(&group, 0, sizeof group);
    polygpu_segments_next(&rows, INT64_MAX, INT64_MAX, &group);
    return (size_t)n * 8 * ROW;
}

/* The fastest of several calls, of which the first ones do what is done once.
 */
static double rate(void (*copy)(size_t), size_t size, size_t bytes)
{
    int tries = size < 16 * 1024 * 1024 ? 60 : 15, i;
    double best = 1e9;

    for (i = 0; i < tries; ++i) {
        double begun = polygpu_now(), took;

        copy(size);
        took = polygpu_now() - begun;
        if (i > 1 && took < best)
            best = took;
    }
    return (double)bytes / best / 1e6;
}

/* A staged copy over a bus of a kind, or with "driver" a plain one. */
static double staged_rate(void (*copy)(size_t), size_t size, const char *bus)
{
    setenv("FAKE_CUDA", bus, 1);
    polygpu_staging_limits.least = strcmp(bus, "driver") != 0 ? 1 : SIZE_MAX;
    return rate(copy, size, size);
}

static void open_all(void)
{
    polygpu_staging_limits.threads = 1;
    polygpu_staging_limits.first = polygpu_staging_limits.chunk;
    polygpu_staging_limits.earned = 0;
    from = malloc(LARGEST);
    to = malloc(LARGEST);
    if (!from || !to)
        end("no memory");
    memset(from, 1, LARGEST);
    memset(to, 2, LARGEST);
    if (!polygpu_cuda.open(&status) || !polygpu_cuda.alive(&status) ||
        !polygpu_cuda.start(NULL, &session, &status) ||
        !polygpu_cuda.alloc(LARGEST, &device, &status))
        end("the device:");
}

int main(void)
{
    size_t size, bytes;

    open_all();
    printf("%u threads\n", polygpu_workers());
    printf("%8s %7s %7s %7s %7s %7s %7s %7s %7s %7s %7s\n", "KiB", "memcpy",
           "fill", "empty", "driver", "in", "out", "1gather", "gather",
           "1scatt", "scatter");
    for (size = 512 * 1024; size <= LARGEST; size *= 2) {
        printf("%8zu %7.1f", size / 1024, rate(copy_by_memcpy, size, size));
        printf(" %7.1f %7.1f", staged_rate(copy_in, size, "instant"),
               staged_rate(copy_out, size, "instant"));
        printf(" %7.1f", staged_rate(copy_in, size, "driver"));
        printf(" %7.1f %7.1f", staged_rate(copy_in, size, "early"),
               staged_rate(copy_out, size, "early"));
        bytes = make_rows(size);
        printf(" %7.1f %7.1f", rate(gather_alone, size, bytes),
               rate(gather, size, bytes));
        printf(" %7.1f %7.1f\n", rate(scatter_alone, size, bytes),
               rate(scatter, size, bytes));
    }
    polygpu_cuda.close();
    return 0;
}
