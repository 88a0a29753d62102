/* test_cuda.c - cuda.c against fake_cuda.c, which is no GPU.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "example.h"
#include "fake_calls.h"
#include "tests.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[65536];

static const char *fake_text(const char *name)
{
    const char *(*function)(void);
    void *found = fake_find(name);

    CHECK(found);
    memcpy(&function, &found, sizeof function);
    return function();
}

static void expect(const char *fault, const char *more, const char *sentence,
                   int lines)
{
    const char *environment[] = {fault, more, NULL};

    printf("%s\n", fault);
    fflush(stdout);
    CHECK(check_child("child-pair", environment, text, sizeof text) == 0);
    CHECK(check_occurrences(text, "results 0 0") == 1);
    CHECK(check_occurrences(text, sentence) == lines);
}

/* Each error of the driver ends in the original loops and one line. */
void test_cuda_errors(void)
{
    expect("FAKE_CUDA=none", NULL, "polygpu", 0);
    expect("FAKE_CUDA=init", NULL, "polygpu", 0);
    expect("FAKE_CUDA=none", "POLYGPU_DEBUG=1",
           "polygpu: no CUDA device; running loops on the CPU\n", 1);
    expect("FAKE_CUDA=retain", NULL,
           "polygpu: opening the CUDA device failed: out of memory", 1);
    expect("FAKE_CUDA=jit", NULL, "ptxas fatal: fake log line; running", 1);
    expect("FAKE_CUDA=old", NULL,
           "the CUDA driver, for CUDA 11.4, is too old for the kernels, which "
           "are PTX 8.0; install a newer driver, or compile with -gpu-arch for "
           "an older architecture; running",
           1);
    expect("FAKE_CUDA=older", NULL, "for CUDA 11.4, is too old for", 1);
    expect("FAKE_CUDA=function", NULL, "is not in the loaded image", 1);
    expect("FAKE_CUDA=shared", NULL,
           "kernel dynamic needs 65536 bytes of shared memory for each block: "
           "some fake error; running",
           1);
    expect("FAKE_CUDA=alloc", NULL,
           "allocating 4096 bytes on the device (65536 of 65536 are free) "
           "failed: out of memory (CUDA error 2); this process has 0 bytes "
           "there, for 0 arrays; running",
           1);
    expect("FAKE_CUDA=sticky", NULL,
           "(CUDA error 700); this process does not use the device any more; "
           "running",
           1);
    CHECK(check_occurrences(text, "polygpu: ") == 1);
    expect("FAKE_CUDA=sticky", "POLYGPU_PROFILE=lines",
           "runs=0 declined=1 failed=1", 1);
}

/* The newest PTX that the device can execute; a cubin of its major version goes
 * first, and PTX is tried if that is rejected. */
void test_cuda_images(void)
{
    struct polygpu_image images[5] = {
        {POLYGPU_IMAGE_CUBIN, 90, 9, "cubin 90", NULL},
        {POLYGPU_IMAGE_CUBIN, 75, 9, "cubin 75", NULL},
        {POLYGPU_IMAGE_CUBIN, 80, 9, "cubin 80", NULL},
        {POLYGPU_IMAGE_CUBIN, 86, 9, "cubin 86", NULL},
        {POLYGPU_IMAGE_PTX, 86, 7, "ptx 86", NULL},
    };
    static double a[64], b[64];
    struct polygpu_scop first = example_scop, second = example_scop;
    struct polygpu_scop third = example_scop, fourth = example_scop;
    struct polygpu_scop fifth = example_scop;

    CHECK(polygpu_cuda_arch() == 86);
    CHECK(fake_int("fake_cuda_live") == 0);
    check_fill(a, 64);
    CHECK(example_pair(&first, a, b, 64, 1) == 1);
    CHECK(!strcmp(fake_text("fake_cuda_loaded"), ".version 8.0\nptx 80"));
    second.images = images;
    second.n_images = 5;
    CHECK(example_pair(&second, a, b, 64, 1) == 1);
    CHECK(!strcmp(fake_text("fake_cuda_loaded"), "cubin 86"));
    third.images = images;
    third.n_images = 3;
    CHECK(example_pair(&third, a, b, 64, 1) == 1);
    CHECK(!strcmp(fake_text("fake_cuda_loaded"), "cubin 80"));
    fifth.images = images;
    fifth.n_images = 2;
    CHECK(example_pair(&fifth, a, b, 64, 1) == 0);
    setenv("FAKE_CUDA", "cubin", 1);
    fourth.images = images;
    fourth.n_images = 5;
    CHECK(example_pair(&fourth, a, b, 64, 1) == 1);
    CHECK(!strcmp(fake_text("fake_cuda_loaded"), "ptx 86"));
}

