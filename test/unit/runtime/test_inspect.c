/* test_inspect.c - the smallest and the largest index, runs that are none
 * because of what indices lead to, and rows behind pointers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "polygpu/abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { N = 1000 };

static void work(void *const *args, struct polygpu_thread *self)
{
    const int32_t *x = *(const int32_t *const *)args[0];
    int32_t *y = *(int32_t *const *)args[1];

    y[self->block[0]] = x[5];
}

static const struct polygpu_param params[] = {{POLYGPU_PARAM_ARRAY, 0},
                                              {POLYGPU_PARAM_ARRAY, 1}};
static struct polygpu_array arrays[] = {
    {"x", 4, POLYGPU_IN | POLYGPU_INDIRECT | POLYGPU_PROBED, 0},
    {"y", 4, POLYGPU_OUT, 0},
    {"p", 4, POLYGPU_IN, 0}};
static const struct polygpu_kernel kernel = {"work", {1, 1, 1}, 0,   0,
                                             2,      params,    work};
static struct polygpu_scop scop = {.abi_version = POLYGPU_ABI_VERSION,
                                   .function = "f",
                                   .file = "f.c",
                                   .n_arrays = 3,
                                   .n_kernels = 1,
                                   .arrays = arrays,
                                   .kernels = &kernel};

static int64_t number(const void *p, size_t size, bool is_signed, int64_t i)
{
    const unsigned char *bytes = (const unsigned char *)p + i * (int64_t)size;
    uint64_t bits = 0;

    memcpy(&bits, bytes, size);
    if (is_signed && size < 8 && bits >> (8 * size - 1))
        bits |= UINT64_MAX << (8 * size);
    return (int64_t)bits;
}

static struct polygpu_run *begin(void *x, void *y, void *p)
{
    struct polygpu_run *r = polygpu_begin(&scop);

    CHECK(r);
    polygpu_array(r, 0, x);
    polygpu_array(r, 1, y);
    polygpu_array(r, 2, p);
    return r;
}

/* Some of them at a time, of random bits. */
static void test_ranges(void)
{
    static unsigned char p[8 * N];
    static int32_t x[N], y[N];

    for (size_t i = 0; i < sizeof p; ++i)
        p[i] = (unsigned char)rand();
    for (unsigned round = 0; round < 400; ++round) {
        bool is_signed = rand() % 2;
        size_t size = (size_t)1 << rand() % (is_signed ? 4 : 3);
        int64_t stride = 1 + rand() % 3, count = rand() % (N / 4), first;
        int64_t range[2] = {INT64_MAX, INT64_MIN}, expected[2];
        struct polygpu_run *r;

        first = rand() % (N / 8);
        arrays[2].elem_size = (uint32_t)size;
        memcpy(expected, range, sizeof range);
        for (int64_t i = 0; i < count; ++i) {
            int64_t v = number(p, size, is_signed, first + i * stride);

            expected[0] = v < expected[0] ? v : expected[0];
            expected[1] = v > expected[1] ? v : expected[1];
        }
        r = begin(x, y, p);
        polygpu_inspect(
            r, 2, is_signed ? POLYGPU_INDEX_SIGNED : POLYGPU_INDEX_UNSIGNED,
            first, count / 2, stride, range);
        polygpu_inspect(
            r, 2,
            (is_signed ? POLYGPU_INDEX_SIGNED : POLYGPU_INDEX_UNSIGNED) |
                POLYGPU_INDEX_PROBED,
            first + count / 2 * stride, count - count / 2, stride, range);
        CHECK(range[0] == expected[0] && range[1] == expected[1]);
        CHECK(polygpu_worth(r));
        polygpu_end(r);
    }
    arrays[2].elem_size = 4;
}

/* Elements "from" to before "to" of "x" may be read, and "count" of "y" are
 * written: can that be?  */
static int run(int32_t *x, int64_t from, int64_t to, int32_t *y, int64_t count)
{
    struct polygpu_run *r = begin(x, y, NULL);

    polygpu_move(r, 0, POLYGPU_IN, from, to - from, 1);
    polygpu_move(r, 1, POLYGPU_OUT, 0, count, 1);
    if (!polygpu_worth(r))
        return 0;
    polygpu_launch(r, 0, count, 1, 1, NULL);
    return polygpu_end(r);
}

static void test_apart(void)
{
    static int32_t both[N];

    both[5] = 77;
    CHECK(run(both, 0, 100, both + 100, 50) && both[149] == 77);
    CHECK(!run(both, 0, 101, both + 100, 50));
    CHECK(run(both, -0, 100, both + 900, 100) && both[999] == 77);
    CHECK(!run(both + 200, -195, 1, both + 20, 5) && both[20] == 0);
    CHECK(!run(both, 0, 900, both + 899, 1));
}

