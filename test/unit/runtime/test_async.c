/* test_async.c - asynchronous copies on the emulated device: when they are
 * done, and what they bring.
 *
 * Each kernel runs with and without barriers, checked and not, unless it needs
 * one of them; an element that nobody wrote is poison.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "emulated/emulated.h"
#include "emulated_array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_THREADS = 8, N_BLOCKS = 3, N_IN = 63, N_OUT = 24, TILE = 4096 };

typedef uint32_t word;

static const word poison = 0xA5A5A5A5;
static word in[N_IN], out[N_OUT]; /* of the host */
static uint32_t flags;            /* of the kernel */

/* ---- Memory that ends ---------------------------------------------------- */

static int memory_left = -1; /* calls of realloc; -1: no limit */

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_realloc(void *old, size_t size)
{
    if (memory_left == 0)
        return NULL;
    memory_left -= memory_left > 0;
    return __real_realloc(old, size);
}

/* ---- What kernels do ----------------------------------------------------- */

static const struct polygpu_access load4 = {.size = 4}, load8 = {.size = 8},
                                   load16 = {.size = 16};
#define TILE_ACCESS(access_flags, bytes_)                                      \
    {.flags = POLYGPU_ACCESS_SHARED | (access_flags),                          \
     .size = (bytes_),                                                         \
     .name = "tile",                                                           \
     .bytes = 4 * TILE,                                                        \
     .elem_size = 4}
static const struct polygpu_access store4 =
                                       TILE_ACCESS(POLYGPU_ACCESS_WRITE, 4),
                                   store8 =
                                       TILE_ACCESS(POLYGPU_ACCESS_WRITE, 8),
                                   store16 =
                                       TILE_ACCESS(POLYGPU_ACCESS_WRITE, 16),
                                   tile_load = TILE_ACCESS(0, 4);
static const struct polygpu_access output = {
    .flags = POLYGPU_ACCESS_WRITE, .size = 4, .param = 1};

static bool is_checked(void)
{
    return flags & POLYGPU_KERNEL_CHECKED;
}

static bool has_barriers(void)
{
    return flags & POLYGPU_KERNEL_BARRIER;
}

static word *array(void *const *args, int i)
{
    return *(word *const *)args[i];
}

static uint32_t number(const struct polygpu_thread *self)
{
    return self->block[0] * N_THREADS + self->thread[0];
}

static word *tile(const struct polygpu_thread *self)
{
    return self->shared;
}

static void copy(struct polygpu_thread *self, uint32_t to, const void *from,
                 uint32_t size, uint32_t valid)
{
    bool c = is_checked();
    const struct polygpu_access *load = size == 4   ? &load4
                                        : size == 8 ? &load8
                                                    : &load16;
    const struct polygpu_access *store = size == 4   ? &store4
                                         : size == 8 ? &store8
                                                     : &store16;

    self->calls->copy(self, tile(self) + to, from, size, valid, c ? load : NULL,
                      c ? store : NULL);
}

/* One word, as a group. */
static void copy_group(struct polygpu_thread *self, uint32_t to,
                       const word *from)
{
    copy(self, to, from, 4, 4);
    self->calls->commit(self);
}

static void put(struct polygpu_thread *self, uint32_t to, word value)
{
    *(word *)(is_checked() ? self->calls->access(self, tile(self) + to, &store4)
                           : tile(self) + to) = value;
}

static word get(struct polygpu_thread *self, uint32_t from)
{
    return *(word *)(is_checked() ? self->calls->access(self, tile(self) + from,
                                                        &tile_load)
                                  : tile(self) + from);
}

/* The thread's result. */
static void give(void *const *args, struct polygpu_thread *self, word value)
{
    word *to = array(args, 1) + number(self);

    *(word *)(is_checked() ? self->calls->access(self, to, &output) : to) =
        value;
}

/* ---- Runs ---------------------------------------------------------------- */

static bool run(polygpu_emulated_fn function, uint32_t kernel_flags,
                struct polygpu_status *status)
{
    static const struct polygpu_param params[] = {{POLYGPU_PARAM_ARRAY, 0},
                                                  {POLYGPU_PARAM_ARRAY, 1}};
    static const struct polygpu_array arrays[] = {{"in", 4, POLYGPU_IN, 0},
                                                  {"out", 4, POLYGPU_OUT, 0}};
    const struct polygpu_kernel kernel = {
        "work", {N_THREADS, 1, 1}, kernel_flags, sizeof(word) * TILE, 2,
        params, function};
    const struct polygpu_scop scop = {.abi_version = POLYGPU_ABI_VERSION,
                                      .n_arrays = 2,
                                      .n_kernels = 1,
                                      .arrays = arrays,
                                      .kernels = &kernel};
    const struct polygpu_segment ins = {0, N_IN, 1}, outs = {0, N_OUT, 1};
    const struct polygpu_device *device = &polygpu_emulated;
    const uint32_t grid[3] = {N_BLOCKS, 1, 1};
    uintptr_t from, to;
    void *session, *args[2] = {&from, &to};
    bool ok;
    int i;

