// Products with sparse matrices whose rows pointers lead to, as in conjugate gradient
// benchmarks: rows of any lengths packed one behind the other, in any order, or each
// allocated by itself. A row is an index then: where it begins, less where the first one
// does.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.ref.dump %t.ref others
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_COST=off \
// RUN:     POLYGPU_PROFILE=lines POLYGPU_DEBUG=1 POLYGPU_DEVICE=emulated \
// RUN:     %t.gpu others 2>&1 | %FileCheck %s --check-prefix=OTHERS
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEBUG=1 \
// RUN:     POLYGPU_DEVICE=emulated %t.gpu few 2>&1 | \
// RUN:     %FileCheck %s --check-prefix=FEW
//
// CHECK-DAG: scop multiply {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: kernel multiply_{{.*}} launches=3
// CHECK-DAG: scop of_structure {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: kernel of_structure_{{.*}} launches=3
// CHECK-DAG: scop members {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: kernel members_{{.*}} launches=3
// CHECK-DAG: scop bytes {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: scop between {{.*}} runs=3 declined=0 failed=0
//
// The result in a row, or in x; rows without elements that are nowhere; no rows, pointers
// to which are nowhere; a result in the pointers.
// OTHERS-DAG: multiply {{.*}} not offloaded: elements of values that indices may lead to overlap y, which is written
// OTHERS-DAG: multiply {{.*}} not offloaded: elements of x that indices may lead to overlap y, which is written
// OTHERS-DAG: multiply {{.*}} no memory that can be read
// OTHERS-DAG: scop multiply {{.*}} runs=0 declined=3 failed=0
// OTHERS-DAG: scop ends {{.*}} declined=1 failed=0
//
// FEW: multiply {{.*}} not offloaded: {{.*}} too little to do to look at it
#include "exec.h"

#include <stdlib.h>
#include <string.h>

enum { N = 150, MOST = 9 };

static double packed[N * MOST + MOST], x[N], y[N + 1];
static int columns[N * MOST + MOST];
static float few[N * MOST + MOST], z[N];

struct row {
    int n, pad;
    float *value;
};

/* As HPCG and HPCCG have it. */
struct matrix {
    int n;
    char *lengths;
    double **values;
    int **columns;
};

NOINLINE static void multiply(int n, double **values, int **columns,
                              const int *lengths, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        const double *const value = values[i];
        const int *const column = columns[i];
        const int length = lengths[i];

        for (int j = 0; j < length; j++)
            sum += value[j] * x[column[j]];
        y[i] = sum;
    }
}

NOINLINE static int of_structure(const struct matrix *a, const double *x,
                                 double *y)
{
    const int n = a->n;

    for (int i = 0; i < n; i++) {
        double sum = 0;
        const double *const value = a->values[i];
        const int *const column = a->columns[i];
        const int length = a->lengths[i];

        for (int j = 0; j < length; j++)
            sum += value[j] * x[column[j]];
        y[i] = sum;
    }
    return 0;
}

NOINLINE static void members(int n, const struct row *rows, float *z)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;

        for (int j = 0; j < rows[i].n; j++)
            sum += rows[i].value[j];
        z[i] = sum;
    }
}

NOINLINE static void bytes(int n, unsigned char **text, const int *lengths,
                           int *hashes)
{
    for (int i = 0; i < n; i++) {
        int hash = 0;

        for (int j = 0; j < lengths[i]; j++)
            hash = hash * 31 + text[i][j];
        hashes[i] = hash;
    }
}

NOINLINE static void between(int n, double **values, const int *first,
                             const int *last, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = y[i];

        for (int j = first[i]; j < last[i]; j++)
            sum += values[i][j - 1] * values[i][j];
        y[i] = sum;
    }
}

/* What is stored may be a pointer, for all that types say. */
NOINLINE static void ends(int n, char **rows, const int *lengths, char *to)
{
    for (int i = 0; i < n; i++) {
        char last = 0;
        const char *row = rows[i];
        const int length = lengths[i];

        for (int j = 0; j < length; j++)
            last ^= row[j];
        to[i] = last;
    }
}

static double *values[N];
static int *indices[N], lengths[N], ones[N], hashes[N];
static char short_lengths[N];
static unsigned char *text[N];
static struct row rows[N];

/* Packed, the last one first, or at places of the system's. */
HOST void place(int how)
{
    long at = 0;

    harness_fill(packed, sizeof packed / sizeof *packed, sizeof *packed);
    harness_fill(few, sizeof few / sizeof *few, sizeof *few);
    harness_fill(x, N, sizeof *x);
    harness_fill(y, N, sizeof *y);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        columns[i] = (int)(i * 7 % N);
    for (int i = 0; i < N; i++) {
        int row = how == 1 ? N - 1 - i : i;
        int length = (int)(row * 5L % MOST) + (row % 2 == 0);

        lengths[row] = length;
        short_lengths[row] = (char)length;
        ones[row] = 1;
        values[row] = packed + at;
        indices[row] = columns + at;
        if (how == 2)
            values[row] = malloc(MOST * sizeof **values);
        if (how == 2)
            memcpy(values[row], packed + at, MOST * sizeof **values);
        text[row] = (unsigned char *)(packed + at) + row % 7;
        rows[row] = (struct row){length, -row, few + at};
        at += length;
    }
}

static void whole(int how)
{
    struct matrix a = {N, short_lengths, values, indices};

    place(how);
    multiply(N, values, indices, lengths, x, y);
    dump("multiply", y, sizeof y);
    of_structure(&a, y, x);
    dump("of_structure", x, sizeof x);
    members(N, rows, z);
    dump("members", z, sizeof z);
    bytes(N, text, lengths, hashes);
    dump("bytes", hashes, sizeof hashes);
    between(N, values, ones, lengths, y);
    dump("between", y, sizeof y);
}

static void otherwise(void)
{
    place(0);
    multiply(N, values, indices, lengths, x, packed + 20);
    dump("in_row", packed, sizeof packed);
    multiply(N, values, indices, lengths, x, x);
    dump("in_x", x, sizeof x);
    multiply(0, NULL, NULL, NULL, NULL, NULL);
    for (int i = 0; i < N; i++)
        if (lengths[i] == 0)
            values[i] = NULL, indices[i] = NULL;
    multiply(N, values, indices, lengths, x, y);
    dump("nowhere", y, sizeof y);
    // Bytes of pointers that have been used.
    place(0);
    ends(N, (char **)values, lengths, (char *)values);
    dump("ends", values, N);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    if (argc > 1 && strcmp(argv[1], "few") == 0) {
        place(0);
        multiply(N, values, indices, lengths, x, y);
        return harness_end();
    }
    if (argc > 1) {
        otherwise();
        return harness_end();
    }
    for (int how = 0; how < 3; how++)
        whole(how);
    return harness_end();
}