/* Nothing is left but one stream for the next run: no array, no current
 * context; neither after success nor after a failure. */
void test_cuda_context(void)
{
    static double a[64], b[1000], more[1000];
    struct polygpu_scop scop = example_scop;
    struct polygpu_run *run;

    check_fill(a, 64);
    CHECK(example_pair(&scop, a, b, 64, 3) == 1);
    CHECK(fake_int("fake_cuda_live") == 0);
    CHECK(fake_int("fake_cuda_depth") == 0);
    run = polygpu_begin(&scop);
    CHECK(run && fake_int("fake_cuda_objects") == 1);
    polygpu_array(run, ARRAY_A, a);
    polygpu_array(run, ARRAY_B, b);
    polygpu_move(run, ARRAY_A, POLYGPU_IN, 0, 64, 1);
    polygpu_move(run, ARRAY_B, POLYGPU_IN, 0, 32, 2);
    polygpu_move(run, ARRAY_B, POLYGPU_TOUCH, 0, 64, 1);
    example_launch(run, KERNEL_PAIR, 2, 64, 0, 0);
    CHECK(fake_int("fake_cuda_live") == 2);
    CHECK(fake_int("fake_cuda_depth") == 0);
    setenv("FAKE_CUDA", "alloc", 1);
    CHECK(polygpu_end(run) == 1);
    CHECK(example_pair(&scop, a, b, 64, 3) == 1);
    CHECK(fake_int("fake_cuda_objects") == 1);
    CHECK(example_pair(&scop, more, b, 1000, 3) == 0);
    CHECK(fake_int("fake_cuda_live") == 0);
    CHECK(fake_int("fake_cuda_objects") == 0);
    CHECK(fake_int("fake_cuda_depth") == 0);
}

/* What the first run gave back is in the way of the second's larger arrays, and
 * freed; the third's are larger than the device. */
void test_cuda_small(void)
{
    static double a[6000], b[6000];
    struct polygpu_scop scop = example_scop;

    setenv("FAKE_CUDA", "small", 1);
    check_fill(a, 6000);
    CHECK(example_pair(&scop, a, b, 2500, 1) == 1);
    CHECK(fake_int("fake_cuda_idle") == 2 * 20480);
    CHECK(example_pair(&scop, a, b, 2500, 1) == 1);
    CHECK(fake_int("fake_cuda_idle") == 2 * 20480);
    CHECK(example_pair(&scop, a, b, 4000, 1) == 1);
    CHECK(fake_int("fake_cuda_idle") == 2 * 32768);
    CHECK(example_pair(&scop, a, b, 6000, 1) == 0);
    CHECK(fake_int("fake_cuda_live") == 0);
    CHECK(example_pair(&scop, a, b, 2500, 1) == 1);
}

/* Launch a kernel on 64 elements, with a scop of its own; the result of
 * polygpu_end, or 0 if the run did not begin. */
static int launch_one(const struct polygpu_kernel *kernels, uint32_t kernel)
{
    struct polygpu_scop scop = example_scop;
    double a[64], before[64];
    struct polygpu_run *run;
    int done, i;

    check_fill(a, 64);
    memcpy(before, a, sizeof a);
    scop.kernels = kernels;
    run = polygpu_begin(&scop);
    if (!run)
        return 0;
    polygpu_array(run, ARRAY_A, a);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, 64, 1);
    example_launch(run, kernel, 2, 64, 0, 1);
    done = polygpu_end(run);
    for (i = 0; i < 64; ++i)
        CHECK(a[i] == (done ? 2 * before[i] + 1 : before[i]));
    return done;
}