    flags = kernel_flags;
    for (i = 0; i < N_IN; ++i)
        in[i] = (word)check_random();
    CHECK(device->start(&scop, &session, status));
    CHECK(device->announce(session, 0, POLYGPU_IN, &ins, status));
    CHECK(device->announce(session, 1, POLYGPU_OUT, &outs, status));
    from = emulated_array(session, 0, sizeof in, status);
    to = emulated_array(session, 1, sizeof out, status);
    CHECK(device->copy_in(session, from, in, sizeof in, status));
    ok = device->launch(session, NULL, &scop, 0, grid, args, NULL, status) &&
         device->synchronize(session, status) &&
         device->copy_out(session, out, to, sizeof out, status);
    device->free(from);
    device->free(to);
    device->stop(session);
    return ok;
}

/* Run it; "wanted" computes the result of a thread. */
static void expect(polygpu_emulated_fn function, uint32_t kernel_flags,
                   word (*wanted)(uint32_t thread))
{
    struct polygpu_status status = {0};
    uint32_t i;

    if (!run(function, kernel_flags, &status)) {
        fprintf(stderr, "%s\n", status.text);
        CHECK(!"a run without errors");
    }
    for (i = 0; i < N_OUT; ++i)
        CHECK(out[i] == wanted(i));
}

/* ... in each way. */
static void expect_always(polygpu_emulated_fn function,
                          word (*wanted)(uint32_t thread))
{
    expect(function, 0, wanted);
    expect(function, POLYGPU_KERNEL_BARRIER, wanted);
    expect(function, POLYGPU_KERNEL_CHECKED, wanted);
    expect(function, POLYGPU_KERNEL_BARRIER | POLYGPU_KERNEL_CHECKED, wanted);
}

static word own(uint32_t thread)
{
    return in[thread];
}

/* ---- Pipelines ----------------------------------------------------------- */

enum { STAGES = 3, ROUNDS = 7 };

/* Round r works on the elements from r * N_THREADS on, while those of the next
 * two are copied; without barriers each thread on its own element. */
static void pipeline(void *const *args, struct polygpu_thread *self)
{
    uint32_t t = self->thread[0], r;
    word sum = 0;

    for (r = 0; r < STAGES - 1; ++r)
        copy_group(self, r * N_THREADS + t, array(args, 0) + r * N_THREADS + t);
    for (r = 0; r < ROUNDS; ++r) {
        uint32_t next = r + STAGES - 1;

        self->calls->wait(self, STAGES - 2);
        if (has_barriers())
            self->calls->barrier_at(self, 0, 0);
        if (next < ROUNDS)
            copy(self, next % STAGES * N_THREADS + t,
                 array(args, 0) + next * N_THREADS + t, 4,
                 next * N_THREADS + t < N_IN ? 4 : 0);
        self->calls->commit(self);
        sum = 3 * sum + get(self, r % STAGES * N_THREADS +
                                      (has_barriers() ? N_THREADS - 1 - t : t));
    }
    give(args, self, sum + self->block[0]);
}

static word pipeline_wanted(uint32_t thread)
{
    uint32_t t = thread % N_THREADS, r;
    word sum = 0;

    for (r = 0; r < ROUNDS; ++r)
        sum = 3 * sum +
              in[r * N_THREADS + (has_barriers() ? N_THREADS - 1 - t : t)];
    return sum + thread / N_THREADS;
}

/* ---- When copies are done ------------------------------------------------ */

static void waits(void *const *args, struct polygpu_thread *self)
{
    uint32_t t = self->thread[0];

    put(self, t, 17);
    copy_group(self, t, array(args, 0) + number(self));
    self->calls->wait(self, 0);
    give(args, self, get(self, t));
}

/* The same with one step left out, which is an error. */
static void waits_not(void *const *args, struct polygpu_thread *self)
{
    uint32_t t = self->thread[0];

    put(self, t, 17);
    copy_group(self, t, array(args, 0) + number(self));
    give(args, self, get(self, t));
}

static void commits_not(void *const *args, struct polygpu_thread *self)
{
    uint32_t t = self->thread[0];

    put(self, t, 17);
    copy(self, t, array(args, 0) + number(self), 4, 4);
    self->calls->wait(self, 0);
    give(args, self, get(self, t));
}

