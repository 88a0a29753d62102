// Matrices as arrays of pointers to their rows.  Where rows are at one
// distance, loops over them are those over a matrix: products, stencils in
// time, an elimination, triangles, rows behind members of structures, rows of
// bytes, which may be the pointers for all that types say, and what is done
// before and behind on the host.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.ref.dump %t.ref others
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_COST=off \
// RUN:     POLYGPU_PROFILE=lines POLYGPU_DEBUG=1 POLYGPU_DEVICE=emulated \
// RUN:     %t.gpu others 2>&1 | %FileCheck %s --check-prefix=DECLINED
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEBUG=1 \
// RUN:     POLYGPU_DEVICE=emulated %t.gpu others 2>&1 | \
// RUN:     %FileCheck %s --check-prefix=FEW
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop product {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel product_{{.*}} launches=2
// CHECK-DAG: scop steps {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: scop exchanged {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: scop eliminate {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: scop triangle {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel triangle_{{.*}} launches=2
// CHECK-DAG: scop members {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel members_{{.*}} launches=2
// CHECK-DAG: scop downwards {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel downwards_{{.*}} launches=2
// CHECK-DAG: scop picture {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel picture_{{.*}} launches=2
// CHECK-DAG: scop packed {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel packed_{{.*}} launches=2
// CHECK-DAG: scop planes {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel planes_{{.*}} launches=2
// CHECK-DAG: scop from_third {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel from_third_{{.*}} launches=2
//
// Rows in another order, one after another in two matrices, some that are not
// there, pointers that are not there, rows that hold pointers. One row by
// itself is a matrix.
// DECLINED-DAG: scop reordered {{.*}} runs=0 declined=1 failed=0
// DECLINED-DAG: scop some {{.*}} runs=0 declined=2 failed=0
// DECLINED-DAG: scop alone {{.*}} runs=1 declined=0 failed=0
// DECLINED-DAG: not offloaded: 'a' overlaps the pointers in 'a'
// DECLINED-DAG: scop bytes {{.*}} runs=1 declined=1 failed=0
// DECLINED-DAG: scop turned {{.*}} runs=2 declined=2 failed=0
//
// Where runs have to be worth it, so few iterations are not worth a look.
// FEW: alone {{.*}} not offloaded: {{.*}} too little to do to look at them
#include "exec.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { N = 37, M = 45 };

/* Rows of a block, with "gap" elements between. */
HOST double **matrix(int n, int m, int gap)
{
    double **a = malloc((size_t)n * sizeof *a);
    double *all = malloc((size_t)n * (size_t)(m + gap) * sizeof *all);

    for (int i = 0; i < n; i++) {
        a[i] = all + (size_t)i * (size_t)(m + gap);
        harness_fill(a[i], (size_t)m, sizeof *all);
        poison(a[i] + m, (size_t)gap * sizeof *all);
    }
    return a;
}

HOST void show(const char *name, double **a, int n, int m)
{
    for (int i = 0; i < n; i++)
        harness_dump(name, a[i], (size_t)m, sizeof **a);
}

NOINLINE static void product(double **c, double **a, double **b, int n, int m,
                             int k)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;

            for (int l = 0; l < k; l++)
                s += a[i][l] * b[l][j];
            c[i][j] = s;
        }
}

NOINLINE static void steps(double **a, double **b, int t, int n, int m)
{
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = a[i][j] + 0.125 * (a[i - 1][j] - 2 * a[i][j] +
                                             a[i + 1][j] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
}

NOINLINE static void exchanged(double **a, double **b, int t, int n, int m)
{
    for (int s = 0; s < t; s++) {
        double **was = a;

        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] +
                                  a[i][j + 1]);
        a = b;
        b = was;
    }
}

NOINLINE static void eliminate(double **a, int n)
{
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++)
            a[i][k] /= a[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
    }
}

NOINLINE static void triangle(double **restrict a, double **restrict b, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            b[i][j] = a[j][i] + a[i][n - 1 - j];
}

struct row {
    int at;
    double *value;
    const char *name;
};

struct table {
    long n, m;
    struct row *rows;
};

NOINLINE static void members(struct table *t, double x)
{
    for (long i = 0; i < t->n; i++)
        for (long j = 0; j < t->m; j++)
            t->rows[i].value[j] *= x;
}

NOINLINE static void downwards(double **a, unsigned n, unsigned m)
{
    for (unsigned i = n; i-- > 0;)
        for (unsigned j = m; j-- > 0;)
            a[i][j] += 1;
}

NOINLINE static void picture(unsigned char **to, unsigned char **from, int h,
                             int w)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 0; x < w; x++)
            to[y][x] = (unsigned char)((from[y - 1][x] + from[y + 1][x]) / 2);
}

NOINLINE static void packed(unsigned char *to, unsigned char **from, int h,
                            int w)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            to[y * w + x] = from[y][x] ^ 5;
}

NOINLINE static void planes(float ***a, float ***b, int n, int m, int k)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int l = 0; l < k; l++)
                b[i][j][l] = a[i - 1][j][l] + a[i + 1][j][l] + a[i][j - 1][l] +
                             a[i][j + 1][l];
}

