// What is compared at run time of arrays that may overlap has to hold all
// accesses, also if some happen for few values of the parameters.  Of two
// through one pointer value Polly took the last, and it forgot to compare what
// may not happen together with the first of several with what may.  Called on
// arrays that are apart, the same code is offloaded.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref apart
// RUN: %run_gpu %t.gpu apart 2>&1 | %FileCheck --check-prefix=APART %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref overlap
// RUN: %run_auto %t.gpu overlap 2>&1 | %FileCheck --check-prefix=OVERLAP %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// APART: polygpu: scop read_again {{.*}} runs=1 declined=0 failed=0
// APART: polygpu: kernel read_again{{.*}} launches=1
// APART: polygpu: scop written_again {{.*}} runs=1 declined=0 failed=0
// APART: polygpu: kernel written_again{{.*}} launches=1
// APART: polygpu: scop one_of_two {{.*}} runs=2 declined=0 failed=0
// APART: polygpu: kernel one_of_two{{.*}} launches=1
// OVERLAP: polygpu: scop read_again {{.*}} runs=0 declined=1 failed=0
// OVERLAP: polygpu: scop written_again {{.*}} runs=0 declined=1 failed=0
// OVERLAP: polygpu: scop one_of_two {{.*}} runs=0 declined=2 failed=0
#include "exec.h"

#include <string.h>

enum { N = 400 };

static float a[N], b[N], c[N];

NOINLINE static void read_again(int n, int m, float *to, const float *from,
                                float *some)
{
    for (int i = 0; i < n; i++) {
        to[i] = 2 * from[i] + 1;
        if (i < m)
            some[i] = from[i];
    }
}

NOINLINE static void written_again(int n, int m, float *to, const float *from)
{
    for (int i = 0; i < n; i++) {
        to[i] = from[i] + 1;
        if (i < m)
            to[i] += i;
    }
}

NOINLINE static void one_of_two(int n, int m, float *first, float *second,
                                float *always)
{
    for (int i = 0; i < n; i++) {
        if (m > 0)
            first[i] = 2 * i;
        else
            second[i] = 3 * i;
        always[i] = 5 * i;
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    int overlap = !strcmp(argv[1], "overlap");
    harness_fill(a, N, sizeof *a);
    harness_fill(b, N, sizeof *b);
    harness_fill(c, N, sizeof *c);
    read_again(N / 2, 3, overlap ? a + 5 : b, a, c);
    dump("read again", a, sizeof a);
    written_again(N / 2, 3, overlap ? a + 5 : b, a);
    dump("written again", a, sizeof a);
    one_of_two(N / 2, 0, c, a, overlap ? a + 1 : b);
    one_of_two(N / 2, 1, a, c, overlap ? a + 1 : b);
    dump("one of two", a, sizeof a);
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    return harness_end();
}