static void waits_for_one(void *const *args, struct polygpu_thread *self)
{
    uint32_t t = self->thread[0];

    put(self, t, 17);
    put(self, N_THREADS + t, 17);
    copy_group(self, N_THREADS + t, array(args, 0) + number(self));
    copy_group(self, t, array(args, 0) + number(self));
    self->calls->wait(self, 1);
    if (tile(self)[N_THREADS + t] == 17)
        return;
    give(args, self, get(self, t));
}

static word old(uint32_t thread)
{
    (void)thread;
    return 17;
}

static void expect_old(polygpu_emulated_fn function)
{
    uint32_t barrier;

    for (barrier = 0; barrier <= POLYGPU_KERNEL_BARRIER; ++barrier) {
        struct polygpu_status status = {0};

        expect(function, barrier, old);
        CHECK(!run(function, barrier | POLYGPU_KERNEL_CHECKED, &status));
        CHECK(strstr(status.text, "shared tile[0] read by thread (0,0,0) of "
                                  "block (0,0,0), while thread (0,0,0) of "
                                  "block (0,0,0) copies it"));
    }
}

/* The source is read when the copy is waited for. */
static void changes_source(void *const *args, struct polygpu_thread *self)
{
    uint32_t t = self->thread[0];

    copy_group(self, t, array(args, 0) + number(self));
    array(args, 0)[number(self)] += 5;
    self->calls->wait(self, 0);
    give(args, self, get(self, t));
}

static word changed(uint32_t thread)
{
    return in[thread] + 5;
}

/* Groups with 2, 0, 1 and 3 words, of which the oldest "done" are waited for;
 * a copy after them is in none. */
static uint32_t done;

static void groups(void *const *args, struct polygpu_thread *self)
{
    static const uint32_t sizes[] = {2, 0, 1, 3};
    uint32_t base = self->thread[0] * 8, n = 0, g, i;
    word bits = 0;

    for (i = 0; i < 8; ++i)
        put(self, base + i, 0);
    for (g = 0; g < 4; ++g) {
        for (i = 0; i < sizes[g]; ++i, ++n)
            copy(self, base + n, array(args, 0) + n, 4, 4);
        self->calls->commit(self);
    }
    copy(self, base + 7, array(args, 0) + 7, 4, 4);
    self->calls->wait(self, 100);
    self->calls->wait(self, UINT32_MAX);
    self->calls->wait(self, 4 - done);
    self->calls->wait(self, 4);
    self->calls->wait(self, UINT32_MAX);
    for (i = 0; i < 8; ++i)
        bits |= (word)(tile(self)[base + i] != 0) << i;
    give(args, self, bits);
}

static word groups_wanted(uint32_t thread)
{
    static const word bits[] = {0, 3, 3, 7, 63};

    (void)thread;
    return bits[done];
}

/* Each thread leaves copies behind, in a group and in none.  The next thread,
 * or the next block, does not see them, and they are never done. */
static void leaves(void *const *args, struct polygpu_thread *self)
{
    uint32_t t = self->thread[0];

    self->calls->commit(self);
    self->calls->wait(self, 0);
    give(args, self, tile(self)[t ? t - 1 : N_THREADS - 1]);
    copy_group(self, t, array(args, 0) + number(self));
    copy(self, N_THREADS + t, array(args, 0) + number(self), 4, 4);
}

static word untouched(uint32_t thread)
{
    (void)thread;
    return poison;
}

/* A group of the last thread is not one of this thread. */
static void first_group(void *const *args, struct polygpu_thread *self)
{
    uint32_t t = self->thread[0];

    put(self, t, 17);
    copy_group(self, t, array(args, 0) + number(self));
    self->calls->wait(self, 1);
    give(args, self, tile(self)[t]);
}

/* ---- What copies bring --------------------------------------------------- */

/* The sum of a thread's words, in copies of all sizes, each with its place. */
static void sizes(void *const *args, struct polygpu_thread *self)
{
    uint32_t base = self->thread[0] * 8, i;
    word sum = 0;

    for (i = 0; i < 8; ++i)
        put(self, base + i, 99);
    copy(self, base, array(args, 0), 16, 16);
    copy(self, base + 4, array(args, 0) + 6, 8, 8);
    copy(self, base + 6, array(args, 0) + 9, 4, 4);
    self->calls->commit(self);
    self->calls->wait(self, 0);
    for (i = 0; i < 8; ++i)
        sum = 5 * sum + get(self, base + i);
    give(args, self, sum);
}

static word sizes_wanted(uint32_t thread)
{
    word all[8] = {in[0], in[1], in[2], in[3], in[6], in[7], in[9], 99};
    word sum = 0;
    int i;

    (void)thread;
    for (i = 0; i < 8; ++i)
        sum = 5 * sum + all[i];
    return sum;
}

/* The device has no element N_IN: three of four words and one of two are
 * there, and there is none at a wild address. */
