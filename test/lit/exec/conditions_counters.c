// An element or a variable that others may see, updated under a condition on data
// only: by atomic operations, and written back only if the condition held.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_RESIDENCY=off %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop hit {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel hit_{{.*}} launches=3
// CHECK-DAG: polygpu: scop element {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel element_{{.*}} launches=3
// CHECK-DAG: polygpu: scop several {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop either {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop nested {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop beside {{.*}} runs=1 declined=0 failed=0
#include "exec.h"

#include <sys/mman.h>
#include <unistd.h>

enum { N = 1300 };

int hits;
static float x[N];
static int b[N], to[N];
static long long most[4];
static unsigned bits[4];

APART void hit(int n, const float *a, float limit)
{
    for (int i = 0; i < n; i++)
        if (a[i] > limit)
            hits++;
}

APART void element(int n, const float *a, float limit, int *sum)
{
    for (int i = 0; i < n; i++)
        if (a[i] > limit)
            sum[3] += i;
}

APART void several(int n, const int *a, unsigned *set, long long *sums)
{
    for (int i = 0; i < n; i++)
        if (a[i] % 3 == 1) {
            set[0] |= (unsigned)a[i];
            sums[1] += a[i];
            if (a[i] > 50)
                set[2] ^= (unsigned)i;
        }
}

APART void either(int n, const int *a, int *counts)
{
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            counts[0]++;
        else
            counts[1] -= 2;
}

APART void nested(int n, int m, const float *a, int *sum)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i * m + j] > 0)
                sum[5] += i - j;
}

APART void beside(int n, const int *a, int *own, unsigned *sum)
{
    for (int i = 0; i < n; i++) {
        own[i] = 2 * a[i];
        if (a[i] > 7)
            *sum += (unsigned)a[i];
    }
}

int main(int argc, char **argv)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int *fixed = mmap(NULL, page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int sums[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    harness_start(argc, argv);
    harness_fill(x, N, sizeof *x);
    for (int i = 0; i < N; i++)
        b[i] = (int)(harness_random() * 100);
    random_bits(most, sizeof most);
    random_bits(bits, sizeof bits);
    random_bits(to, sizeof to);
    hit(N, x, 0.25f);
    hit(1, x, -100);
    hit(N, x, 100);
    dump("hits", &hits, sizeof hits);
    element(N, x, 0.25f, sums);
    element(77, x, -100, sums);
    fixed[3] = 5;
    mprotect(fixed, page, PROT_READ);
    element(N, x, 100, fixed); // nothing is written
    dump("fixed", fixed, 32);
    several(N, b, bits, most);
    dump("bits", bits, sizeof bits);
    dump("most", most, sizeof most);
    either(N, b, sums + 1);
    nested(36, 36, x, sums);
    beside(N, b, to, (unsigned *)sums + 7);
    dump("sums", sums, sizeof sums);
    dump("to", to, sizeof to);
    return harness_end();
}
