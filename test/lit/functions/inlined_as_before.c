// What is inlined without us is inlined with us: the question for a device, and the
// call of the copy with its many arguments, do not make a function look larger.
//
// RUN: %clang -O3 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clang_gpu -O3 -gline-tables-only -Rpass=gpu-polyhedral -S -emit-llvm %s -o %t.ll 2>&1 \
// RUN:   | %FileCheck --check-prefix=REMARK %s
// RUN: %FileCheck %s < %t.ll
//
// REMARK: remark: loops offloaded as 1 kernel: mix_
void mix(float *restrict a, float *restrict b, int d, int e, int f, int g, int h, int i,
         int j, int k, int l, int n)
{
    for (int x = 0; x < n; x++)
        a[x] += d * b[x];
    b[d] = b[e] * b[f] + b[g] * b[h];
    b[i] = b[j] * b[k] + b[l] * b[n];
    b[d + e] = b[f + g] * b[h + i];
    b[j + k] = b[l + n] * b[d + g];
    b[l] = d * i + e * k - j;
}

// CHECK-LABEL: define {{.*}} @twice(
// CHECK-NOT: call {{.*}} @mix(
// CHECK: {{^}}}
float twice(float *restrict a, float *restrict b, int d, int e, int n)
{
    mix(a, b, d, e, d, e, d, e, d, e, d, n);
    a[3] += a[1];
    mix(a, b, e, d, e, d, e, d, d, e, e, n);
    return a[3];
}