/* Elements "from" to before "to" of "x" may be updated, and "count" of "p" are
 * moved as "dir" says: can that be? */
static bool updates(int32_t *x, int64_t from, int64_t to, int32_t *p,
                    int64_t count, uint32_t dir)
{
    static int32_t y[1];
    struct polygpu_run *r = begin(x, y, p);

    polygpu_move(r, 0, POLYGPU_IN | POLYGPU_OUT, from, to - from, 1);
    polygpu_move(r, 2, dir, 0, count, 1);
    if (!polygpu_worth(r))
        return false;
    return polygpu_end(r) != 0;
}

static void test_updated(void)
{
    static int32_t both[N];
    uint32_t flags = arrays[0].flags;

    // What is read only may be read as well.
    CHECK(run(both, 0, 100, both + 100, 50));
    CHECK(updates(both, 0, 100, both + 99, 50, POLYGPU_IN));
    arrays[0].flags |= POLYGPU_OUT;
    CHECK(updates(both, 0, 100, both + 100, 50, POLYGPU_IN));
    CHECK(!updates(both, 0, 100, both + 99, 50, POLYGPU_IN));
    CHECK(!updates(both, 0, 100, both + 99, 50, POLYGPU_TOUCH));
    CHECK(updates(both, 50, 100, both, 50, POLYGPU_IN));
    CHECK(!updates(both, 49, 100, both, 50, POLYGPU_IN));
    arrays[0].flags = flags;
}

/* "count" elements of y from "first" on, every second one or each, are written,
 * and p's from 0 to before 100 moved as "dir" says: can that be? */
static bool written(int32_t *y, int64_t first, int64_t count, int64_t stride,
                    int32_t *p, uint32_t dir, int64_t p_stride)
{
    static int32_t x[8];
    struct polygpu_run *r = begin(x, y, p);

    polygpu_move(r, 0, POLYGPU_IN, 5, 1, 1);
    polygpu_move(r, 1, POLYGPU_OUT, first, count, stride);
    polygpu_move(r, 2, dir, 0, 100 / p_stride, p_stride);
    if (!polygpu_worth(r))
        return false;
    return polygpu_end(r) != 0;
}

static void test_arguments(void)
{
    static int32_t both[N];
    uint32_t y = arrays[1].flags, p = arrays[2].flags;
    int apart, other;

    // y is an argument that is apart, p another one or nothing of the kind.
    for (apart = 0; apart < 2; ++apart)
        for (other = 0; other < 3; ++other) {
            bool declines = apart && other != 1;

            arrays[1].flags = y | (uint32_t)apart << POLYGPU_ARGUMENT_SHIFT;
            arrays[2].flags = p | (uint32_t)other << POLYGPU_ARGUMENT_SHIFT;
            if (!apart && other)
                continue;
            CHECK(written(both, 100, 50, 1, both, POLYGPU_IN, 1));
            CHECK(written(both, 99, 50, 1, both, POLYGPU_IN, 1) != declines);
            CHECK(written(both, 30, 9, 2, both, POLYGPU_IN, 1) != declines);
            CHECK(written(both, 31, 9, 2, both, POLYGPU_IN, 2));
            CHECK(written(both, 32, 9, 2, both, POLYGPU_OUT, 2) != declines);
            CHECK(written(both + 50, -51, 3, 1, both + 1, POLYGPU_IN, 1) !=
                  declines);
            CHECK(written(both + 50, -50, 1, 1, both + 1, POLYGPU_IN, 1));
        }
    arrays[1].flags = y | 1U << POLYGPU_ARGUMENT_SHIFT;
    arrays[2].flags = p | 2U << POLYGPU_ARGUMENT_SHIFT;
    // What is only read may be one.
    CHECK(written(both, 0, 0, 1, both, POLYGPU_IN, 1));
    arrays[1].flags = y;
    arrays[2].flags = p;
}

static void test_absent(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int32_t *x = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int64_t per = (int64_t)(page / sizeof *x), range[2] = {7, 3};
    static int32_t y[4];
    struct polygpu_run *r;

    CHECK(x != MAP_FAILED && mprotect(x + per, page, PROT_NONE) == 0);
    x[5] = 3;
    CHECK(run(x, 0, per, y, 4) && y[3] == 3);
    y[3] = 9;
    CHECK(!run(x, 0, per + 1, y, 4) && y[3] == 9);
    r = begin(x, y, x);
    polygpu_inspect(r, 2, POLYGPU_INDEX_PROBED, 0, per + 1, 1, range);
    CHECK(!polygpu_worth(r) && range[0] == 7 && range[1] == 3);
    r = begin(x, y, x);
    polygpu_unbounded(r, UINT32_MAX);
    polygpu_move(r, 0, POLYGPU_IN, 0, 6, 1);
    CHECK(polygpu_worth(r));
    polygpu_end(r);
    r = begin(x, y, x);
    polygpu_unbounded(r, 0);
    CHECK(!polygpu_worth(r));
    munmap(x, 2 * page);
}

