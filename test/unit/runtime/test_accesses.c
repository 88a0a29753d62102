/* test_accesses.c - what the checked emulated device counts of a kernel's
 * accesses.
 *
 * A kernel executes a list of steps, each an access site of its own.  All
 * addresses are in bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "emulated/emulated.h"
#include "emulated_array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_BYTES = 8192, MAX_STEPS = 4 };

/* FILL: thread 0 stores what all threads of a warp would load.  COPY goes from
 * the array to the same place in shared memory; of COPY_HALF one half is zeros,
 * of COPY_ZEROS all. */
enum op {
    END,
    LOAD,
    STORE,
    ATOMIC,
    FILL,
    SHARED_LOAD,
    SHARED_STORE,
    SHARED_ATOMIC,
    COPY,
    COPY_HALF,
    COPY_ZEROS,
    BARRIER
};

/* Threads begin .. end - 1 access "size" bytes at "at" plus "by" times their
 * number, "times" times. */
struct step {
    enum op op;
    uint32_t size;
    int at, by;
    uint32_t begin, end, times;
};

struct example {
    const char *name;
    uint32_t block[3];
    struct step steps[MAX_STEPS];
    struct polygpu_access_stats wanted; /* of one block */
    bool fails;
};

#define WARP {32, 1, 1}
#define EACH(op, size, at, by) {(op), (size), (at), (by), 0, 1024, 1}
#define MEET {BARRIER, 0, 0, 0, 0, 0, 0}
#define LOADS(n, bytes, sectors)                                               \
    .global_loads = (n), .global_load_bytes = (bytes),                         \
    .global_load_sectors = (sectors)
#define STORES(n, bytes, sectors)                                              \
    .global_stores = (n), .global_store_bytes = (bytes),                       \
    .global_store_sectors = (sectors)
#define FROM_SHARED(n, bytes) .shared_loads = (n), .shared_load_bytes = (bytes)
#define TO_SHARED(n, bytes) .shared_stores = (n), .shared_store_bytes = (bytes)

