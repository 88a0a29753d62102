// Where the lengths of rows are numbers, loads and stores of results next to
// each other are vectors: the runtime places element 0 at a multiple of 16
// bytes. Of rows of lengths that only the program knows they are not.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_75 -disable-output %t.ll \
// RUN:   2>&1 | %FileCheck %s
//
// CHECK: .entry floats_
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
// CHECK: .entry doubles_
// CHECK: ld.global.v2.b64
// CHECK: st.global.v2.b64
// CHECK: .entry unknown_
// CHECK-NOT: st.global.v
enum { N = 2048 };

void floats(float a[N][N], float b[N][N], float c[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
}

void doubles(double a[N][N], double b[N][N], double c[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
}

void unknown(int n, float a[n][n], float b[n][n], float c[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}