/* Rows at one distance, in all ways in which they are not, and pointers that
 * are not there. */
static void test_rows(void)
{
    enum { ROWS = 9, LENGTH = 13 };
    static double all[ROWS * LENGTH];
    struct {
        int64_t length;
        double *row;
        void *unused;
    } members[ROWS];
    const int64_t size = sizeof(void *), pitch = sizeof members[0];
    const int64_t at = offsetof(__typeof__(members[0]), row);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    double **edge = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double *rows[ROWS];
    int i;

    for (i = 0; i < ROWS; i++)
        rows[i] = members[i].row = all + i * LENGTH;
    CHECK(polygpu_row_step(rows, 0, 8 * size, size, 8, 0) == LENGTH);
    CHECK(polygpu_row_step(rows, 0, 8 * size, size, 1, 0) == 8 * LENGTH);
    CHECK(polygpu_row_step(rows, 0, 8 * size, size, 16, 0) == 0);
    CHECK(polygpu_row_base(rows, 2 * size, 8 * size, size, 8 * LENGTH) == all);
    // From an element on, and to one in front of the pointer.
    CHECK(polygpu_row_step(rows + 4, -2 * size, 0, size, 8, 0) == LENGTH);
    CHECK(polygpu_row_base(rows + 4, -2 * size, 0, size, 8 * LENGTH) ==
          rows[4]);
    CHECK(polygpu_row_step(members, at, at + 8 * pitch, pitch, 8, 0) == LENGTH);
    CHECK(polygpu_row_base(members, at + 3 * pitch, at + 8 * pitch, pitch,
                           8 * LENGTH) == all);
    CHECK(polygpu_row_base(members + 5, at - 3 * pitch, at, pitch,
                           8 * LENGTH) == members[5].row);
    // One row, and none.
    CHECK(polygpu_row_step(rows, size, size, size, 8, 0) == POLYGPU_ROW_ALONE);
    CHECK(polygpu_row_base(rows, size, size, size, 8 * POLYGPU_ROW_ALONE) ==
          (char *)rows[1] - 8 * POLYGPU_ROW_ALONE);
    CHECK(polygpu_row_step(NULL, size, 0, size, 8, 0) == 1);
    CHECK(polygpu_row_base(NULL, size, 0, size, 8) == NULL);
    // Others: in another order, the same one, nothing, and where no pointer is.
    rows[6] = rows[7];
    CHECK(polygpu_row_step(rows, 0, 5 * size, size, 8, 0) == LENGTH);
    CHECK(polygpu_row_step(rows, 0, 6 * size, size, 8, 0) == 0);
    CHECK(polygpu_row_step(rows, 6 * size, 7 * size, size, 8, 0) == 0);
    CHECK(polygpu_row_base(rows, 0, 6 * size, size, 0) == NULL);
    rows[0] = rows[2];
    CHECK(polygpu_row_step(rows, 0, size, size, 8, 0) == 0);
    rows[1] = NULL;
    CHECK(polygpu_row_step(rows, 0, 3 * size, size, 8, 0) == 0);
    CHECK(polygpu_row_step((char *)rows + 4, 0, size, size, 8, 0) == 0);
    CHECK(polygpu_row_step(rows, INT64_MIN, INT64_MAX, size, 8, 0) == 0);
    CHECK(edge != MAP_FAILED &&
          mprotect((char *)edge + page, page, PROT_NONE) == 0);
    edge[page / sizeof *edge - 2] = all;
    edge[page / sizeof *edge - 1] = all + 5;
    CHECK(polygpu_row_step(edge, (int64_t)page - 2 * size, (int64_t)page - size,
                           size, 8, 0) == 5);
    CHECK(polygpu_row_step(edge, (int64_t)page - 2 * size, (int64_t)page, size,
                           8, 0) == 0);
    munmap(edge, 2 * page);
}

int main(void)
{
    unsigned seed = (unsigned)time(NULL);

    printf("seed %u\n", seed);
    srand(seed);
    test_ranges();
    test_apart();
    test_updated();
    test_arguments();
    test_absent();
    test_rows();
    return 0;
}
