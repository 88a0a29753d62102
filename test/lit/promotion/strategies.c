// Each kind of kernel is recognised and gets sizes by its own strategy.  A
// kernel of no kind has no buffers, and sizes of the user's are of no strategy.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-arch=sm_80 \
// RUN:   -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -Rpass-analysis=gpu-polyhedral -c %s -o %t.o \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> tile[32,32,8]; kernel[i] -> block[8,8] }' \
// RUN:   2>&1 | %FileCheck --check-prefix=GIVEN %s

// CHECK: [[#@LINE+6]]:5: remark: kernel {{.*}}; sizes of a matrix product [
// GIVEN: [[#@LINE+5]]:5: remark: {{.*}} tile 32 x 32, steps of 8, a thread has 4 x 4;
// GIVEN-NOT: sizes of a
void product(int n, double a[restrict n][n], double b[restrict n][n],
             double c[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}

// CHECK: [[#@LINE+4]]:5: remark: kernel {{.*}}; sizes of a matrix-vector product [
void vector(int n, double a[restrict n][n], double x[restrict n],
            double y[restrict n])
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            y[i] += a[i][k] * x[k];
}

// CHECK: [[#@LINE+3]]:5: remark: kernel {{.*}}; sizes of a stencil [
void transpose(int n, double a[restrict n][n], double b[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[j][i];
}

// CHECK: [[#@LINE+3]]:5: remark: kernel {{.*}} a thread has 2; sizes of a stream [
void stream(int n, double a[restrict n])
{
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}

// CHECK: [[#@LINE+4]]:5: remark: kernel plain
// CHECK-NOT: sizes of a
void plain(int n, double a[restrict n], double b[restrict n])
{
    for (int i = 0; i < n; i++)
        a[i] = b[n - 1 - i];
}

// The diagonal has rows be taken for longer than they are, so that the element
// depends on other loops than the operands; it stays in a register.
// CHECK: remark: kernel correlate_{{.*}}; sizes of a matrix product [
void correlate(int n, int m, double d[restrict n][m], double c[restrict m][m])
{
    for (int i = 0; i < m - 1; i++) {
        c[i][i] = 1;
        for (int j = i + 1; j < m; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++)
                c[i][j] += d[k][i] * d[k][j];
            c[j][i] = c[i][j];
        }
    }
}
