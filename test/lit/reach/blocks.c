// Rows that are set and copied as blocks of memory, in nests with loops, and
// structures that are assigned as a whole.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck --implicit-check-not="grid=1,1,1 block=1,1,1" %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: kernel
#include "reach.h"

#include <string.h>

enum { MOST = 2000 };

static float a[MOST], b[MOST], c[MOST];
static int numbers[MOST];
static double wide[20][64], from[20][64];

// == blocks of memory: memset of rows

SHAPE void rows_of_zeros(int n, int m, float *a)
{
    for (int i = 0; i < n; i++)
        memset(a + i * m, 0, m * sizeof *a);
}

SHAPE void rows_of_ones(int n, int m, int *a)
{
    for (int i = 0; i < n; i++)
        memset(a + i * m, 255, m * sizeof *a);
}

// == blocks of memory: memcpy of rows

SHAPE void copied_rows(int n, int m, float *a, const float *b)
{
    for (int i = 0; i < n; i++)
        memcpy(a + i * m, b + i * m, m * sizeof *a);
}

SHAPE void copied_and_doubled(int n, int m, float *a, const float *b)
{
    for (int i = 0; i < n; i++) {
        memcpy(a + i * m, b + i * m, m * sizeof *a);
        for (int j = 0; j < m; j++)
            a[i * m + j] *= 2;
    }
}

SHAPE void known_rows(int n, double (*a)[64], double (*b)[64])
{
    for (int i = 0; i < n; i++)
        memcpy(a[i], b[n - 1 - i], sizeof a[i]);
}

// == blocks of memory: memset before sums

SHAPE void product(int n, int m, int l, float *c, const float *a,
                   const float *b)
{
    for (int i = 0; i < n; i++) {
        memset(c + i * m, 0, m * sizeof(float));
        for (int k = 0; k < l; k++)
            for (int j = 0; j < m; j++)
                c[i * m + j] += a[i * l + k] * b[k * m + j];
    }
}

struct complex {
    double re, im;
};

struct particle {
    float x[3];
    int kind;
    long number;
};

static struct complex z[20][16], w[20][16];
static struct particle p[400], q[400];

SHAPE void structures(int n, int m, struct complex (*z)[16],
                      struct complex (*w)[16])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            z[i][j] = w[i][j];
}

SHAPE void transposed_structures(int n, struct complex (*z)[16],
                                 struct complex (*w)[16])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            z[j][i] = w[i][j];
}

SHAPE void turned_and_copied(int n, int m, struct complex (*z)[16],
                             struct complex (*w)[16])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            struct complex a = w[i][j];
            double re = a.re;
            a.re = -a.im;
            a.im = re;
            w[i][j] = a;
            z[i][j] = w[i][j];
        }
}

SHAPE void swapped_structures(int n, struct particle *p)
{
    for (int i = 0; i < n; i++) {
        struct particle first = p[i];
        p[i] = p[2 * n - 1 - i];
        p[2 * n - 1 - i] = first;
    }
}

SHAPE void moved(int n, struct particle *p, const struct particle *q)
{
    for (int i = 0; i < n; i++) {
        p[i] = q[n - 1 - i];
        p[i].kind += 1;
    }
}

// == blocks of memory: memmove of rows

SHAPE void moved_rows(int n, int m, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++)
        memmove(a + i * m, b + i * m, m * sizeof *a);
}

SHAPE void moved_between(int n, int m)
{
    for (int i = 0; i < n; i++)
        memmove(wide[i], from[n - 1 - i], m * sizeof wide[0][0]);
}

SHAPE void to_the_front(int n, int m, float *a)
{
    for (int i = 0; i < n; i++)
        memmove(a + i * m, a + i * m + 1, (m - 1) * sizeof *a);
}

// As a loop it would have to begin at the last element.
REFUSED("loop not offloaded: a subscript of an array in line here+1 is no affine "
        "function of loop counters and parameters (it depends on data, "
        "multiplies counters, or may wrap around); use sums of counters times "
        "constants, and signed or size_t counters")
void to_the_back(int n, int m, float *a)
{
    for (int i = 0; i < n; i++) // here
        memmove(a + i * m + 1, a + i * m, (m - 1) * sizeof *a);
}

static void run_structures(int n, int m)
{
    harness_fill(&w[0][0].re, 20 * 16 * 2, sizeof(double));
    harness_fill(&q[0].x[0], sizeof q / sizeof(float), sizeof(float));
    harness_fill(&p[0].x[0], sizeof p / sizeof(float), sizeof(float));
    swapped_structures(n * m < 200 ? n * m : 200, p);
    dump("swapped", p, sizeof p);
    RUN(z, structures(n, m, z, w));
    RUN(z, transposed_structures(n < m ? n : m, z, w));
    RUN(z, turned_and_copied(n, m, z, w));
    dump("turned", w, sizeof w);
    RUN(p, moved(n * m, p, q));
}

static void run(int n, int m)
{
    harness_fill(b, MOST, sizeof *b);
    harness_fill(c, MOST, sizeof *c);
    harness_fill(from, 20 * 64, sizeof from[0][0]);
    RUN(a, rows_of_zeros(n, m, a));
    RUN(numbers, rows_of_ones(n, m, numbers));
    RUN(a, copied_rows(n, m, a, b));
    RUN(a, copied_and_doubled(n, m, a, b));
    RUN(wide, known_rows(n, wide, from));
    RUN(a, product(n, m, n, a, b, c));
    RUN(a, moved_rows(n, m, a, b));
    RUN(wide, moved_between(n, m));
    if (m > 0) {
        FLOATS(a, to_the_front(n, m, a));
        FLOATS(a, to_the_back(n, m, a));
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(19, 33);
    run(1, 1);
    run(3, 0);
    run(0, 3);
    run_structures(13, 15);
    run_structures(16, 16);
    run_structures(1, 1);
    run_structures(0, 2);
    return harness_end();
}