/* The first rows are not used, and need not be where others say. */
NOINLINE static void from_third(double **a, int n, int m)
{
    for (int i = 2; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] -= 0.5;
}

NOINLINE static void reordered(double **a, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] *= 3;
}

NOINLINE static void some(double **a, int n, int last, int m)
{
    for (int i = 0; i < n; i++)
        if (i < last)
            for (int j = 0; j < m; j++)
                a[i][j] *= 5;
}

NOINLINE static void alone(double **a, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] *= 7;
}

NOINLINE static void bytes(unsigned char **a, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] ^= 0x40;
}

/* The rows change places in each step. */
NOINLINE static void turned(double **a, int t, int n, int m)
{
    for (int s = 0; s < t; s++) {
        double *first = a[0];

        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = a[i][j] * 0.5 + i;
        a[0] = a[n - 1];
        a[n - 1] = first;
    }
}

static void whole(int gap)
{
    double **a = matrix(N, M, gap), **b = matrix(M, N, gap);
    double **c = matrix(N, N, gap), **d = matrix(N, N, gap + 1);
    struct row rows[N];
    struct table t = {N - 3, M, rows};

    product(c, a, b, N, N, M);
    show("product", c, N, N);
    steps(c, d, 3, N, N);
    show("steps", c, N, N);
    exchanged(c, d, 4, N, N);
    // A row of what is on the device, by the host.
    for (int j = 0; j < N; j++)
        d[5][j] += c[6][j];
    show("exchanged", d, N, N);
    for (int i = 0; i < N; i++)
        c[i][i] += 1e3;
    eliminate(c, N);
    show("eliminate", c, N, N);
    triangle(c, d, N);
    show("triangle", d, N, N);
    for (int i = 0; i < N; i++)
        rows[i] = (struct row){i, a[i], "row"};
    members(&t, 0.75);
    show("members", a, N, M);
    downwards(a, N, M);
    show("downwards", a, N, M);
    a[0] = a[1] = NULL;
    from_third(a, N, M);
    show("from_third", a + 2, N - 2, M);
}

static void pictures(int w)
{
    static unsigned char all[2][N * M];
    unsigned char *from[N], *to[N];

    random_bits(all[0], sizeof all[0]);
    poison(all[1], sizeof all[1]);
    for (int y = 0; y < N; y++) {
        from[y] = all[0] + y * w;
        to[y] = all[1] + y * w;
    }
    picture(to, from, N, w);
    dump("picture", all[1], sizeof all[1]);
    packed(all[1], from, N, w - 1);
    dump("packed", all[1], sizeof all[1]);
}

/* Rows of a block, and pointers to them of one, to which others point. */
HOST float ***volume(int n, int m, int k)
{
    float ***a = malloc((size_t)n * sizeof *a);
    float **rows = malloc((size_t)(n * m) * sizeof *rows);
    float *all = malloc((size_t)(n * m * k) * sizeof *all);

    harness_fill(all, (size_t)(n * m * k), sizeof *all);
    for (int i = 0; i < n; i++) {
        a[i] = rows + i * m;
        for (int j = 0; j < m; j++)
            a[i][j] = all + (i * m + j) * k;
    }
    return a;
}

static void volumes(int n, int m, int k)
{
    float ***a = volume(n, m, k), ***b = volume(n, m, k);

    planes(a, b, n, m, k);
    harness_dump("planes", b[0][0], (size_t)(n * m * k), sizeof ***b);
}

static void otherwise(void)
{
    double **a = matrix(N, M, 0), *row = a[7];
    size_t page = 4096;
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double **edge = (double **)(pages + page) - 4;
    unsigned char **b = malloc(8 * sizeof *b), *held[8];
    double *two[2];

    a[7] = a[8];
    a[8] = row;
    reordered(a, N, M);
    show("reordered", a, N, M);
    a[8] = NULL;
    some(a, N, 8, M);
    show("some", a, 8, M);
    // The pointer behind the last one that is used cannot be read.
    munmap(pages + page, page);
    memcpy(edge, a, 4 * sizeof *a);
    some(edge, 9, 4, M);
    show("edge", edge, 4, M);
    alone(a, 1, M);
    show("alone", a, 1, M);
    // The first row holds the second pointer.
    for (int i = 0; i < 8; i++)
        held[i] = malloc(64);
    for (int i = 0; i < 8; i++) {
        random_bits(held[i], 64);
        b[i] = (unsigned char *)a[20] + 64 * i;
    }
    bytes(b, 5, 64);
    for (int i = 0; i < 8; i++)
        dump("bytes", b[i], 64);
    b[0] = (unsigned char *)b;
    b[1] = b[0] + 8 * sizeof *b;
    bytes(b, 2, 1);
    two[0] = a[2];
    two[1] = a[1];
    turned(two, 4, 2, M);
    show("turned", two, 2, M);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    if (argc > 1) {
        otherwise();
        return harness_end();
    }
    whole(0);
    whole(3);
    pictures(M);
    pictures(M - 3);
    volumes(9, 11, 13);
    volumes(3, 3, 2);
    return harness_end();
}