static const struct example examples[] = {
    {"coalesced", WARP, {EACH(LOAD, 4, 0, 4)}, {LOADS(32, 128, 4)}, false},
    {"shifted", WARP, {EACH(LOAD, 4, 4, 4)}, {LOADS(32, 128, 5)}, false},
    {"reversed", WARP, {EACH(LOAD, 4, 508, -4)}, {LOADS(32, 128, 4)}, false},
    {"stride-2", WARP, {EACH(LOAD, 4, 0, 8)}, {LOADS(32, 128, 8)}, false},
    {"column", WARP, {EACH(LOAD, 4, 0, 128)}, {LOADS(32, 128, 32)}, false},
    {"same-address", WARP, {EACH(LOAD, 4, 64, 0)}, {LOADS(32, 128, 1)}, false},
    {"doubles", WARP, {EACH(LOAD, 8, 0, 8)}, {LOADS(32, 256, 8)}, false},
    {"vectors", WARP, {EACH(LOAD, 16, 0, 16)}, {LOADS(32, 512, 16)}, false},
    {"across-sectors",
     WARP,
     {EACH(LOAD, 64, 64, 128)},
     {LOADS(32, 2048, 64)},
     false},
    {"half-a-warp",
     WARP,
     {{LOAD, 4, 0, 4, 8, 24, 1}},
     {LOADS(16, 64, 2)},
     false},
    {"store", WARP, {EACH(STORE, 4, 0, 4)}, {STORES(32, 128, 4)}, false},
    {"store-column",
     WARP,
     {EACH(STORE, 4, 0, 36)},
     {STORES(32, 128, 32)},
     false},
    {"atomic",
     WARP,
     {EACH(ATOMIC, 4, 0, 0)},
     {LOADS(32, 128, 1), STORES(32, 128, 1)},
     false},

    {"twice", WARP, {{LOAD, 4, 0, 4, 0, 1024, 2}}, {LOADS(64, 256, 8)}, false},
    {"two-sites",
     WARP,
     {EACH(LOAD, 4, 0, 4), EACH(LOAD, 4, 0, 4)},
     {LOADS(64, 256, 8)},
     false},
    {"one-thread", {1, 1, 1}, {EACH(LOAD, 4, 0, 4)}, {LOADS(1, 4, 1)}, false},
    {"two-warps",
     {64, 1, 1},
     {EACH(LOAD, 4, 0, 0)},
     {LOADS(64, 256, 2)},
     false},
    {"parts-of-two-warps",
     {64, 1, 1},
     {{LOAD, 4, 0, 0, 16, 48, 1}},
     {LOADS(32, 128, 2)},
     false},
    {"part-of-a-warp",
     {48, 1, 1},
     {{LOAD, 4, 0, 4, 0, 1024, 2}},
     {LOADS(96, 384, 12)},
     false},
    {"rows", {8, 4, 2}, {EACH(LOAD, 4, 0, 4)}, {LOADS(64, 256, 8)}, false},
    {"largest",
     {32, 32, 1},
     {EACH(LOAD, 4, 0, 4)},
     {LOADS(1024, 4096, 128)},
     false},

    {"barriers",
     WARP,
     {EACH(LOAD, 4, 0, 4), MEET, EACH(LOAD, 4, 0, 4), MEET},
     {LOADS(64, 256, 8), .barriers = 2},
     false},
    {"outside",
     WARP,
     {EACH(LOAD, 4, N_BYTES - 64, 4)},
     {LOADS(32, 128, 4)},
     true},

    {"shared-rows",
     WARP,
     {EACH(FILL, 4, 0, 4), MEET, EACH(SHARED_LOAD, 4, 0, 4)},
     {TO_SHARED(32, 128), FROM_SHARED(32, 128), .barriers = 1},
     false},
    {"shared-column",
     WARP,
     {EACH(FILL, 4, 0, 128), MEET, EACH(SHARED_LOAD, 4, 0, 128)},
     {TO_SHARED(32, 128), FROM_SHARED(32, 128), .conflicts = 31, .barriers = 1},
     false},
    {"shared-padded",
     WARP,
     {EACH(FILL, 4, 0, 132), MEET, EACH(SHARED_LOAD, 4, 0, 132)},
     {TO_SHARED(32, 128), FROM_SHARED(32, 128), .barriers = 1},
     false},
    {"shared-broadcast",
     WARP,
     {EACH(FILL, 4, 8, 0), MEET, EACH(SHARED_LOAD, 4, 8, 0)},
     {TO_SHARED(32, 128), FROM_SHARED(32, 128), .barriers = 1},
     false},
    {"shared-stride-2",
     WARP,
     {EACH(SHARED_STORE, 4, 0, 8)},
     {TO_SHARED(32, 128), .conflicts = 1},
     false},
    {"shared-halves",
     WARP,
     {EACH(SHARED_STORE, 2, 0, 2)},
     {TO_SHARED(32, 64)},
     false},
    {"shared-store-column",
     WARP,
     {{SHARED_STORE, 4, 0, 128, 0, 1024, 2}},
     {TO_SHARED(64, 256), .conflicts = 62},
     false},
    {"shared-column-in-part",
     WARP,
     {{SHARED_STORE, 4, 0, 128, 3, 13, 1}},
     {TO_SHARED(10, 40), .conflicts = 9},
     false},
    {"shared-atomic",
     WARP,
     {EACH(SHARED_STORE, 4, 0, 4), MEET, EACH(SHARED_ATOMIC, 4, 0, 0)},
     {TO_SHARED(64, 256), FROM_SHARED(32, 128), .barriers = 1},
     false},
    {"shared-doubles",
     WARP,
     {EACH(SHARED_STORE, 8, 0, 8)},
     {TO_SHARED(32, 256)},
     false},
    {"shared-doubles-column",
     WARP,
     {EACH(SHARED_STORE, 8, 0, 128)},
     {TO_SHARED(32, 256), .conflicts = 2 * 15},
     false},
    {"shared-doubles-stride-2",
     WARP,
     {EACH(SHARED_STORE, 8, 0, 16)},
     {TO_SHARED(32, 256), .conflicts = 2 * 1},
     false},
    {"shared-vectors",
     WARP,
     {EACH(SHARED_STORE, 16, 0, 16)},
     {TO_SHARED(32, 512)},
     false},
    {"shared-vectors-column",
     WARP,
     {EACH(SHARED_STORE, 16, 0, 128)},
     {TO_SHARED(32, 512), .conflicts = 4 * 7},
     false},

    {"copy",
     WARP,
     {EACH(COPY, 16, 0, 16)},
     {LOADS(32, 512, 16), TO_SHARED(32, 512)},
     false},
    {"copy-column",
     WARP,
     {{COPY, 4, 0, 128, 0, 1024, 2}},
     {LOADS(64, 256, 64), TO_SHARED(64, 256), .conflicts = 62},
     false},
    {"copy-half",
     WARP,
     {EACH(COPY_HALF, 16, 0, 16)},
     {LOADS(32, 256, 16), TO_SHARED(32, 512)},
     false},
    {"copy-zeros",
     WARP,
     {EACH(COPY_ZEROS, 16, 0, 16)},
     {TO_SHARED(32, 512)},
     false},
    {"copy-zeros-and-some",
     WARP,
     {{COPY_ZEROS, 8, 0, 8, 0, 8, 1}, {COPY, 8, 0, 8, 8, 32, 1}},
     {LOADS(24, 192, 6), TO_SHARED(32, 256)},
     false},
    {"copy-outside",
     WARP,
     {EACH(COPY, 4, N_BYTES - 64, 4)},
     {LOADS(32, 128, 4), TO_SHARED(32, 128)},
     true},
};

