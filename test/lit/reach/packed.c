// Triangles whose rows are stored one behind the other: row i begins at
// i * (i + 1) / 2, which is a number for the loop over the row.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: kernel
#include "reach.h"

enum { MOST = 2000 };

static double p[MOST], x[MOST], y[MOST];

// == subscripts: rows of packed triangles

IN_PART("loop not offloaded: a subscript of 'p' in line here+4 is no affine "
        "function of loop counters and parameters (it multiplies two counters); "
        "use sums of counters times constants, and signed or size_t counters")
void lower(int n, double *p, const double *x)
{
    for (int i = 0; i < n; i++) { // here
        const double factor = 1.5 * x[i];

        for (int j = 0; j <= i; j++)
            p[i * (i + 1) / 2 + j] += x[j] * factor;
    }
}

IN_PART("loop not offloaded: a subscript of 'p' in line here+4 is no affine "
        "function of loop counters and parameters (it multiplies two counters); "
        "use sums of counters times constants, and signed or size_t counters")
void upper(int n, double *p, const double *x)
{
    for (int i = 0; i < n; i++) { // here
        const double factor = 1.5 * x[i];

        for (int j = i; j < n; j++)
            p[i * (2 * n - i + 1) / 2 + j - i] += x[j] * factor;
    }
}

IN_PART("loop not offloaded: a subscript of 'p' in line here+2 is no affine "
        "function of loop counters and parameters (it multiplies two counters); "
        "use sums of counters times constants, and signed or size_t counters")
void of_two(int n, double *p, const double *x, const double *y)
{
    for (int i = 0; i < n; i++) { // here
        for (int j = 0; j <= i; j++)
            p[i * (i + 1) / 2 + j] = x[i] * y[j] + x[j] * y[i];
    }
}

static void run(int n)
{
    harness_fill(x, MOST, sizeof *x);
    harness_fill(y, MOST, sizeof *y);
    FLOATS(p, lower(n, p, x));
    FLOATS(p, upper(n, p, x));
    RUN(p, of_two(n, p, x, y));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(40);
    run(33);
    run(2);
    run(1);
    run(0);
    return harness_end();
}
