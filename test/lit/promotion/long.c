// Points of a thread that are much code, as with divisions, are fewer: LLVM and
// ptxas take more than proportional time for what is unrolled.  A vector that
// all threads read in the same order makes no matrix product.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-arch=sm_80 \
// RUN:   -mllvm -gpu-cuda-path= -Rpass-analysis=gpu-polyhedral -c %s -o %t.o \
// RUN:   2>&1 | %FileCheck %s

// CHECK: remark: kernel divisions_{{.*}}, a thread has 2 x 2;
void divisions(int n, float a[restrict n][n], float b[restrict n][n],
               float x[restrict n], float y[restrict n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][j] / x[j] + b[i][j] / y[i] + x[i] / y[j] +
                      1 / (x[i] + y[j]);
}

// CHECK: remark: kernel products_{{.*}}, a thread has 8 x 4;
void products(int n, float a[restrict n][n], float b[restrict n][n],
              float x[restrict n], float y[restrict n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][j] * x[j] + b[i][j] * y[i] + x[i] * y[j] +
                      1 * (x[i] + y[j]);
}

// CHECK: remark: kernel rows_{{.*}}, no buffers:
void rows(int n, float a[restrict n][n], float b[restrict n][n][n],
          float x[restrict n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[i][j] = a[i][j] * x[k] + b[i][j][k];
}

// CHECK: remark: kernel matrix_{{.*}}; sizes of a matrix product
void matrix(int n, float a[restrict n][n], float b[restrict n][n][n],
            float x[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[i][j] = a[i][j] * x[i][k] + x[k][j] * b[i][j][k];
}

// What is behind the loop is there once for all of its steps.
// CHECK: remark: kernel behind_{{.*}}, a thread has 8 x 8;{{.*}} sizes of a matrix product
void behind(int n, float a[restrict n][n], float b[restrict n][n],
            float c[restrict n][n], float z)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += b[i][k] * c[k][j];
            a[i][j] = s / z;
        }
}

// CHECK: remark: kernel inside_{{.*}}, a thread has 4 x 4;{{.*}} sizes of a matrix product
void inside(int n, float a[restrict n][n], float b[restrict n][n],
            float c[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += b[i][k] / c[k][j];
            a[i][j] = s;
        }
}