/* Shared memory is asked for where a kernel says so, and only there; a device
 * that has too little does not load the kernels. */
void test_cuda_shared(void)
{
    struct polygpu_kernel kernels[N_KERNELS];

    memcpy(kernels, example_scop.kernels, sizeof kernels);
    CHECK(launch_one(kernels, KERNEL_DYNAMIC) == 1);
    CHECK(fake_int("fake_cuda_shared") == 64 * 1024);
    kernels[KERNEL_SCALE].shared_bytes = 512;
    CHECK(launch_one(kernels, KERNEL_SCALE) == 1);
    CHECK(fake_int("fake_cuda_shared") == 0);
    kernels[KERNEL_DYNAMIC].shared_bytes = 99 * 1024;
    CHECK(launch_one(kernels, KERNEL_DYNAMIC) == 1);
    CHECK(fake_int("fake_cuda_shared") == 99 * 1024);
    kernels[KERNEL_DYNAMIC].shared_bytes = 99 * 1024 + 1;
    CHECK(launch_one(kernels, KERNEL_DYNAMIC) == 0);
    CHECK(launch_one(kernels, KERNEL_SCALE) == 0);
    CHECK(fake_int("fake_cuda_live") == 0);
}

/* One run on fresh values, checked; what polygpu_end says. */
static int run_once(struct polygpu_scop *scop)
{
    double a[64], b[64], a2[64], b2[64];
    int done;

    check_fill(a, 64);
    check_fill(b, 64);
    memcpy(a2, a, sizeof a);
    memcpy(b2, b, sizeof b);
    done = example_pair(scop, a, b, 64, 2);
    if (done)
        example_pair_here(a2, b2, 64, 2);
    CHECK(!memcmp(a, a2, sizeof a) && !memcmp(b, b2, sizeof b));
    return done;
}

/* Too little memory for the kernels: tried again at runs 2, 4, 8, ..., and once
 * more where the pool has memory to free; when there is enough, the loops are
 * offloaded, and loaded once.  What does not pass is tried once. */
void test_cuda_memory(void)
{
    struct polygpu_scop scop = example_scop, late = example_scop,
                        never = example_scop, both = example_scop;
    struct polygpu_image images[2] = {
        {POLYGPU_IMAGE_CUBIN, 86, 9, "cubin 86", NULL},
        {POLYGPU_IMAGE_PTX, 86, 7, "ptx 86", NULL},
    };
    int i, before;

    setenv("FAKE_CUDA", "memory", 1);
    for (i = 1; i <= 5; ++i)
        CHECK(run_once(&scop) == 0);
    CHECK(fake_int("fake_cuda_loads") == 3);
    setenv("FAKE_CUDA", "fine", 1);
    CHECK(run_once(&scop) == 0 && run_once(&scop) == 0);
    CHECK(fake_int("fake_cuda_loads") == 3);
    CHECK(run_once(&scop) == 1 && run_once(&scop) == 1);
    CHECK(fake_int("fake_cuda_loads") == 4);

    setenv("FAKE_CUDA", "memory", 1);
    for (i = 1; i <= 300; ++i)
        CHECK(run_once(&late) == 0);
    CHECK(fake_int("fake_cuda_loads") == 4 + 1 + 9);
    setenv("FAKE_CUDA", "fine", 1);
    CHECK(run_once(&late) == 0 && run_once(&scop) == 1);
    for (i = 302; i < 512; ++i)
        CHECK(run_once(&late) == 0);
    CHECK(run_once(&late) == 1);

    setenv("FAKE_CUDA", "jit", 1);
    before = fake_int("fake_cuda_loads");
    for (i = 1; i <= 300; ++i)
        CHECK(run_once(&never) == 0);
    CHECK(fake_int("fake_cuda_loads") == before + 1);

    both.images = images;
    both.n_images = 2;
    setenv("FAKE_CUDA", "cubin-memory", 1);
    CHECK(run_once(&both) == 0 && run_once(&both) == 0);
    setenv("FAKE_CUDA", "fine", 1);
    CHECK(run_once(&both) == 0 && run_once(&both) == 1);
    CHECK(!strcmp(fake_text("fake_cuda_loaded"), "cubin 86"));
}

