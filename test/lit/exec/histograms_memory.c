// What updates at places that data say do with memory of the program that they
// do not update: a page between elements that are counted in stays read-only,
// and one that is not there, or an array that overlaps, leads to the original
// loops.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop count {{.*}} runs=2 declined=3 failed=0
// CHECK-DAG: polygpu: kernel count_{{.*}} launches=2
// CHECK-DAG: polygpu: scop chosen {{.*}} runs=1 declined=1 failed=0
// CHECK-DAG: polygpu: kernel chosen_{{.*}} launches=1
#include "exec.h"

#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 3000 };

static int idx[N], with[N], c[N];

APART void count(int n, const int *at, const int *w, int *h)
{
    for (int i = 0; i < n; i++)
        h[at[i]] += w[i];
}

APART void chosen(int n, const int *cond, const int *at, int *h)
{
    for (int i = 0; i < n; i++)
        if (cond[i] > 0)
            h[at[i]]++;
}

int main(int argc, char **argv)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), per = page / sizeof(int);
    int *a = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    harness_start(argc, argv);
    random_bits(a, 3 * page);
    for (int i = 0; i < N; i++) { /* in the first and in the last page */
        int at = (int)((harness_random() + 1.5) / 3 * (double)per) % (int)per;

        idx[i] = at + (i % 2 ? 2 * (int)per : 0);
        with[i] = i % 3 ? (int)(harness_random() * 1000) : 0;
        c[i] = i % 5 - 2;
    }
    mprotect((char *)a + page, page, PROT_READ);
    count(N, idx, with, a);
    dump("a", a, 3 * page);
    mprotect((char *)a + page, page, PROT_NONE);
    count(N, idx, with, a);
    mprotect((char *)a + page, page, PROT_READ | PROT_WRITE);
    dump("a", a, 3 * page);

    // Counted in what is added, and in indices: others each time.
    count(N / 2, idx, a + 2, a);
    dump("a", a, 3 * page);
    for (int i = 0; i < N; i++)
        a[i] = idx[i] % (N / 2);
    for (int i = 0; i < N; i++)
        with[i] = i % 7 == 0;
    count(N / 2, a, with, a + N / 4);
    dump("a", a, 3 * page);
    count(N / 2, a, a, idx);
    dump("idx", idx, sizeof idx);

    // An index that is not used may be any number.
    for (int i = 0; i < N; i++)
        idx[i] = i % 77;
    chosen(N, c, idx, a);
    for (int i = 0; i < N; i++)
        if (c[i] <= 0)
            idx[i] = i % 2 ? INT_MAX : INT_MIN;
    chosen(N, c, idx, a);
    dump("a", a, 3 * page);
    return harness_end();
}
