// Variables that are set to one constant where something else is written, like
// "one more step is needed".
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <stdbool.h>

enum { N = 230 };

static int a[N], b[N], c[N];
static bool now[N], next[N], seen[N];

// == conditional reductions: set where something is written

// The second half of a breadth-first search.
SHAPE bool reached(int n, bool *now, bool *next, bool *seen)
{
    bool more = false;

    for (int i = 0; i < n; i++)
        if (next[i]) {
            now[i] = true;
            seen[i] = true;
            more = true;
            next[i] = false;
        }
    return more;
}

SHAPE int lowered(int n, int *a, const int *b)
{
    int changed = -3;

    for (int i = 0; i < n; i++)
        if (b[i] < a[i]) {
            a[i] = b[i];
            changed = 8;
        }
    return changed;
}

SHAPE double unless(int n, int *a, const int *b, double before)
{
    double kept = before;

    for (int i = 0; i < n; i++) {
        if (b[i] < 60)
            continue;
        a[i] = b[i];
        kept = 0.5;
    }
    return kept;
}

SHAPE bool either(int n, int *a, const int *b)
{
    bool any = false;

    for (int i = 0; i < n; i++)
        if (b[i] > 98) {
            a[i] = 1;
            any = true;
        } else {
            a[i] = 2;
        }
    return any;
}

// What it is set to is not always the same.
REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel (the loops write 'last', 'a'); write "
        "results to an array that the loop does not read, or use one element "
        "per iteration instead of one scalar")
int last_one(int n, int *a, const int *b)
{
    int last = -1;

    for (int i = 0; i < n; i++) // here
        if (b[i] > 50) {
            a[i] = 0;
            last = i;
        }
    return last;
}

static void all(int n)
{
    for (int limit = 0; limit < 3; limit++) {
        for (int i = 0; i < N; i++) {
            next[i] = limit && c[i] % limit == 0;
            seen[i] = now[i] = false;
            b[i] = limit == 2 ? 20 : c[i];
        }
        RESULT(reached(n, now, next, seen));
        dump("now", now, sizeof now);
        dump("next", next, sizeof next);
        dump("seen", seen, sizeof seen);
        INTEGERS(a, c[0] += lowered(n, a, b));
        RESULT(lowered(n, a, b));
        INTEGERS(a, c[1] += unless(n, a, b, 7) > 1);
        RESULT(unless(n, a, b, -0.0));
        RESULT(either(n, a, b));
        dump("a", a, sizeof a);
        INTEGERS(a, c[3] += last_one(n, a, b));
    }
    dump("c", c, sizeof c);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++)
        c[i] = (int)((harness_random() + 1.5) * 33.0);
    all(N);
    all(1);
    all(0);
    return harness_end();
}