/* Of a file whose SCoPs have one image. */
struct of_file {
    struct polygpu_image images[2];
    void *cubin, *ptx; /* the words */
    struct polygpu_scop scops[8];
};

static void make_file(struct of_file *file)
{
    struct polygpu_image cubin = {POLYGPU_IMAGE_CUBIN, 86, 9, "cubin 86",
                                  &file->cubin},
                         ptx = {POLYGPU_IMAGE_PTX, 86, 7, "ptx 86", &file->ptx};
    int i;

    file->images[0] = cubin;
    file->images[1] = ptx;
    file->cubin = file->ptx = NULL;
    for (i = 0; i < 8; ++i) {
        file->scops[i] = example_scop;
        file->scops[i].images = file->images;
        file->scops[i].n_images = 2;
    }
}

static int run_some(struct of_file *file, int begin, int end)
{
    int done = 0, i;

    for (i = begin; i < end; ++i)
        done += run_once(&file->scops[i]);
    return done;
}

static int loads_since(int before)
{
    return fake_int("fake_cuda_loads") - before;
}

static void *run_in_thread(void *scop)
{
    CHECK(run_once(scop) == 1);
    return NULL;
}

static void run_in_threads(struct of_file *file)
{
    pthread_t threads[8];
    int i;

    for (i = 0; i < 8; ++i)
        CHECK(
            !pthread_create(&threads[i], NULL, run_in_thread, &file->scops[i]));
    for (i = 0; i < 8; ++i)
        CHECK(!pthread_join(threads[i], NULL));
}

/* An image that several SCoPs have is loaded once, by threads at once too, and
 * once more after a reset.  One that is rejected is not tried by the others,
 * but where memory is short it is; and it stays for them where a SCoP does not
 * find its kernels in it. */
void test_cuda_modules(void)
{
    struct of_file file, parallel, second, third, fourth;
    int before = fake_int("fake_cuda_loads");

    make_file(&file);
    CHECK(run_some(&file, 0, 4) == 4 && loads_since(before) == 1);
    make_file(&parallel);
    run_in_threads(&parallel);
    CHECK(loads_since(before) == 2);
    CHECK(fake_do("fake_cuda_reset", 0) == 0);
    CHECK(run_some(&file, 0, 8) == 8 && loads_since(before) == 3);

    before = fake_int("fake_cuda_loads");
    make_file(&second);
    setenv("FAKE_CUDA", "cubin", 1);
    CHECK(run_some(&second, 0, 4) == 4 && loads_since(before) == 2);
    CHECK(!strcmp(fake_text("fake_cuda_loaded"), "ptx 86"));
    make_file(&third);
    setenv("FAKE_CUDA", "jit", 1);
    CHECK(run_some(&third, 0, 4) == 0 && loads_since(before) == 4);
    setenv("FAKE_CUDA", "fine", 1);
    CHECK(run_some(&third, 4, 8) == 0 && loads_since(before) == 4);

    before = fake_int("fake_cuda_loads");
    make_file(&fourth);
    setenv("FAKE_CUDA", "memory", 1);
    /* the pool had some memory */
    CHECK(run_some(&fourth, 0, 2) == 0 && loads_since(before) == 3);
    setenv("FAKE_CUDA", "function", 1);
    CHECK(run_some(&fourth, 2, 4) == 0 && loads_since(before) == 4);
    setenv("FAKE_CUDA", "fine", 1);
    CHECK(run_some(&fourth, 4, 8) == 4 && loads_since(before) == 4);
    CHECK(run_once(&fourth.scops[0]) == 1 && loads_since(before) == 4);
}