/* Odd threads come after the barrier, the others before it, which are no
 * request together: run_late. */
static const struct example late = {"late",
                                    {64, 1, 1},
                                    {EACH(LOAD, 4, 0, 4), MEET},
                                    {LOADS(64, 256, 16), .barriers = 1},
                                    false};

/* All threads twice, but in the first of two blocks even ones once: run_uneven.
 */
static const struct example uneven = {
    "uneven", WARP, {EACH(LOAD, 4, 0, 4)}, {LOADS(80, 320, 12)}, false};

/* More requests than a block may keep. */
enum { MANY = 200000 };
static const struct example many = {"many",
                                    {2, 1, 1},
                                    {{LOAD, 4, 0, 4, 0, 1024, MANY}},
                                    {LOADS(2 * MANY, 8 * MANY, MANY)},
                                    false};

/* More than there is memory for at first. */
static const struct example growing = {"growing",
                                       WARP,
                                       {{LOAD, 4, 0, 4, 0, 1024, 300}},
                                       {LOADS(9600, 38400, 1200)},
                                       false};

/* ---- Memory that ends ---------------------------------------------------- */

static int memory_left = -1;      /* allocations; -1: no limit */
static int memory_of_kernel = -1; /* the same, from the first thread on */

void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

static bool has_memory(void)
{
    return memory_left < 0 || (memory_left > 0 && memory_left-- > 0);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return has_memory() ? __real_calloc(n, size) : NULL;
}

void *__wrap_realloc(void *old, size_t size)
{
    return has_memory() ? __real_realloc(old, size) : NULL;
}

/* ---- The kernel ---------------------------------------------------------- */

static const struct example *current;
static struct polygpu_access sites[MAX_STEPS];
static struct polygpu_access loads[MAX_STEPS]; /* of copies */

static bool is_shared(enum op op)
{
    return op >= FILL && op <= SHARED_ATOMIC;
}

static bool is_copy(enum op op)
{
    return op >= COPY && op <= COPY_ZEROS;
}

static void describe_sites(void)
{
    int i;

    memset(sites, 0, sizeof sites);
    for (i = 0; i < MAX_STEPS; ++i) {
        const struct step *step = &current->steps[i];
        struct polygpu_access *site = &sites[i];

        site->size = loads[i].size = step->size;
        if (step->op == STORE || step->op == SHARED_STORE || step->op == FILL ||
            is_copy(step->op))
            site->flags = POLYGPU_ACCESS_WRITE;
        if (step->op == ATOMIC || step->op == SHARED_ATOMIC)
            site->flags = POLYGPU_ACCESS_ATOMIC;
        if (is_shared(step->op) || is_copy(step->op)) {
            site->flags |= POLYGPU_ACCESS_SHARED;
            site->name = "tile";
            site->bytes = N_BYTES;
            site->elem_size = 4;
        }
    }
}

