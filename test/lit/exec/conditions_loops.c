// Loops under conditions on data: the condition is asked inside of them, in
// kernels only.  Without a device the loops are under it as they were.
//
// RUN: %gpu_cc -mfma %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop masked {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel masked_{{.*}} launches=3
// CHECK-DAG: polygpu: scop sums {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel sums_{{.*}} launches=3
// CHECK-DAG: polygpu: scop largest {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel largest_{{.*}} launches=3
// CHECK-DAG: polygpu: scop both_ways {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel both_ways_{{.*}} launches=3
// CHECK-DAG: polygpu: scop other_way {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop once_at_least {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel once_at_least_{{.*}} launches=3
// CHECK-DAG: polygpu: scop inner {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel inner_{{.*}} launches=3
// CHECK-DAG: polygpu: scop cases {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop in_turn {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop either {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop gathered {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel gathered_{{.*}} launches=3
// CHECK-DAG: polygpu: scop sparse {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel sparse_{{.*}} launches=3
// CHECK-DAG: polygpu: scop columns {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop count {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop quotients {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel quotients_{{.*}} launches=3
// CHECK-DAG: polygpu: scop four {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel four_{{.*}} launches=2
// CHECK-DAG: polygpu: scop in_sequence {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop put_back {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop own_memory {{.*}} runs=3 declined=0 failed=0
#include "exec.h"

#include <math.h>

enum { N = 90, M = 57 };

static float a[N][M], b[N][M], x[N], y[N], z[N];
static int mask[N], kind[N], idx[N][M], row[N + 1], found[N], total[1];
static double d[N];

NOINLINE static void masked(int n, int m)
{
    for (int i = 0; i < n; i++) {
        if (mask[i] == 0)
            continue;
        for (int j = 0; j < m; j++)
            a[i][j] = 2 * b[i][j];
    }
}

NOINLINE static void sums(int n, int m, float limit)
{
    for (int i = 0; i < n; i++)
        if (x[i] > limit) {
            float s = 0;

            for (int j = 0; j < m; j++)
                s += b[i][j];
            y[i] = s;
        }
}

// A result of the loop, or what was there.
NOINLINE static void largest(int n, int m)
{
    for (int i = 0; i < n; i++) {
        float best = x[i];

        if (mask[i]) {
            best = -1;
            for (int j = 0; j < m; j++)
                if (b[i][j] > best)
                    best = b[i][j];
            z[i] = best * 2;
        }
        y[i] = best;
    }
}

NOINLINE static void both_ways(int n, int m)
{
    for (int i = 0; i < n; i++) {
        float s = 0, t = 1;

        if (x[i] > 0.2f) {
            for (int j = 0; j < m; j++) {
                s += b[i][j];
                t *= a[i][j];
            }
        } else {
            for (int j = 0; j < m; j++)
                s -= a[i][j] * t;
            z[i] = s;
        }
        y[i] = s + t;
    }
}

NOINLINE static void other_way(int n, int m)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 0.2f)
            y[i] = 1;
        else
            for (int j = 0; j < m; j++)
                a[i][j] /= x[i];
}

NOINLINE static void once_at_least(int n, int m)
{
    for (int i = 0; i < n; i++)
        if (mask[i]) {
            int j = 0;

            do {
                a[i][j] = b[i][j] * x[i];
            } while (++j < m);
        }
}

NOINLINE static void inner(int n, int m)
{
    for (int i = 0; i < n; i++)
        if (mask[i]) {
            int c = 0;

            for (int j = 0; j < m; j++)
                if (b[i][j] > 0.5f) {
                    a[i][j] = 1 / b[i][j];
                    c++;
                } else if (a[i][j] < 0) {
                    a[i][j] = sqrtf(-a[i][j]);
                }
            found[i] = c;
        }
}

NOINLINE static void cases(int n, int m)
{
    for (int i = 0; i < n; i++)
        switch (kind[i]) {
        case 0:
        case 3:
            for (int j = 0; j < m; j++)
                a[i][j] = 0;
            break;
        case 1:
            for (int j = 0; j < m; j++)
                a[i][j] += b[i][j];
            break;
        default:
            y[i] = 3;
        }
}

NOINLINE static void in_turn(int n, int m)
{
    for (int i = 0; i < n; i++)
        if (kind[i] == 0) {
            for (int j = 0; j < m; j++)
                a[i][j] = 0;
        } else if (x[i] > 0) {
            for (int j = 0; j < i; j++)
                found[i] += j < m;
        } else {
            y[i] = 3;
        }
}

NOINLINE static void either(int n, int m)
{
    for (int i = 0; i < n; i++)
        if (i == 3 || mask[i] || x[i] > 0) {
            y[i] = 0;
            for (int j = 0; j < m; j++)
                y[i] += b[i][j] * 2;
        } else {
            z[i] = x[i];
        }
}

NOINLINE static void gathered(int n, int m)
{
    for (int i = 0; i < n; i++)
        if (mask[i])
            for (int j = 0; j < m; j++)
                a[i][j] = x[idx[i][j]];
}

NOINLINE static void sparse(int n)
{
    for (int i = 0; i < n; i++)
        if (mask[i]) {
            double s = 0;

            for (int k = row[i]; k < row[i + 1]; k++)
                s += x[k];
            d[i] = s;
        }
}