/* The device of the context that the program has made current, not the first
 * one; the program's context stays current. */
void test_cuda_program(void)
{
    struct polygpu_scop scop = example_scop;

    CHECK(fake_do("fake_cuda_use", 1) == 0);
    CHECK(polygpu_cuda_arch() == 89);
    CHECK(run_once(&scop) == 1);
    CHECK(fake_do("fake_cuda_device", 0) == 43);
    CHECK(fake_int("fake_cuda_depth") == 1);
}

/* The program resets the primary context: between runs, and in the middle of
 * one, which then fails, but no later one. */
void test_cuda_reset(void)
{
    struct polygpu_scop scop = example_scop, other = example_scop;
    struct polygpu_run *run;
    double a[64];

    CHECK(run_once(&scop) == 1 && run_once(&other) == 1);
    CHECK(fake_do("fake_cuda_reset", 0) == 0);
    CHECK(run_once(&scop) == 1 && run_once(&other) == 1);
    CHECK(run_once(&scop) == 1);
    check_fill(a, 64);
    run = polygpu_begin(&scop);
    polygpu_array(run, ARRAY_A, a);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, 64, 1);
    CHECK(fake_do("fake_cuda_reset", 0) == 0);
    example_launch(run, KERNEL_SCALE, 2, 64, 0, 1);
    CHECK(polygpu_end(run) == 0);
    CHECK(run_once(&scop) == 1 && run_once(&other) == 1);
}

/* Another thread captures a graph, in the mode that forbids allocations in all
 * threads: the capture goes on, the run works, the thread's mode is as
 * before. */
void test_cuda_capture(void)
{
    struct polygpu_scop scop = example_scop;

    fake_do("fake_cuda_capture", 1);
    CHECK(run_once(&scop) == 1 && run_once(&scop) == 1);
    CHECK(fake_do("fake_cuda_capture", 0) == 0);
    CHECK(fake_do("fake_cuda_mode", 0) == 0);
}

/* When a launch fails, those before it are waited for; only then their memory
 * is freed. */
void test_cuda_flight(void)
{
    struct polygpu_scop scop = example_scop;

    setenv("FAKE_CUDA", "second", 1);
    CHECK(run_once(&scop) == 0);
    CHECK(fake_int("fake_cuda_freed_in_flight") == 0);
    CHECK(fake_int("fake_cuda_live") == 0);
    CHECK(run_once(&scop) == 1);
}

enum { CALL_RUNS = 4, OPENING = 8 }; /* calls until the device is open */

/* Some runs, all right; what the driver saw of them. */
void child_calls(void)
{
    struct polygpu_scop scop = example_scop;
    int done = 0, i;

    for (i = 0; i < CALL_RUNS; ++i)
        done += run_once(&scop);
    fprintf(stderr, "done %d calls %d live %d depth %d objects %d\n", done,
            fake_int("fake_cuda_calls"), fake_int("fake_cuda_live"),
            fake_int("fake_cuda_depth"), fake_int("fake_cuda_objects"));
}

/* The n-th call of the driver fails.  The results are right, there is one
 * sentence at most, nothing is left behind; what passes costs one run, unless
 * the device could not be opened. */
static void fail_call(int n, int error, const char *more)
{
    const char *line;
    char set[64];
    int done, calls, live, depth, objects;

    snprintf(set, sizeof set, "FAKE_CUDA_FAIL=%d:%d", n, error);
    if (check_run("child-calls", set, more) != 0)
        check_failed(__FILE__, __LINE__, set);
    line = strstr(check_text, "done ");
    CHECK(line && sscanf(line, "done %d calls %d live %d depth %d objects %d",
                         &done, &calls, &live, &depth, &objects) == 5);
    CHECK(depth == 0 && check_said("running loops on the CPU") <= 1);
    if (error >= 700)
        return;
    CHECK(live == 0 && objects <= (more ? 3 : 1));
    CHECK(done >= CALL_RUNS - 1 || n <= OPENING || error != 2);
}

