// Memory that only some conditions on data reach.  It is not written where the
// program does not: pages that are read-only stay as they are, no signal comes.
// What is not there to be read, a kernel cannot have: the original loops run.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=mandatory POLYGPU_DEVICE=emulated %not %t.gpu 2>&1 | \
// RUN:     %FileCheck %s --check-prefix=WHY
//
// CHECK-DAG: polygpu: scop written {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop behind_end {{.*}} runs=1 declined=1 failed=0
// CHECK-DAG: polygpu: kernel behind_end_{{.*}} launches=1
// CHECK-DAG: polygpu: scop stored_behind {{.*}} runs=1 declined=1 failed=0
// WHY: polygpu: behind_end {{.*}} array b is read under a condition only, and a part of it is no memory that can be read; POLYGPU=mandatory ends the program
#include "exec.h"

#include <sys/mman.h>
#include <unistd.h>

enum { N = 2048, PAGES = 4 };

static int c[N], sum[N];

// No page of "a" is read that the program does not read, too.
NOINLINE static void written(int n, int *restrict a)
{
    for (int i = 0; i < n; i++) {
        sum[i] = a[i];
        if (c[i] > 0)
            a[i] = c[i];
    }
}

NOINLINE static void behind_end(int n, const int *restrict b)
{
    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            sum[i] = b[i];
}

NOINLINE static void stored_behind(int n, int *restrict b)
{
    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            b[i] = sum[i];
}

static int *map(size_t bytes)
{
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(int argc, char **argv)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), per = page / sizeof(int);
    int *a, *b;

    harness_start(argc, argv);
    a = map(PAGES * page);
    b = map(PAGES * page);
    random_bits(a, PAGES * page);
    random_bits(b, PAGES * page);
    poison(sum, sizeof sum);
    for (int i = 0; i < N; i++) /* positive in the first page only */
        c[i] = (int)(harness_random() * 100) - (i < (int)per ? 0 : 200);

    mprotect((char *)a + page, page, PROT_READ);
    written(N, a);
    dump("a", a, N * sizeof *a);
    dump("sum", sum, sizeof sum);

    behind_end(N, b); /* all is there */
    stored_behind(N, b);
    dump("sum", sum, sizeof sum);
    dump("b", b, N * sizeof *b);
    mprotect((char *)b + page, page, PROT_NONE);
    behind_end(N, b);
    stored_behind(N, b);
    dump("sum", sum, sizeof sum);
    dump("b", b, page);
    return harness_end();
}