NOINLINE static void columns(int n, int m)
{
    for (int i = 0; i < n; i++)
        if (mask[i])
            for (int j = 0; j < m; j++)
                y[j] += b[i][j];
}

NOINLINE static int count(int n, int m)
{
    int c = 0;

    for (int i = 0; i < n; i++)
        if (mask[i])
            for (int j = 0; j < m; j++)
                c += b[i][j] > 0 ? kind[i] : 1;
    return c;
}

// What is divided by is 0 where the condition does not hold.
NOINLINE static void quotients(int n, int m)
{
    for (int i = 0; i < n; i++)
        if (kind[i] != 0)
            for (int j = 0; j < m; j++)
                idx[i][j] = idx[i][j] % kind[i] + j / kind[i];
}

NOINLINE static void four(int n, int m)
{
    for (int i = 0; i < n; i++)
        if (mask[i])
            for (int j = 0; j < m; j++)
                if (b[i][j] > 0)
                    for (int k = 0; k < 5; k++) {
                        if (b[k][j] > 0) {
                            a[i][j] += b[k][j] * x[k];
                        } else if (b[k][j] < -0.2f) {
                            for (int l = 0; l < k; l++)
                                a[i][j] -= x[l];
                        }
                    }
}

// Each condition is computed from what the iteration before left.
NOINLINE static void in_sequence(int n, int m)
{
    for (int i = 1; i < n; i++)
        if (y[i - 1] > 0.1f)
            for (int j = 0; j < m; j++) {
                a[i][j] = a[i - 1][j] * 2;
                if (j == m - 1)
                    y[i] -= 0.2f;
            }
}

// A row of the iteration's own, written and read under the condition.
NOINLINE static void own_memory(int n, int m)
{
    float t[M];

    for (int i = 0; i < n; i++) {
        if (x[i] < 0 && z[i] < 0.5f)
            continue;
        for (int j = 0; j < m; j++)
            t[j] = b[i][j] * x[i];
        for (int j = 1; j < m; j++)
            a[i][j] = t[j] + t[j - 1];
    }
}

// Time steps are under their condition still: each of them is a nest.
NOINLINE static void steps(int t, int n)
{
    for (int s = 0; s < t; s++)
        if (mask[s])
            for (int i = 1; i < n - 1; i++)
                y[i] = 0.5f * (z[i - 1] + z[i + 1]);
}

// The first loop stays, since it calls something: in the copy of the function that
// runs the second one it is as it was.
NOINLINE static float put_back(int n, int m)
{
    float last = 1;

    for (int i = 0; i < n; i++) {
        float t = 1.25f;

        if (x[i] > 0)
            for (int k = 1; k < 5; k++) {
                if (b[i][k] > y[i]) {
                    for (int l = 0; l < m; l++)
                        t = sqrtf(fabsf(b[i][l])) + last;
                } else {
                    t = b[i][k] + last;
                }
            }
        else
            for (int k = 0; k < m; k++)
                t += b[i][k];
        last = last * 0.5f + t + (float)harness_random();
    }
    for (int i = 0; i < n; i++)
        z[i] = 2 * x[i];
    return last;
}

static int positive(void)
{
    unsigned u;

    random_bits(&u, sizeof u);
    return (int)(u % 10000);
}

static void start(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = (float)(harness_random() - 0.1 * (i % 3));
        y[i] = (float)harness_random();
        z[i] = (float)harness_random();
        mask[i] = positive() % 2;
        kind[i] = positive() % 4;
        row[i + 1] = row[i] + positive() % (i + 2 - row[i]);
        for (int j = 0; j < M; j++) {
            b[i][j] = (float)harness_random();
            idx[i][j] = positive() % N;
        }
    }
    poison(a, sizeof a);
    poison(d, sizeof d);
    random_bits(found, sizeof found);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j += 2)
            a[i][j] = (float)harness_random();
    total[0] = 7;
}

static void show(void)
{
    dump("a", a, sizeof a);
    dump("y", y, sizeof y);
    dump("z", z, sizeof z);
    dump("d", d, sizeof d);
    dump("idx", idx, sizeof idx);
    dump("found", found, sizeof found);
    dump("total", total, sizeof total);
}

#define RUN(call)                                                              \
    do {                                                                       \
        start();                                                               \
        call;                                                                  \
        show();                                                                \
    } while (0)

static void all(int n, int m)
{
    RUN(masked(n, m));
    RUN(sums(n, m, 0.25f));
    RUN(largest(n, m));
    RUN(both_ways(n, m));
    RUN(other_way(n, m));
    RUN(once_at_least(n, m));
    RUN(inner(n, m));
    RUN(cases(n, m));
    RUN(in_turn(n, m));
    RUN(either(n, m));
    RUN(gathered(n, m));
    RUN(sparse(n));
    RUN(columns(n, m));
    RUN(total[0] = count(n, m));
    RUN(quotients(n, m));
    if (n > 4)
        RUN(four(n, m));
    RUN(in_sequence(n + 1, m));
    RUN(own_memory(n, m));
    RUN(steps(n < 9 ? n : 9, N));
    RUN(y[0] = put_back(n, m));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    all(N - 1, M);
    all(37, 1);
    all(1, 2);
    masked(0, 0);
    masked(N, 0);
    return harness_end();
}
