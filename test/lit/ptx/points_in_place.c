// Points of a thread that update an array in place: loads of several points, and then their
// stores, since the assembler has each load wait for the store before. Inside of a loop of
// the host, whose counter is in the distance of a column, threads go along rows as well.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_90 -disable-output %t.ll \
// RUN:   > %t.ptx 2>&1
// RUN: %FileCheck %s < %t.ptx
// RUN: %clang_gpu -O3 -mllvm -gpu-targets=ptx -mllvm -gpu-print-kernels \
// RUN:   -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=TEXT
//
// CHECK: .entry outer_
// CHECK-COUNT-8: ld.global.b32
// CHECK-COUNT-8: st.global.b32
// CHECK: ld.global.b32
// TEXT: in_steps_{{.*}}_3(
// TEXT-NOT: shared
// TEXT: A[{{.*}}t1 {{.*}}][t0 + {{.*}}] = {{.*}}A[{{.*}}][t0 +
void outer(int n, int m, float (*restrict A)[m], const float *restrict q,
           const float *restrict r)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i][j] -= q[i] * r[j];
}

void in_steps(int n, int m, float (*restrict A)[n], float (*restrict Q)[n],
              float (*restrict R)[n])
{
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < m; i++)
            Q[i][k] = A[i][k] / R[k][k];
        for (int j = k + 1; j < n; j++) {
            R[k][j] = 0;
            for (int i = 0; i < m; i++)
                R[k][j] += Q[i][k] * A[i][j];
            for (int i = 0; i < m; i++)
                A[i][j] -= Q[i][k] * R[k][j];
        }
    }
}
