/* test_marks.c - of what kernels write, only marked elements reach the program,
 * and nothing is read that is not there.
 *
 * The kernel writes each third element of its array with a new value and a
 * mark, and all others with the value that they have, as those do that the
 * compiler makes of stores under a condition.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "polygpu/abi.h"
#include "support/readable.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 5000, FIRST = 7, STRIDE = 2 };

static bool is_marked(int64_t i)
{
    return i % 3 == 0;
}

static void work(void *const *args, struct polygpu_thread *self)
{
    int32_t *a = *(int32_t *const *)args[0];
    unsigned char *marks = *(unsigned char *const *)args[1];
    int64_t i = FIRST + STRIDE * (int64_t)self->block[0];

    CHECK(marks[i] == 0);
    a[i] = is_marked(i) ? (int32_t)i : a[i];
    marks[i] = is_marked(i) ? 1 : marks[i];
}

static const struct polygpu_param params[] = {{POLYGPU_PARAM_ARRAY, 0},
                                              {POLYGPU_PARAM_ARRAY, 1}};
static const struct polygpu_array arrays[] = {
    {"a", 4, POLYGPU_IN | POLYGPU_OUT | POLYGPU_FLAGGED | POLYGPU_PROBED, 1},
    {"marks of a", 1, POLYGPU_MARKS, 0}};
static const struct polygpu_kernel kernel = {"work", {1, 1, 1}, 0,   0,
                                             2,      params,    work};
static struct polygpu_scop scop = {.abi_version = POLYGPU_ABI_VERSION,
                                   .function = "f",
                                   .file = "f.c",
                                   .n_arrays = 2,
                                   .n_kernels = 1,
                                   .arrays = arrays,
                                   .kernels = &kernel};

/* Elements FIRST, FIRST + STRIDE, ... of "a". */
static int run(int32_t *a, int64_t count)
{
    struct polygpu_run *r = polygpu_begin(&scop);

    CHECK(r);
    polygpu_array(r, 0, a);
    polygpu_move(r, 0, POLYGPU_IN, FIRST, count, STRIDE);
    polygpu_move(r, 0, POLYGPU_OUT, FIRST, count, STRIDE);
    CHECK(polygpu_worth(r));
    polygpu_launch(r, 0, count, 1, 1, NULL);
    return polygpu_end(r);
}

/* Between the run's reads and its writes the host gets other values, which only
 * a program may have that does not write them itself. */
static void test_exact(void)
{
    static int32_t a[N];
    int64_t count = (N - FIRST) / STRIDE, i;
    struct polygpu_run *r;

    for (i = 0; i < N; ++i)
        a[i] = -1;
    r = polygpu_begin(&scop);
    CHECK(r);
    polygpu_array(r, 0, a);
    polygpu_move(r, 0, POLYGPU_IN, FIRST, count, STRIDE);
    polygpu_move(r, 0, POLYGPU_OUT, FIRST, count, STRIDE);
    CHECK(polygpu_worth(r));
    polygpu_launch(r, 0, count, 1, 1, NULL);
    for (i = 0; i < N; ++i)
        a[i] = -2;
    CHECK(polygpu_end(r) == 1);
    for (i = 0; i < N; ++i)
        CHECK(a[i] == (i >= FIRST && i < FIRST + count * STRIDE &&
                               (i - FIRST) % STRIDE == 0 && is_marked(i)
                           ? i
                           : -2));
}

/* Marks of one run are none of the next; read-only pages without marks. */
static void test_pages(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), i;
    int64_t per_page = (int64_t)(page / sizeof(int32_t));
    int64_t count = (2 * per_page - FIRST) / STRIDE;
    int32_t *a = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(a != MAP_FAILED);
    CHECK(run(a, count) == 1);
    for (i = FIRST; i < FIRST + (size_t)count * STRIDE; i += STRIDE)
        CHECK(a[i] == (is_marked((int64_t)i) ? (int32_t)i : 0));
    CHECK(mprotect((char *)a + page, page, PROT_NONE) == 0);
    memset(a, 0, page);
    errno = 77;
    CHECK(run(a, count) == 0 && errno == 77);
    for (i = 0; i < (size_t)per_page; ++i)
        CHECK(a[i] == 0);
    CHECK(run(a, (per_page - FIRST) / STRIDE) == 1);
    munmap(a, 2 * page);
}

static void test_readable(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), many = 2000;
    char *p = mmap(NULL, many * page, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    size_t gap;

    CHECK(p != MAP_FAILED);
    CHECK(polygpu_readable(p, many * page) && polygpu_readable(p + 5, 0));
    for (gap = 0; gap < many; gap += 333) {
        CHECK(mprotect(p + gap * page, page, PROT_NONE) == 0);
        CHECK(!polygpu_readable(p, many * page));
        CHECK(!polygpu_readable(p + gap * page + page - 1, 1));
        CHECK(polygpu_readable(p, gap * page));
        CHECK(polygpu_readable(p + (gap + 1) * page, (many - gap - 1) * page));
        CHECK(mprotect(p + gap * page, page, PROT_READ) == 0);
        CHECK(polygpu_readable(p, many * page));
    }
    munmap(p, many * page);
    CHECK(!polygpu_readable(p, 1) && !polygpu_readable(NULL, 1));
    CHECK(!polygpu_readable((void *)(UINTPTR_MAX - 1), 8));
}

int main(void)
{
    test_readable();
    test_exact();
    test_pages();
    test_exact();
    return 0;
}
