// The smallest tile of 128 x 128 takes more steps than there are for all sizes
// where its boxes cost more than those of two matrices: the first size gets
// some, or nothing of the kernel would be looked at.
//
// RUN: %clang_gpu -O3 -mfma -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s

// CHECK: product_with_itself.c:[[#@LINE+3]]:{{.*}} mapping executed in small: 1 of 1 kernels, completely for {{[1-9]}}
void product_with_itself(int N, int M, float (*cc1)[4], float (*aa2)[22])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            cc1[i][j] = 0.0f;
            for (int k = 0; k < M; k++)
                cc1[i][j] += aa2[i][k] * aa2[j][k] * 2.0f;
        }
}

// Four boxes.
float factors[60];

// CHECK: product_with_itself.c:[[#@LINE+3]]:{{.*}} mapping executed in small: 1 of 1 kernels, completely for {{[1-9]}}
void four_boxes(int n0, float *g1, const float *restrict g2, float *g3)
{
    for (int i = 0; i <= n0; i++)
        for (int j = 0; j < n0; j++)
            for (int k = 0; k < 2; k++)
                for (int l = 0; l < n0; l++) {
                    float s = g2[k] >= factors[j] * 0.1f ? 2 : 4;

                    if (l % 4 != 0)
                        g3[j * n0 + l] = s * g1[i * 9 + k] + s;
                }
}
