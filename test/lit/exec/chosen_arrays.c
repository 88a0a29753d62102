// Which array an element is read from depends on data: what is not chosen is not
// read, since it may not be there.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=auto POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:     POLYGPU_FAULT=launch:1+ POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop two {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel two_{{.*}} launches=2
// CHECK-DAG: polygpu: scop three {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel three_{{.*}} launches=2
// CHECK-DAG: polygpu: scop by_pointer {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel by_pointer_{{.*}} launches=2
// CHECK-DAG: polygpu: scop in_rows {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel in_rows_{{.*}} launches=2
// CHECK-DAG: polygpu: scop some_missing {{.*}} runs=1 declined=1 failed=0
#include "exec.h"

#include <sys/mman.h>
#include <unistd.h>

enum { N = 1000, M = 20, ROWS = N / M };

static float a[N], b[N + 1], c[N + 1], d[N + 1];
static int kind[N];

NOINLINE static void two(int n)
{
    for (int i = 0; i < n; i++)
        a[i] = kind[i] > 1 ? b[i] : c[i];
}

NOINLINE static void three(int n)
{
    for (int i = 0; i < n; i++) {
        float v;

        if (kind[i] > 1)
            v = b[i + 1];
        else if (kind[i] == 0)
            v = c[i];
        else
            v = d[i];
        a[i] = v * 2;
    }
}

NOINLINE static void by_pointer(int n)
{
    for (int i = 0; i < n; i++) {
        const float *p = kind[i] ? b : c;

        a[i] = p[i] + p[i + 1];
    }
}

NOINLINE static void in_rows(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = b[i] < c[j] ? d[i * m + j] : c[i * m + j];
}

// The other array ends where it is not read any more.
NOINLINE static void some_missing(int n, float *restrict to,
                                  const float *restrict from)
{
    for (int i = 0; i < n; i++)
        to[i] = kind[i] ? from[i] : c[i];
}

static void start(void)
{
    poison(a, sizeof a);
    harness_fill(b, N + 1, sizeof *b);
    harness_fill(c, N + 1, sizeof *c);
    harness_fill(d, N + 1, sizeof *d);
    random_bits(kind, sizeof kind);
    for (int i = 0; i < N; i++)
        kind[i] = (kind[i] & 0xff) % 4;
}

#define RUN(call)                                                              \
    do {                                                                       \
        start();                                                               \
        call;                                                                  \
        dump("a", a, sizeof a);                                                \
    } while (0)

int main(int argc, char **argv)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), some = 256 * sizeof(float);
    char *part = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    harness_start(argc, argv);
    RUN(two(N));
    RUN(two(7));
    RUN(three(N));
    RUN(three(1));
    RUN(by_pointer(N));
    RUN(by_pointer(33));
    RUN(in_rows(ROWS, M));
    RUN(in_rows(3, 2));
    harness_fill(part + page - some, 256, sizeof(float));
    munmap(part + page, page);
    start();
    for (int i = 0; i < N; i++)
        kind[i] = i < 256;
    some_missing(256, a, (float *)(part + page - some));
    some_missing(512, a, (float *)(part + page - some));
    dump("a", a, sizeof a);
    return harness_end();
}
