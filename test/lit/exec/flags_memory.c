// What a loop reads only until a flag is set need not be there behind that: the
// original loops run then, and read no more than the program does.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=mandatory POLYGPU_DEVICE=emulated %not %t.gpu 2>&1 | \
// RUN:     %FileCheck %s --check-prefix=WHY
//
// CHECK-DAG: polygpu: scop holds {{.*}} runs=1 declined=1 failed=0
// CHECK-DAG: polygpu: scop any {{.*}} runs=1 declined=1 failed=0
// CHECK-DAG: polygpu: scop both {{.*}} runs=1 declined=1 failed=0
// WHY: polygpu: holds {{.*}} array a is read under a condition only, and a part
// of it is no memory that can be read; POLYGPU=mandatory ends the program
#include "exec.h"

#include <sys/mman.h>
#include <unistd.h>

enum { N = 2048, PAGES = 4 };

NOINLINE static int holds(int n, const int *a)
{
    int ok = 1;

    for (int i = 0; i < n; i++)
        ok = ok && a[i] > 0;
    return ok;
}

NOINLINE static int any(int n, const int *a)
{
    int found = 0;

    for (int i = 0; i < n; i++)
        if (!found && a[i] < 0)
            found = 9;
    return found;
}

NOINLINE static int both(int n, const int *a, const int *b)
{
    int found = 2;

    for (int i = 0; i < n; i++)
        if (found == 2 && a[i] < 0 && b[i] > 3)
            found = -2;
    return found;
}

int main(int argc, char **argv)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), per = page / sizeof(int);
    int *a, *b, found[3];

    harness_start(argc, argv);
    a = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    b = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < PAGES * per; i++) {
        a[i] = i == per - 1 ? -5 : 3 + (int)(harness_random() * 4);
        b[i] = 4 + (int)(harness_random() * 2);
    }
    for (int round = 0; round < 2; round++) {
        found[0] = holds(N, a);
        found[1] = any(N, a);
        found[2] = both(N, a, b);
        dump("found", found, sizeof found);
        mprotect((char *)a + page, page, PROT_NONE);
    }
    return harness_end();
}