static void touch(int i, char *array, struct polygpu_thread *self, int thread)
{
    const struct step *step = &current->steps[i];
    char *start = is_shared(step->op) ? self->shared : array;
    intptr_t offset = step->at + (intptr_t)step->by * thread;
    void *to = self->calls->access(
        self, (void *)((uintptr_t)start + (uintptr_t)offset), &sites[i]);

    if (sites[i].flags & (POLYGPU_ACCESS_WRITE | POLYGPU_ACCESS_ATOMIC))
        memset(to, thread, step->size);
}

static void copy(int i, char *array, struct polygpu_thread *self, int thread)
{
    const struct step *step = &current->steps[i];
    uintptr_t offset = (uintptr_t)(step->at + (intptr_t)step->by * thread);
    uint32_t valid = step->op == COPY        ? step->size
                     : step->op == COPY_HALF ? step->size / 2
                                             : 0;

    self->calls->copy(self, (void *)((uintptr_t)self->shared + offset),
                      (void *)((uintptr_t)array + offset), step->size, valid,
                      &loads[i], &sites[i]);
    self->calls->commit(self);
    self->calls->wait(self, 0);
}

static void run_step(int i, char *array, struct polygpu_thread *self,
                     uint32_t thread)
{
    const struct step *step = &current->steps[i];
    uint32_t n;

    if (step->op == BARRIER)
        self->calls->barrier_at(self, (uint32_t)i, 0);
    else if (step->op == FILL)
        for (n = 0; thread == 0 && n < 32; ++n)
            touch(i, array, self, (int)n);
    else if (thread >= step->begin && thread < step->end)
        for (n = 0; n < step->times; ++n)
            (is_copy(step->op) ? copy : touch)(i, array, self, (int)thread);
}

static void run_steps(void *const *args, struct polygpu_thread *self)
{
    const uint32_t *t = self->thread, *n = self->n_thread;
    uint32_t thread = (t[2] * n[1] + t[1]) * n[0] + t[0];
    char *array = *(char *const *)args[0];
    int i;

    if (thread == 0 && self->block[0] == 0)
        memory_left = memory_of_kernel;
    for (i = 0; i < MAX_STEPS && current->steps[i].op != END; ++i)
        run_step(i, array, self, thread);
}

static void run_late(void *const *args, struct polygpu_thread *self)
{
    if (self->thread[0] % 2 == 0)
        run_step(0, *(char *const *)args[0], self, self->thread[0]);
    run_step(1, NULL, self, 0);
    if (self->thread[0] % 2)
        run_step(0, *(char *const *)args[0], self, self->thread[0]);
}

static void run_uneven(void *const *args, struct polygpu_thread *self)
{
    uint32_t block = self->block[0], thread = self->thread[0], i;

    for (i = 0; i < 1 + block && (block || thread % 2 == 0); ++i)
        run_step(0, *(char *const *)args[0], self, thread);
}

/* ---- Runs ---------------------------------------------------------------- */

static const struct polygpu_param params[] = {{POLYGPU_PARAM_ARRAY, 0}};
static const struct polygpu_array arrays[] = {
    {"A", 4, POLYGPU_IN | POLYGPU_OUT, 0}};
static struct polygpu_kernel kernel;
static struct polygpu_scop scop;
static char host[N_BYTES];

/* Make kernel and SCoP of an example. */
static void set_up(const struct example *e)
{
    int i;

    current = e;
    describe_sites();
    kernel = (struct polygpu_kernel){
        .name = "steps",
        .flags = POLYGPU_KERNEL_CHECKED,
        .shared_bytes = N_BYTES,
        .n_params = 1,
        .params = params,
        .emulated = e == &late     ? run_late
                    : e == &uneven ? run_uneven
                                   : run_steps,
    };
    memcpy(kernel.block, e->block, sizeof kernel.block);
    for (i = 0; i < MAX_STEPS; ++i)
        if (e->steps[i].op == BARRIER)
            kernel.flags |= POLYGPU_KERNEL_BARRIER;
    scop = (struct polygpu_scop){
        .abi_version = POLYGPU_ABI_VERSION,
        .file = "x.c",
        .function = "f",
        .n_arrays = 1,
        .n_kernels = 1,
        .arrays = arrays,
        .kernels = &kernel,
    };
}

