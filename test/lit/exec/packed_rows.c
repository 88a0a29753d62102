// Packed triangles whose rows begin at a number that grows from row to row, as
// the BLAS has them: products with all of the triangle are whole nests, updates
// of its rows one nest each.  A number of 32 bits that wraps around on the way,
// or between two rows, is another place than the sum: such runs stay on the
// host.
//
// RUN: %gpu_cc %s %harness -o %t.gpu -Rpass=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK-DAG: loops offloaded as {{[0-9]}} kernels: lower_
// REMARK-DAG: loops offloaded as {{[0-9]}} kernels: upper_
// CHECK-DAG: scop lower {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: kernel lower_{{[0-9]+}}_{{.*}} launches={{[1-9]}}
// CHECK-DAG: scop upper {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: kernel upper_{{[0-9]+}}_{{.*}} launches={{[1-9]}}
// CHECK-DAG: scop update_lower {{.*}} runs=99 declined=0 failed=0
// CHECK-DAG: kernel update_lower_{{.*}} launches=99
// CHECK-DAG: scop update_upper {{.*}} runs=99 declined=0 failed=0
// CHECK-DAG: kernel update_upper_{{.*}} launches=99
// CHECK-DAG: scop sums {{.*}} runs=5 declined=4 failed=0
// CHECK-DAG: kernel sums_{{.*}} launches=5
// CHECK-DAG: scop set {{.*}} failed=0
// CHECK-DAG: kernel set_{{.*}} launches={{[1-9]}}
#include "exec.h"

#include <stdlib.h>
#include <sys/mman.h>

NOINLINE static void lower(int n, double alpha, const double *restrict a,
                           const double *restrict x, double *restrict y)
{
    int row = 0;

    for (int j = 0; j < n; j++) {
        double own = alpha * x[j], sum = 0;

        y[j] += own * a[row];
        for (int i = j + 1, k = row + 1; i < n; i++, k++) {
            y[i] += own * a[k];
            sum += a[k] * x[i];
        }
        y[j] += alpha * sum;
        row += n - j;
    }
}

NOINLINE static void upper(int n, double alpha, const double *restrict a,
                           const double *restrict x, double *restrict y)
{
    int row = 0;

    for (int j = 0; j < n; j++) {
        double own = alpha * x[j], sum = 0;

        for (int i = 0; i < j; i++) {
            y[i] += own * a[row + i];
            sum += a[row + i] * x[i];
        }
        y[j] += own * a[row + j] + alpha * sum;
        row += j + 1;
    }
}

NOINLINE static void update_lower(int n, const double *restrict x,
                                  double *restrict a)
{
    int row = 0;

    for (int j = 0; j < n; j++) {
        double own = 0.5 * x[j];

        for (int i = j, k = row; i < n; i++)
            a[k++] += x[i] * own;
        row += n - j;
    }
}

NOINLINE static void update_upper(int n, const double *restrict x,
                                  double *restrict a)
{
    unsigned row = 0;

    for (int j = 0; j < n; j++) {
        double own = 0.5 * x[j];

        for (int i = 0; i <= j; i++)
            a[row + (unsigned)i] += x[i] * own;
        row += (unsigned)j + 1;
    }
}

/* Rows of which the first one begins anywhere, behind 2^31 - 1 is -2^31. */
NOINLINE static void sums(int n, unsigned row, const signed char *restrict a,
                          int *restrict y)
{
    for (int j = 0; j < n; j++) {
        y[j] = 0;
        for (int i = j; i < n; i++)
            y[j] += a[(int)(row + (unsigned)(i - j))];
        row += (unsigned)(n - j);
    }
}

NOINLINE static void set(int n, unsigned row, const signed char *restrict x,
                         signed char *restrict a)
{
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++)
            a[(int)(row + (unsigned)(i - j))] = x[i];
        row += (unsigned)(n - j);
    }
}

HOST double *drawn(int n)
{
    double *a = malloc((size_t)n * sizeof *a);

    for (int i = 0; i < n; i++)
        a[i] = harness_random();
    return a;
}

HOST void run(int n)
{
    int size = n * (n + 1) / 2;
    double *a = drawn(size), *x = drawn(n), *y = drawn(n), *z = drawn(n);

    lower(n, 0.75, a, x, y);
    upper(n, 0.75, a, x, z);
    dump("lower", y, (size_t)n * sizeof *y);
    dump("upper", z, (size_t)n * sizeof *z);
    update_lower(n, x, a);
    dump("update_lower", a, (size_t)size * sizeof *a);
    update_upper(n, x, a);
    dump("update_upper", a, (size_t)size * sizeof *a);
    free(a);
    free(x);
    free(y);
    free(z);
}

enum { Rows = 16, Bytes = 1 << 12 };

/* Of 2^32 bytes around "a". */
HOST void run_anywhere(signed char *a, unsigned row)
{
    const size_t half = (size_t)1 << 31;
    signed char x[Rows];
    int y[Rows];

    random_bits(x, Rows);
    random_bits(a - half, Bytes);
    random_bits(a - Bytes, 2 * (size_t)Bytes);
    random_bits(a + half - Bytes, Bytes);
    sums(Rows, row, a, y);
    dump("sums", y, sizeof y);
    set(Rows, row, x, a);
    dump("lowest", a - half, Bytes);
    dump("middle", a - Bytes, 2 * (size_t)Bytes);
    dump("highest", a + half - Bytes, Bytes);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 1, 2, 3, 20, 33, 40};
    static const unsigned rows[] = {0,           100,         -136u,
                                    -70u,        0x7ffffe00u, 0x7fffff78u,
                                    0x7fffff79u, 0x7fffffc0u, 0x7fffffffu};
    const size_t all = (size_t)1 << 32;

    harness_start(argc, argv);
    for (int i = 0; i < 7; i++)
        run(sizes[i]);
    signed char *a = mmap(NULL, all, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (a == MAP_FAILED)
        return 1;
    for (int i = 0; i < 9; i++)
        run_anywhere(a + all / 2, rows[i]);
    return harness_end();
}
