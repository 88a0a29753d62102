// Each innermost loop that stays has one remark, at its own line, also inside of
// a loop that stays for another reason; what is offloaded has none.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral 2>&1 | grep remark: > %t.log
// RUN: %FileCheck %s < %t.log
// RUN: grep -c 'not offloaded' %t.log | %FileCheck --check-prefix=COUNT %s
// COUNT: {{^}}4{{$}}
void step(int);

void nest(int n, float *restrict a, float *restrict c, const int *restrict b)
{
    // CHECK: [[@LINE+11]]:9: remark: loops offloaded as
    // CHECK: [[@LINE+1]]:5: remark: loop not offloaded: the call of 'step' in line [[@LINE+12]]
    for (int t = 0; t < n; t++) {
        // CHECK-NEXT: [[@LINE+1]]:9: remark: loop not offloaded: which element of 'a' is updated in line [[@LINE+2]] depends on data, which is read from 'b'
        for (int i = 0; i < n; i++)
            a[b[i]] += 1;
        // CHECK-NEXT: [[@LINE+2]]:13: remark: loop not offloaded: a subscript of 'a' in line [[@LINE+3]] {{.*}}multiplies two counters
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i * j] += 1;

        for (int i = 0; i < n; i++)
            c[i] *= 2;
        step(t);
    }
}

// The reason holds for the nest: the remark is at the innermost loop.
void recurrence(int n, float *a)
{
    for (int i = 1; i < n; i++)
        // CHECK: [[@LINE+1]]:9: remark: loop not offloaded: every loop depends on its own earlier iterations
        for (int j = 1; j < n; j++)
            a[0] = a[0] * 0.5f + i;
}
