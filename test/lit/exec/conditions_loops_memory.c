// Rows that only some conditions on data reach: they may be read-only, or not be
// there at all.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop written {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel written_{{.*}} launches=1
// CHECK-DAG: polygpu: scop read_some {{.*}} runs=1 declined=1 failed=0
// CHECK-DAG: polygpu: kernel read_some_{{.*}} launches=1
// CHECK-DAG: polygpu: scop written_some {{.*}} runs=1 declined=1 failed=0
#include "exec.h"

#include <sys/mman.h>
#include <unistd.h>

enum { ROWS = 8 };

static int mask[ROWS], sum[ROWS];

NOINLINE static void written(int n, int m, int *restrict a)
{
    for (int i = 0; i < n; i++) {
        sum[i] = a[i * m];
        if (mask[i])
            for (int j = 0; j < m; j++)
                a[i * m + j] += j;
    }
}

NOINLINE static void read_some(int n, int m, const int *restrict b)
{
    for (int i = 0; i < n; i++)
        if (mask[i]) {
            unsigned s = 0;

            for (int j = 0; j < m; j++)
                s += (unsigned)b[i * m + j];
            sum[i] = (int)s;
        }
}

NOINLINE static void written_some(int n, int m, int *restrict b)
{
    for (int i = 0; i < n; i++)
        if (mask[i])
            for (int j = 0; j < m; j++)
                b[i * m + j] = i + j;
}

int main(int argc, char **argv)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int m = (int)(page / sizeof(int));
    int *a;

    harness_start(argc, argv);
    a = mmap(NULL, ROWS * page, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    random_bits(a, ROWS * page);
    for (int i = 0; i < ROWS * m; i++)
        a[i] %= 1000;
    poison(sum, sizeof sum);
    for (int i = 0; i < ROWS; i++)
        mask[i] = i % 3 != 1;
    for (int i = 1; i < ROWS; i += 3)
        mprotect((char *)a + (size_t)i * page, page, PROT_READ);
    written(ROWS, m, a);
    dump("a", a, ROWS * page);
    read_some(ROWS, m, a);
    for (int i = 1; i < ROWS; i += 3)
        munmap((char *)a + (size_t)i * page, page);
    read_some(ROWS, m, a);
    written_some(ROWS, m, a);
    mask[2] = 0;
    written_some(1, m, a);
    for (int i = 0; i < ROWS; i += 3)
        dump("row", a + i * m, page);
    dump("sum", sum, sizeof sum);
    return harness_end();
}
