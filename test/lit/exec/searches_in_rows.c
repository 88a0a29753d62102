// A search in each row that leaves the row, not the loop of rows: what its
// result is where nothing is found is known from before the inner loop, which is
// always entered, as a value of the row, a parameter, or that of the row before.  With debug
// information a counter that is updated beside a call has no value in the
// function of its update.
//
// RUN: %gpu_cc -g %s %harness -o %t.gpu -Rpass-missed=gpu-polyhedral \
// RUN:   2> %t.remarks
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck --check-prefix=REMARKS %s --implicit-check-not=polygpu. \
// RUN:   < %t.remarks
//
// CHECK-DAG: polygpu: scop of_the_row {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel of_the_row_{{.*}} launches=1
// CHECK-DAG: polygpu: scop of_all {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel of_all_{{.*}} launches=1
// CHECK-DAG: polygpu: scop beside_call {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel beside_call_{{.*}} launches=1
// REMARKS: (the loops write 'ok')
// REMARKS-NOT: please report
#include "exec.h"

enum { N = 40, M = 33 };

static float a[N][M], b[N][M];
static int first[N], place[N], other[N];
static double sums[N], rest[N];
static float found[N];

NOINLINE static void of_the_row(int n, float x)
{
    for (int i = 0; i < n; i++) {
        int at = first[i];
        for (int j = 0; j < M; j++)
            if (a[i][j] > x) {
                at = j;
                break;
            }
        place[i] = at;
    }
}

NOINLINE static void of_all(int n, int none, float x)
{
    for (int i = 0; i < n; i++) {
        int at = none;
        float value = x;
        for (int j = 0; j < M; j++)
            if (a[i][j] > b[i][j]) {
                at = 2 * j;
                value = a[i][j];
                break;
            }
        other[i] = at;
        found[i] = value;
    }
}

NOINLINE static int all_equal(int n)
{
    int ok = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++)
            if (a[i][j] != b[i][j]) {
                ok = 0;
                break;
            }
    return ok;
}

static void next(int n, int *flag)
{
    *flag += first[*flag % n] > 3;
}

/* The condition of the second nest moves into its loop, and back. */
NOINLINE static double beside_call(int n, int m, void (*call)(int, int *),
                                   double scale, const double *x)
{
    int flag = 2;
    double most = 0;
    for (int i = 0; i < m; i++) {
        call(n, &flag);
        if (flag < 0)
            return 0;
        flag = flag + 1;
    }
    for (int i = 0; i < n; i++) {
        int at = first[i] + 1;
        if (x[at] != 0) {
            double sum = 0;
            for (int j = 0; j <= i; j++)
                sum = sum + x[j] * (rest[j] / scale);
            double value = sum / x[at];
            most = most > value ? most : value;
        }
    }
    for (int i = 0; i < n; i++)
        sums[i] = x[i] * 2;
    return flag + most;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * M, sizeof(float));
    harness_fill(b, N * M, sizeof(float));
    harness_fill(rest, N, sizeof(double));
    for (int i = 0; i < N; i++)
        first[i] = i % 7;
    for (int j = 0; j < M; j++)
        a[3][j] = -1000;
    int result[2] = {all_equal(N)};
    of_the_row(N, 0.5f);
    of_all(N, -5, 0.25f);
    double number = beside_call(N, N, next, 1.5, rest);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            b[i][j] = a[i][j];
    result[1] = all_equal(N);
    dump("result", result, sizeof result);
    dump("number", &number, sizeof number);
    dump("place", place, sizeof place);
    dump("other", other, sizeof other);
    dump("found", found, sizeof found);
    dump("sums", sums, sizeof sums);
    return harness_end();
}