static void zeros(void *const *args, struct polygpu_thread *self)
{
    uint32_t base = self->thread[0] * 12, i;
    word sum = 0;

    for (i = 0; i < 12; ++i)
        put(self, base + i, 99);
    copy(self, base, array(args, 0) + N_IN - 3, 16, 12);
    copy(self, base + 4, array(args, 0) + N_IN - 1, 8, 4);
    copy(self, base + 6, (void *)(uintptr_t)3, 8, 0);
    copy(self, base + 8, NULL, 4, 0);
    self->calls->commit(self);
    self->calls->wait(self, 0);
    for (i = 0; i < 12; ++i)
        sum = 5 * sum + get(self, base + i);
    give(args, self, sum);
}

static word zeros_wanted(uint32_t thread)
{
    word all[12] = {in[N_IN - 3],
                    in[N_IN - 2],
                    in[N_IN - 1],
                    0,
                    in[N_IN - 1],
                    0,
                    0,
                    0,
                    0,
                    99,
                    99,
                    99};
    word sum = 0;
    int i;

    (void)thread;
    for (i = 0; i < 12; ++i)
        sum = 5 * sum + all[i];
    return sum;
}

/* Bytes of a word: unchecked, since they are no whole elements. */
static void bytes(void *const *args, struct polygpu_thread *self)
{
    uint32_t t = self->thread[0];

    copy(self, t, array(args, 0) + number(self), 4, t % 5);
    self->calls->commit(self);
    self->calls->wait(self, 0);
    give(args, self, get(self, t));
}

static word bytes_wanted(uint32_t thread)
{
    word value = 0;

    memcpy(&value, &in[thread], thread % N_THREADS % 5);
    return value;
}

/* ---- Many copies, and no memory ------------------------------------------ */

enum { EACH = TILE / N_THREADS };

/* Groups of three; now and then all but the youngest few are waited for. */
static void many(void *const *args, struct polygpu_thread *self)
{
    uint32_t base = self->thread[0] * EACH, i;
    word sum = 0;

    for (i = 0; i < EACH; ++i) {
        copy(self, base + i, array(args, 0) + i * 7 % N_IN, 4, 4);
        if (i % 3 == 2)
            self->calls->commit(self);
        if (i % 200 == 199)
            self->calls->wait(self, i % 7);
    }
    self->calls->commit(self);
    self->calls->wait(self, 0);
    for (i = 0; i < EACH; ++i)
        sum = 5 * sum + get(self, base + i);
    give(args, self, sum);
}

static word many_wanted(uint32_t thread)
{
    word sum = 0;
    uint32_t i;

    (void)thread;
    for (i = 0; i < EACH; ++i)
        sum = 5 * sum + in[i * 7 % N_IN];
    return sum;
}

/* With too little memory the launch fails; the next one works. */
static void many_with_little(void *const *args, struct polygpu_thread *self)
{
    if (number(self) == 0)
        memory_left = 1;
    many(args, self);
}

static void test_memory(void)
{
    uint32_t f;

    for (f = 0; f < 4; ++f) {
        struct polygpu_status status = {0};

        /* fibers are used again, with what memory they have */
        if (!(f & POLYGPU_KERNEL_BARRIER)) {
            CHECK(!run(many_with_little, f, &status));
            CHECK(status.cause == POLYGPU_CAUSE_MEMORY);
            CHECK(!strcmp(status.text, "no host memory for the asynchronous "
                                       "copies of kernel work"));
            memory_left = -1;
        }
        expect(many, f, many_wanted);
    }
}

static void test_fiber_memory(void)
{
    struct polygpu_status status = {0};

    CHECK(!run(many_with_little, POLYGPU_KERNEL_BARRIER, &status));
    CHECK(status.cause == POLYGPU_CAUSE_MEMORY);
    CHECK(!strcmp(status.text, "no host memory for the asynchronous copies of "
                               "kernel work"));
    memory_left = -1;
    expect(many, POLYGPU_KERNEL_BARRIER, many_wanted);
}

int main(void)
{
    uint32_t barrier;

    test_fiber_memory(); /* while fibers have no memory */
    expect_always(pipeline, pipeline_wanted);
    expect_always(waits, own);
    expect_old(waits_not);
    expect_old(commits_not);
    expect_old(waits_for_one);
    for (barrier = 0; barrier <= POLYGPU_KERNEL_BARRIER; ++barrier) {
        expect(changes_source, barrier, changed);
        expect(bytes, barrier, bytes_wanted);
    }
    for (done = 0; done <= 4; ++done)
        expect_always(groups, groups_wanted);
    expect_always(leaves, untouched);
    expect_always(first_group, old);
    expect_always(sizes, sizes_wanted);
    expect_always(zeros, zeros_wanted);
    expect_always(many, many_wanted);
    test_memory();
    return 0;
}
