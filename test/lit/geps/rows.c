// Addresses into arrays with rows of constant size keep their subscripts: the
// relations that arrive in the SCoP are those of the source, whatever
// InstCombine has made of the addresses (constant offsets folded into bytes,
// i * 35 + i turned into i * 36, fields of structures).
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -fno-discard-value-names \
// RUN:     -S -emit-llvm %s -o - \
// RUN:   | %opt -passes='print<gpu-scops>' -disable-output 2>&1 | %FileCheck %s
#define N 35

// CHECK-LABEL: scop "last"
// CHECK: array u "u" float 4 memory 2 {{.*}}[(35)]
// CHECK: write must u "{{.*}}{ S0[i0] -> u[i0, 34] }"
void last(int n, float u[][N])
{
    for (int i = 0; i < n; i++)
        u[i][N - 1] = 1;
}

// CHECK-LABEL: scop "next"
// CHECK-DAG: read must u "{{.*}}{ S0[i0, i1] -> u[i0, 1 + i1] }"
// CHECK-DAG: read must u "{{.*}}{ S0[i0, i1] -> u[i0, i1] }"
// CHECK: write must v "{{.*}}{ S0[i0, i1] -> v[i0, i1] }"
void next(int n, float (*restrict u)[N], float (*restrict v)[N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < N - 1; j++)
            v[i][j] = u[i][j + 1] + u[i][j];
}

// CHECK-LABEL: scop "diagonal"
// CHECK: write must u "{ S0[i0] -> u[i0, i0] }"
void diagonal(float u[N][N])
{
    for (int i = 0; i < N; i++)
        u[i][i] = 1;
}

// CHECK-LABEL: scop "other_diagonal"
// CHECK: write must u "{ S0[i0] -> u[i0, 34 - i0] }"
void other_diagonal(float u[N][N])
{
    for (int i = 0; i < N; i++)
        u[i][N - 1 - i] = 1;
}

// Around the end of a row: the element before is in another row.
// CHECK-LABEL: scop "seam"
// CHECK-DAG: read must u "{{.*}}{ S0[i0] -> u[i0, 34] }"
// CHECK-DAG: write must u "{{.*}}{ S0[i0] -> u[1 + i0, 0] }"
void seam(int n, float (*restrict u)[N])
{
    for (int i = 1; i < n; i++)
        u[i][0] = u[i - 1][N - 1];
}

// Iterations count from 0, so i and j are i0 + 1 and i1 + 1.
// CHECK-LABEL: scop "stencil"
// CHECK: domain "{{.*}}i0 <= -3 + n and 0 <= i1 <= 32
// CHECK-DAG: read must u "{{.*}} -> u[i0, 1 + i1] }"
// CHECK-DAG: read must u "{{.*}} -> u[2 + i0, 1 + i1] }"
// CHECK-DAG: read must u "{{.*}} -> u[1 + i0, i1] }"
// CHECK-DAG: read must u "{{.*}} -> u[1 + i0, 2 + i1] }"
// CHECK: write must v "{{.*}} -> v[1 + i0, 1 + i1] }"
void stencil(int n, float (*restrict u)[N], float (*restrict v)[N])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < N - 1; j++)
            v[i][j] = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
}

// CHECK-LABEL: scop "cube"
// CHECK: array box "box" float 4 memory 3 {{.*}}[(30)]{{.*}}[(35)]
// CHECK: write must box "{ S0[i0, i1, i2] -> box[i0, i1, 2 + i2] }"
float box[20][30][N];
void cube(void)
{
    for (int i = 0; i < 20; i++)
        for (int j = 1; j < 29; j++)
            for (int k = 0; k < N - 2; k++)
                box[i][j - 1][k + 2] = 1;
}

// A bound that may exceed the row: an assumption for the run-time check.
// CHECK-LABEL: scop "width"
// CHECK: context "{{.*}}m <= 35
// CHECK: write must u "{{.*}}{ S0[i0, i1] -> u[i0, i1] }"
void width(int n, int m, float u[][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            u[i][j] = 2;
}

// Fields of structures are elements of one dimension, each in its place; a
// field must not become a column of floats.
struct point {
    float x, y;
};
// CHECK-LABEL: scop "field"
// CHECK: array a "a" float 4
// CHECK-DAG: read must a "{{.*}} -> a[70i0 + 2i1] }"
// CHECK-DAG: write must a "{{.*}} -> a[1 + 70i0 + 2i1] }"
void field(int n, struct point a[][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < N; j++)
            a[i][j].y = a[i][j].x;
}

// An array in a structure: rows of 3 that begin with it, 5 apart.
struct row {
    int id;
    float w, v[3];
};
// CHECK-LABEL: scop "rows_in_structures"
// CHECK: array s "s" float 4 memory 2 live extent 1 "{ [] -> [(5)] }"
// CHECK: write must s "{{.*}} -> s[i0, i1] }"
void rows_in_structures(int n, struct row *s)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            s[i].v[j] = 4;
}
