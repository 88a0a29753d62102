// Conditions on data around loops, in shapes that other programs have: three of
// them inside each other, of which the loops in the middle are no nest; a
// number that is shorter behind the condition than in the loop; and a loop that
// compares two results, with a sum in order and whether all are near.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop spread {{.*}} declined=0 failed=0
// CHECK-DAG: scop residues {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel residues_{{.*}} launches=1
// CHECK-DAG: scop near {{.*}} runs=2 declined=0 failed=0
#include "exec.h"

enum { N = 19, M = 23, SETS = 7 };

/* Which rows a set has is read again in each iteration. */
NOINLINE static void spread(int m, int n, int first, const float *on, float *to,
                            float **sums, const int *count, const float *values)
{
    for (int i = 0; i < SETS; i++) {
        if (!count[i])
            continue;
        for (int k = 0; k < n; k++) {
            float v = on[i * (n + 1) + 1 + k];

            if (v != 0) {
                for (int j = 0; j < SETS; j++) {
                    if (!count[j])
                        continue;
                    for (int l = 0; l < m; l++) {
                        int at = (first + l) * n + k;
                        float diff = sums[j][l] - values[at];

                        if (i == j)
                            to[at] += diff < 0 ? -0.125f : 0.25f;
                        else
                            to[at] += -(diff < 0 ? -0.5f : 0.0625f);
                    }
                }
            }
        }
    }
}

/* x * y modulo m, bit by bit. */
static unsigned long times(unsigned long x, unsigned long y, unsigned long m)
{
    unsigned long r = 0;

    if (x >= m)
        x %= m;
    if (x < y) {
        unsigned long smaller = x;

        x = y;
        y = smaller;
    }
    for (int bit = 63; bit >= 0; bit--) {
        if (r > ~0ul / 2)
            r = m - 2 * (m - r);
        else
            r *= 2;
        if (y >> bit & 1) {
            if (r > ~0ul - x)
                r += x - m;
            else
                r += x;
        }
        r %= m;
    }
    return r;
}

NOINLINE static void residues(int n, const unsigned long *x, unsigned *to)
{
    for (int i = 0; i < n; i++) {
        unsigned r = 0;

        if (x[i])
            r = (unsigned)times(x[i], 0xfedcba9876543211ul,
                                0xffffffff00000001ul);
        to[i] = r;
    }
}

static float results[8];
static int n_result;

APART void take(float value)
{
    results[n_result++] = value;
}

APART void tell(const char *text)
{
    results[n_result++] = text[0];
}

NOINLINE static void near(int n, int m, int k, const float *a, const float *b)
{
    int i, j, l;
    _Bool all = 1;
    float sum = 0;

    for (l = 0; l < k; l++)
        for (j = 0; j < m; j++)
            for (i = 0; i < n; i++) {
                int at = i + j * n + l * n * m;

                sum += (a[at] - b[at]) * (a[at] - b[at]);
                if (__builtin_fabsf(a[at] - b[at]) > 1e-3f)
                    all = 0;
            }
    take(sum / n * m * k);
    tell(all ? "near" : "far");
}

enum { ALL = (N + 1) * (M + 1) * SETS };

static float on[ALL], to[ALL], rows[SETS][M], values[ALL], a[ALL], b[ALL];

int main(int argc, char **argv)
{
    float *sums[SETS];
    int count[SETS] = {1, 2, 0, 4, 0, 1, 1};
    unsigned long x[N * M];
    unsigned r[N * M];

    harness_start(argc, argv);
    harness_fill(on, ALL, sizeof *on);
    harness_fill(to, ALL, sizeof *to);
    harness_fill(rows, SETS * M, sizeof **rows);
    harness_fill(values, ALL, sizeof *values);
    harness_fill(a, ALL, sizeof *a);
    harness_fill(b, ALL, sizeof *b);
    random_bits(x, sizeof x);
    poison(r, sizeof r);
    for (int i = 0; i < SETS; i++)
        sums[i] = rows[i];
    for (int i = 0; i < N * M; i += 5)
        x[i] = 0;
    for (int i = 0; i < ALL; i += 3)
        on[i] = 0;
    spread(M, N, 1, on, to, sums, count, values);
    dump_float("spread", to, ALL);
    residues(N * M, x, r);
    dump("residues", r, sizeof r);
    near(M, N, SETS, a, b);
    near(N, M, SETS - 1, a, a);
    dump_float("near", results, 4);
    return harness_end();
}
