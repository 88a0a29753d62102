// "if (x > h[k]) h[k] = x": only what changes is written, on the device as in the
// original loops; a page in which nothing is larger stays read-only.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop largest {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel largest_{{.*}} launches=3
// CHECK-DAG: polygpu: kernel smallest_{{.*}} launches=2
// CHECK-DAG: polygpu: kernel equal_{{.*}} launches=2
// CHECK-DAG: polygpu: kernel of_bytes_{{.*}} launches=2
// CHECK-DAG: polygpu: kernel chosen_{{.*}} launches=2
#include "exec.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 3000, M = 333 };

static int idx[N], with[N], c[N], h[M];
static unsigned long long wide[N], least[M];
static uint8_t bytes[M], of[N];

APART void largest(int n, const int *at, const int *w, int *h)
{
    for (int i = 0; i < n; i++)
        if (w[i] > h[at[i]])
            h[at[i]] = w[i];
}

APART void smallest(int n, const int *at, const unsigned long long *w,
                    unsigned long long *h)
{
    for (int i = 0; i < n; i++) {
        unsigned long long v = w[i];
        int k = at[i];

        if (h[k] > v)
            h[k] = v;
    }
}

// What is equal is written again, which nobody sees.
APART void equal(int n, const int *at, const int *w, int *h)
{
    for (int i = 0; i < n; i++)
        if (!(w[i] > h[at[i]]))
            h[at[i]] = w[i];
}

APART void of_bytes(int n, const int *at, const uint8_t *w, uint8_t *h)
{
    for (int i = 0; i < n; i++)
        if (w[i] > h[at[i]])
            h[at[i]] = w[i];
}

APART void chosen(int n, const int *cond, const int *at, const int *w, int *h)
{
    for (int i = 0; i < n; i++)
        if (cond[i] > 0)
            if (w[i] > h[at[i]])
                h[at[i]] = w[i];
}

static int place(int n)
{
    return (int)((harness_random() + 1.5) / 3 * n) % n;
}

static void run(int n, int m)
{
    for (int i = 0; i < N; i++) {
        idx[i] = place(m);
        c[i] = i % 3 - 1;
    }
    random_bits(with, sizeof with);
    random_bits(h, sizeof h);
    random_bits(wide, sizeof wide);
    random_bits(least, sizeof least);
    random_bits(bytes, sizeof bytes);
    random_bits(of, sizeof of);
    largest(n, idx, with, h);
    dump("largest", h, sizeof h);
    smallest(n, idx, wide, least);
    dump("smallest", least, sizeof least);
    random_bits(h, sizeof h);
    equal(n, idx, with, h);
    dump("equal", h, sizeof h);
    of_bytes(n, idx, of, bytes);
    dump("of_bytes", bytes, sizeof bytes);
    random_bits(h, sizeof h);
    chosen(n, c, idx, with, h);
    dump("chosen", h, sizeof h);
}

int main(int argc, char **argv)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), per = page / sizeof(int);
    int *a = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    harness_start(argc, argv);
    run(N, M);
    run(N - 1, 2);
    for (size_t i = 0; i < 2 * per; i++)
        a[i] = i < per ? -5 : 1000;
    mprotect((char *)a + page, page, PROT_READ);
    for (int i = 0; i < N; i++) {
        idx[i] = i % (int)(2 * per);
        with[i] = i % 100 + (i % 7 ? 0 : 900);
    }
    largest(N, idx, with, a);
    dump("a", a, 2 * page);
    return harness_end();
}