/* Every call of the driver, each with errors that pass and that do not. */
void test_cuda_calls(void)
{
    static const int errors[] = {1, 2, 700, 999};
    const char *more[] = {NULL, "POLYGPU_PROFILE=lines"};
    int calls, i, k, n;

    for (k = 0; k < 2; ++k) {
        CHECK(check_run("child-calls", more[k], NULL) == 0);
        CHECK(sscanf(strstr(check_text, "done "), "done 4 calls %d live 0",
                     &calls) == 1);
        CHECK(calls > 50);
        for (i = 0; i < 4; ++i)
            for (n = 1; n <= calls; ++n)
                fail_call(n, errors[i], more[k]);
        printf("%d calls\n", calls);
    }
}

/* Two devices, numbers 42 and 43. */
void child_device(void)
{
    struct polygpu_scop scop = example_scop;
    int done = run_once(&scop);

    fprintf(stderr, "done %d device %d\n", done,
            fake_do("fake_cuda_device", 0));
}

/* The device that is asked for, else the process's number on the machine. */
void test_cuda_device(void)
{
    static const struct {
        const char *one, *two, *said;
    } cases[] = {
        {"POLYGPU_DEVICE=cuda", NULL, "done 1 device 42\n"},
        {"POLYGPU_DEVICE=cuda:1", NULL, "done 1 device 43\n"},
        {"POLYGPU_DEVICE=cuda:0", "OMPI_COMM_WORLD_LOCAL_RANK=1",
         "done 1 device 42\n"},
        {"OMPI_COMM_WORLD_LOCAL_RANK=3", NULL, "done 1 device 43\n"},
        {"MPI_LOCALRANKID=1", NULL, "done 1 device 43\n"},
        {"SLURM_LOCALID=2", NULL, "done 1 device 42\n"},
        {"PMI_LOCAL_RANK=1", "OMPI_COMM_WORLD_LOCAL_RANK=x",
         "done 1 device 43\n"},
        {"SLURM_LOCALID=1", "POLYGPU_DEBUG=1",
         "debug: CUDA device 1 of 2, SLURM_LOCALID\n"},
        {"POLYGPU_DEVICE=cuda:2", "POLYGPU_DEBUG=0",
         "polygpu: POLYGPU_DEVICE=cuda:2: the last of 2 CUDA devices is "
         "cuda:1; running loops on the CPU\ndone 0 "},
        {"POLYGPU_DEVICE=cuda:", NULL, "is not a known value; allowed: cuda, "},
        {"POLYGPU_DEVICE=cuda:1x", NULL, "is not a known value"},
        {"POLYGPU_DEVICE=cuda:-1", NULL, "is not a known value"},
        {"POLYGPU_DEVICE=cuda:4294967297", NULL, "is not a known value"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
        CHECK(check_run("child-device", cases[i].one, cases[i].two) == 0);
        if (check_said(cases[i].said) != 1)
            check_failed(cases[i].one, __LINE__, check_text);
    }
    CHECK(fake_do("fake_cuda_use", 0) == 0);
    setenv("POLYGPU_DEVICE", "cuda:1", 1);
    child_device();
    CHECK(fake_do("fake_cuda_device", 0) == 43);
}

static void *open_slowly(void *arg)
{
    struct polygpu_scop scop = example_scop;

    (void)arg;
    CHECK(run_once(&scop) == 1);
    return NULL;
}

/* The child of a fork while another thread opens the device computes by
 * itself, and does not wait for the thread that it does not have. */
void test_cuda_fork(void)
{
    struct polygpu_scop scop = example_scop;
    pthread_t thread;
    pid_t pid;
    int status;

    setenv("FAKE_CUDA", "slow", 1);
    CHECK(!pthread_create(&thread, NULL, open_slowly, NULL));
    usleep(100000);
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        alarm(20);
        CHECK(run_once(&scop) == 0);
        CHECK(run_once(&scop) == 0);
        _exit(0);
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    CHECK(!pthread_join(thread, NULL));
    CHECK(run_once(&scop) == 1);
}