/* Launch "times" times on "blocks" blocks; without "stats" nothing is to be
 * counted.  Returns whether all went well. */
static bool run_example(const struct example *e, uint32_t blocks, int times,
                        struct polygpu_launch_stats *stats)
{
    const struct polygpu_device *device = &polygpu_emulated;
    const struct polygpu_segment all = {0, N_BYTES / 4, 1};
    const uint32_t grid[3] = {blocks, 1, 1};
    struct polygpu_status status = {0};
    uintptr_t address;
    void *session, *args[1] = {&address};
    bool ok = true;

    set_up(e);
    CHECK(device->start(&scop, &session, &status));
    CHECK(
        device->announce(session, 0, POLYGPU_IN | POLYGPU_OUT, &all, &status));
    address = emulated_array(session, 0, N_BYTES, &status);
    CHECK(device->copy_in(session, address, host, N_BYTES, &status));
    while (ok && times-- > 0)
        ok =
            device->launch(session, NULL, &scop, 0, grid, args, stats, &status);
    memory_left = -1;
    device->free(address);
    device->stop(session);
    return ok;
}

/* Is "got" "n" times what is wanted?  Prints it if not. */
static bool is_right(const struct example *e,
                     const struct polygpu_access_stats *got, uint64_t n)
{
    const struct polygpu_access_stats *w = &e->wanted;
    const struct {
        const char *name;
        uint64_t got, wanted;
    } all[] = {
        {"loads", got->global_loads, w->global_loads},
        {"load bytes", got->global_load_bytes, w->global_load_bytes},
        {"load sectors", got->global_load_sectors, w->global_load_sectors},
        {"stores", got->global_stores, w->global_stores},
        {"store bytes", got->global_store_bytes, w->global_store_bytes},
        {"store sectors", got->global_store_sectors, w->global_store_sectors},
        {"shared loads", got->shared_loads, w->shared_loads},
        {"shared load bytes", got->shared_load_bytes, w->shared_load_bytes},
        {"shared stores", got->shared_stores, w->shared_stores},
        {"shared store bytes", got->shared_store_bytes, w->shared_store_bytes},
        {"conflicts", got->conflicts, w->conflicts},
        {"barriers", got->barriers, w->barriers},
    };
    bool right = true;
    size_t i;

    for (i = 0; i < sizeof all / sizeof *all; ++i)
        if (all[i].got != n * all[i].wanted) {
            fprintf(stderr, "%s: %llu %s, not %llu\n", e->name,
                    (unsigned long long)all[i].got, all[i].name,
                    (unsigned long long)(n * all[i].wanted));
            right = false;
        }
    return right;
}

static void test_exact(const struct example *e)
{
    struct polygpu_launch_stats stats = {.count = true};

    CHECK(run_example(e, 1, 1, &stats) == !e->fails);
    CHECK(stats.accesses.counted && !stats.accesses.incomplete);
    CHECK(is_right(e, &stats.accesses, 1));
    CHECK(run_example(e, 1, 1, NULL) == !e->fails);
}

/* Blocks and launches add up; a block's requests are its own. */
static void test_sums(void)
{
    struct polygpu_launch_stats stats = {.count = true};

    CHECK(run_example(&late, 3, 1, &stats) &&
          is_right(&late, &stats.accesses, 3));
    CHECK(run_example(&late, 1, 2, &stats) &&
          is_right(&late, &stats.accesses, 5));
    stats = (struct polygpu_launch_stats){.count = true};
    CHECK(run_example(&uneven, 2, 3, &stats) &&
          is_right(&uneven, &stats.accesses, 3));
    stats = (struct polygpu_launch_stats){.count = true};
    CHECK(run_example(&growing, 2, 3, &stats) &&
          is_right(&growing, &stats.accesses, 6));
}

