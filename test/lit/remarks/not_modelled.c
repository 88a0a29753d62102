// Which assumption of the model can never hold is told: bounds with too many cases.
// The near twin has fewer.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral 2>&1 | %FileCheck %s
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MIN4(a, b, c, d) MIN(MIN(a, b), MIN(c, d))
#define BOUND(i) MIN(MIN4(p - i, q - i, r - i, s - i), MIN4(p, q, r, s))

void bounds(int p, int q, int r, int s, float *restrict a)
{
    for (int i = 0; i < BOUND(0); i++)
        for (int j = i; j < BOUND(i); j++)
            for (int k = j; k < BOUND(j); k++)
                // CHECK-DAG: [[@LINE+1]]:17: remark: loop not offloaded: bounds, conditions and subscripts in line {{[0-9]+}} have too many cases for the analysis
                for (int l = k; l < BOUND(k); l++)
                    a[l] += i;
}

void few(int p, int q, float *restrict a)
{
    // CHECK-DAG: [[@LINE+1]]:5: remark: loops offloaded as
    for (int i = 0; i < MIN(p, q); i++)
        a[i] += i;
}
