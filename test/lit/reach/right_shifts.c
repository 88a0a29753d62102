// Halves and quarters by a shift to the right of a number whose sign nobody knows
// there: n >> 1 is half of n.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu \
// RUN:     -Rpass-analysis=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Nothing has to be asked at run time for the parts to be apart.
// REMARK-NOT: runs on the device if {{.*}}a computed value
#include "reach.h"

enum { MOST = 4099 };

static float a[MOST], b[MOST];

// == halves and quarters: both halves of an array, from their ends

SHAPE void reverse(int n, float *x)
{
    int half = n >> 1;

    for (int i = 0; i < half; i++) {
        float t = x[i];

        x[i] = x[n - 1 - i];
        x[n - 1 - i] = 2 * t;
    }
}

// == halves and quarters: butterflies of a Fourier transform

SHAPE void butterflies(int n, int m, const float *restrict w, float *x)
{
    float *x1 = x + n - 8, *x2 = x + (n >> 1) - 8;

    for (int i = 0; i < n / 16; i++) {
#define PAIR(p, q)                                                             \
    do {                                                                       \
        float r0 = x1[p] - x2[p], r1 = x1[q] - x2[q];                          \
                                                                               \
        x1[p] += x2[p];                                                        \
        x1[q] += x2[q];                                                        \
        x2[p] = r1 * w[1] + r0 * w[0];                                         \
        x2[q] = r1 * w[0] - r0 * w[1];                                         \
        w += m;                                                                \
    } while (0)
        PAIR(6, 7);
        PAIR(4, 5);
        PAIR(2, 3);
        PAIR(0, 1);
        x1 -= 8;
        x2 -= 8;
    }
}

// == halves and quarters: the four quarters of an array

SHAPE void quarters(long n, float *x)
{
    long part = n >> 2;

    for (long i = 0; i < part; i++) {
        float s = x[i] + x[i + 2 * part], d = x[i] - x[i + 2 * part];
        float t = x[i + part] + x[i + 3 * part];

        x[i] = s + t;
        x[i + part] = d;
        x[i + 2 * part] = s - t;
        x[i + 3 * part] = d * t;
    }
}

static void run(int n, int m)
{
    harness_fill(b, MOST, sizeof *b);
    FLOATS(a, reverse(n, a));
    FLOATS(a, butterflies(n, m, b, a));
    FLOATS(a, quarters(n, a));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(4096, 3);
    run(4099, 2);
    run(63, 4);
    return harness_end();
}
