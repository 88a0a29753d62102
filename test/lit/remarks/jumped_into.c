// A loop with a jump into its middle, by goto or as Duff's device, is none to
// LLVM: there is a remark all the same.  One that is only entered in its middle
// is a loop, and offloaded.
//
// RUN: %clang_gpu -O3 -c %s -o /dev/null -Rpass=gpu-polyhedral \
// RUN:     -Rpass-missed=gpu-polyhedral 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %FileCheck --check-prefix=COUNT %s < %t.remarks
//
// COUNT-COUNT-3: remark:
// COUNT-NOT: remark:

void into(int *a, const int *b, int n, int m)
{
    int i = 0;
    if (m)
        goto in;
    // CHECK-DAG: jumped_into.c:[[@LINE+1]]:5: remark: loop not offloaded: a jump into the middle of the loop
    for (; i < n; i++) {
        a[i] *= 2;
    in:
        a[i] += b[i];
    }
}

void duff(int *a, const int *b, int n)
{
    int k = (n + 3) / 4;
    switch (n % 4) {
    case 0:
        // CHECK-DAG: jumped_into.c:[[@LINE+1]]:9: remark: loop not offloaded: a jump into the middle of the loop
        do {
            *a++ = *b++ * 2;
        case 3:
            *a++ = *b++ * 2;
        case 2:
            *a++ = *b++ * 2;
        case 1:
            *a++ = *b++ * 2;
        } while (--k > 0);
    }
}

void entered(int *restrict a, const int *restrict b)
{
    int k = 100;
    goto in;
    // CHECK-DAG: jumped_into.c:[[@LINE+1]]:5: remark: loops offloaded as 1 kernel
    do {
        *a++ = *b++ * 2;
    in:
        *a++ = *b++ * 3;
    } while (--k > 0);
}
