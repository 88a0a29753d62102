// Four parallel loops of which three are at most 12 long, as arrays say, and maybe
// shorter, are not put together by the length of 12: that would leave gaps, and
// the loops take isl 30 times as many operations.  The quota is what they take
// as they are; what is always 5 long may go with what is around it.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-print-kernels -gpu-max-operations=800000 \
// RUN:   -disable-output %t.ll 2>&1 | %FileCheck %s
//
// CHECK: void add_
// CHECK-NOT: %
// CHECK: u[b2 + 1][t2 + 4 * b1 + 1][t1 + 1][t0] =
enum { N = 12 };

double u[N][N + 1][N + 1][5], rhs[N][N + 1][N + 1][5];
int nx, ny, nz;

void add(void)
{
    for (int k = 1; k <= nz; k++)
        for (int j = 1; j <= ny; j++)
            for (int i = 1; i <= nx; i++)
                for (int m = 0; m < 5; m++)
                    u[k][j][i][m] = u[k][j][i][m] + rhs[k][j][i][m];
}
