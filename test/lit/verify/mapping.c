// What is kept was executed in small, and -Rpass-analysis says how much; a
// nest of constant sizes is, too, and one whose domain has bounds of long.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload %s -Rpass-analysis=gpu-polyhedral -c -o %t.o 2>&1 \
// RUN:   | %FileCheck %s
// RUN: %clang_gpu -O3 -mllvm -gpu-offload %s -mllvm -gpu-verify=off -Rpass-analysis=gpu-polyhedral \
// RUN:   -c -o %t.off 2>&1 | %FileCheck --allow-empty --check-prefix=OFF %s
//
// CHECK: mapping.c:{{[0-9]+}}:{{.*}}mapping executed in small: 1 of 1 kernels, completely for {{[1-9][0-9]*}} sizes
// CHECK: mapping.c:{{[0-9]+}}:{{.*}}mapping executed in small: 1 of 1 kernels, completely for 1 sizes and in part for 0, 4 of 4 blocks, 1000 statement instances
// CHECK: mapping.c:{{[0-9]+}}:{{.*}}mapping executed in small: 1 of 1 kernels, completely for {{[1-9][0-9]*}} sizes
// OFF-NOT: executed in small

void product(int n, float *restrict c, float *restrict a, float *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

void constant(float *restrict a, float *restrict b)
{
    for (int i = 0; i < 1000; i++)
        a[i] = b[i] + 1;
}

void tick(void);

void bounds_of_type(long n, float *restrict to, const float *restrict from)
{
    for (long i = 0; i < n - 2; i++) {
        tick();
        for (long j = i + 1; j < n; j++)
            to[j] = from[j] + from[i];
    }
}