static void test_limit(void)
{
    struct polygpu_launch_stats stats = {.count = true};

    CHECK(run_example(&many, 1, 1, &stats));
    CHECK(stats.accesses.global_loads == 2 * MANY &&
          stats.accesses.global_load_bytes == 8 * MANY);
    CHECK(stats.accesses.global_load_sectors > MANY &&
          stats.accesses.global_load_sectors <= 2 * MANY);
    CHECK(stats.accesses.counted && !stats.accesses.incomplete);
}

/* Five allocations are enough for 256 requests, seven for 512. */
static void test_memory(void)
{
    for (memory_of_kernel = 0; memory_of_kernel < 7; ++memory_of_kernel) {
        struct polygpu_launch_stats stats = {.count = true};
        uint64_t n = memory_of_kernel < 5 ? 0 : 256;

        CHECK(run_example(&growing, 1, 1, &stats));
        CHECK(stats.accesses.counted && stats.accesses.incomplete);
        CHECK(stats.accesses.global_loads == n);
        CHECK(stats.accesses.global_load_sectors == n);
    }
    test_exact(&growing);
    memory_of_kernel = -1;
}

/* ---- The profile --------------------------------------------------------- */

static const struct example *named(const char *name)
{
    size_t i;

    for (i = 0; strcmp(examples[i].name, name) != 0; ++i)
        CHECK(i + 1 < sizeof examples / sizeof *examples);
    return &examples[i];
}

/* A run of an example through the whole runtime; two names are none of an
 * example. */
static void child(const char *name)
{
    bool no_memory = !strcmp(name, "no-memory");
    bool no_launch = !strcmp(name, "no-launch");
    struct polygpu_run *run;

    if (no_memory)
        memory_of_kernel = 0;
    set_up(named(no_memory || no_launch ? "column" : name));
    run = polygpu_begin(&scop);
    CHECK(run);
    polygpu_array(run, 0, host);
    polygpu_move(run, 0, POLYGPU_IN | POLYGPU_OUT, 0, N_BYTES / 4, 1);
    if (!no_launch)
        polygpu_launch(run, 0, 2, 1, 1, NULL);
    memory_left = -1;
    CHECK(polygpu_end(run) == !current->fails);
}

static void test_profile(void)
{
    CHECK(check_run("column", "POLYGPU_PROFILE=lines", NULL) == 0);
    CHECK(check_said(
              "polygpu: accesses steps global_loads=64 global_load_bytes=256 "
              "global_load_sectors=64 global_stores=0 global_store_bytes=0 "
              "global_store_sectors=0 shared_loads=0 shared_load_bytes=0 "
              "shared_stores=0 shared_store_bytes=0 conflicts=0 "
              "barriers=0\n") == 1);
    CHECK(check_run("shared-column", "POLYGPU_PROFILE=lines", NULL) == 0);
    CHECK(check_said(
              "polygpu: accesses steps global_loads=0 global_load_bytes=0 "
              "global_load_sectors=0 global_stores=0 global_store_bytes=0 "
              "global_store_sectors=0 shared_loads=64 shared_load_bytes=256 "
              "shared_stores=64 shared_store_bytes=256 conflicts=62 "
              "barriers=2\n") == 1);
    CHECK(check_run("outside", "POLYGPU_PROFILE=lines", NULL) == 0);
    CHECK(check_said(" runs=0 declined=0 failed=1 ") == 1);
    CHECK(check_said("polygpu: accesses steps global_loads=32 ") == 1);

    CHECK(check_run("no-memory", "POLYGPU_PROFILE=lines", NULL) == 0);
    CHECK(check_said(" runs=1 ") == 1);
    CHECK(check_said(" conflicts=0 barriers=0 incomplete=1\n") == 1);

    CHECK(check_run("no-launch", "POLYGPU_PROFILE=lines", NULL) == 0);
    CHECK(check_said("polygpu: kernel steps ") == 1);
    CHECK(!check_said("polygpu: accesses"));
    CHECK(check_run("column", NULL, NULL) == 0 && !*check_text);
}

int main(int argc, char **argv)
{
    size_t i;

    if (argc == 2) {
        child(argv[1]);
        return 0;
    }
    for (i = 0; i < sizeof examples / sizeof *examples; ++i)
        test_exact(&examples[i]);
    test_exact(&late);
    test_sums();
    test_limit();
    test_memory();
    test_profile();
    return 0;
}
