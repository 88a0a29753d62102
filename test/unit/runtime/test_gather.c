/* test_gather.c - gather.c, by several threads, beside segments.c.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "support/gather.h"
#include "support/workers.h"
#include "tests.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ROOM = 16 * 1024 * 1024 };

static void append(struct polygpu_segments *s, int64_t first, int64_t count,
                   int64_t stride)
{
    CHECK(polygpu_segments_append(
        s, (struct polygpu_segment){first, count, stride}));
}

static struct polygpu_group all_of(const struct polygpu_segments *s)
{
    struct polygpu_group group = {0};

    CHECK(polygpu_segments_next(s, INT64_MAX, INT64_MAX, &group));
    CHECK(group.end == s->count);
    return group;
}

/* Elements of a kind's size; "shape" 0: one large segment, 1: rows with gaps,
 * 2: every second or third element, 3: all of these, 4: a great many. */
static struct polygpu_segments segments_of(int shape)
{
    struct polygpu_segments s = {0};
    int64_t i;

    if (shape == 0 || shape == 3)
        append(&s, 7, 300001, 1);
    for (i = 0; (shape == 1 || shape == 3) && i < 300; ++i)
        append(&s, 310000 + 1100 * i, 1000 + (int64_t)(check_random() % 50), 1);
    if (shape == 2 || shape == 3) {
        append(&s, 700001, 200001, 2);
        append(&s, 1200001, 200000, 3);
    }
    for (i = 0; shape == 4 && i < 400000; ++i)
        append(&s, 3 * i, 2, 1);
    return s;
}

/* The same bytes arrive, and no others are written, as with one thread. */
static void compare(int shape, size_t elem_size, const char *host)
{
    struct polygpu_segments s = segments_of(shape);
    struct polygpu_group group = all_of(&s);
    uintptr_t base = (uintptr_t)host + elem_size / 2; /* not aligned */
    size_t size = (size_t)(group.last - group.first + 1) * elem_size;
    char *one = malloc(size), *several = malloc(size);
    char *back = malloc(ROOM), *back_of_several = malloc(ROOM);

    CHECK(one && several && back && back_of_several && size + 64 < ROOM);
    memset(one, 0x11, size);
    memset(several, 0x11, size);
    polygpu_segments_gather(&s, &group, base, elem_size, one);
    polygpu_gather(&s, &group, base, elem_size, several);
    CHECK(!memcmp(one, several, size));
    memset(back, 0x22, ROOM);
    memset(back_of_several, 0x22, ROOM);
    polygpu_segments_scatter(&s, &group, (uintptr_t)back + 3, elem_size, one);
    polygpu_scatter(&s, &group, (uintptr_t)back_of_several + 3, elem_size, one);
    CHECK(!memcmp(back, back_of_several, ROOM));
    free(one);
    free(several);
    free(back);
    free(back_of_several);
    polygpu_segments_free(&s);
}

static char *page;
static pthread_t runner;
static volatile sig_atomic_t n_faults;

static void open_page(int ignored)
{
    (void)ignored;
    CHECK(pthread_equal(pthread_self(), runner));
    n_faults = n_faults + 1;
    CHECK(!mprotect(page, 4096, PROT_READ | PROT_WRITE));
}

/* A page that cannot be used is the caller's to notice, wherever it lies. */
static void notice(size_t where, bool scatter)
{
    struct polygpu_segments s = segments_of(3);
    struct polygpu_group group = all_of(&s);
    size_t size = (size_t)(group.last - group.first + 1) * 4;
    char *memory = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *staging = calloc(1, size);

    CHECK(staging && memory != MAP_FAILED);
    runner = pthread_self();
    page = memory + where / 4096 * 4096;
    n_faults = 0;
    CHECK(!mprotect(page, 4096, scatter ? PROT_READ : PROT_NONE));
    if (scatter)
        polygpu_scatter(&s, &group, (uintptr_t)memory, 4, staging);
    else
        polygpu_gather(&s, &group, (uintptr_t)memory, 4, staging);
    CHECK(n_faults == 1);
    free(staging);
    CHECK(!munmap(memory, ROOM));
    polygpu_segments_free(&s);
}

void test_gather(void)
{
    static const size_t places[] = {0,          4 * 100000, 4 * 300007,
                                    4 * 400000, 4 * 800000, 4 * 1800000};
    struct sigaction action = {.sa_handler = open_page};
    char *host = malloc(ROOM);
    size_t i;
    int shape;

    setenv("POLYGPU_COPY_THREADS", "4", 1);
    polygpu_gather_least = 1000000;
    CHECK(polygpu_workers() == 4 && host);
    for (i = 0; i < ROOM; ++i)
        host[i] = (char)(i * 2654435761u >> 13);
    for (shape = 0; shape < 5; ++shape) {
        compare(shape, 4, host);
        compare(shape, 2, host);
        if (shape < 2)
            compare(shape, 8, host);
    }
    CHECK(!sigaction(SIGSEGV, &action, NULL));
    for (i = 0; i < sizeof places / sizeof *places; ++i) {
        notice(places[i], false);
        notice(places[i], true);
    }
    free(host);
}
