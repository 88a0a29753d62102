// What is told of loops with conditions on data, and of those that stay.
//
// RUN: %clang_gpu -O3 -g1 -c %s -o %t.o -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass-analysis=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck %s
static float known[100];
int read_all(void);

void store(int n, float *restrict a, const float *restrict b)
{
    // CHECK: [[@LINE+2]]:5: remark: loops offloaded as 1 kernel
    // CHECK: [[@LINE+1]]:5: remark: copyin(b), copy(a); of 'a' only what the conditions on data let be written; if all of 'a' can be read
    for (int i = 0; i < n; i++)
        if (b[i] > 0)
            a[i] = b[i];
}

// No marks where all ways write, and variables are there.
void either(float *restrict a, const float *restrict b)
{
    // CHECK: [[@LINE+2]]:5: remark: loops offloaded as 1 kernel
    // CHECK: [[@LINE+1]]:5: remark: copyin(b, known), copyout(a) [
    for (int i = 0; i < 100; i++)
        if (b[i] > 0)
            a[i] = known[i];
        else
            a[i] = 1;
}

void element(int n, int *restrict sum, const int *restrict b)
{
    // CHECK: [[@LINE+1]]:5: remark: loop not offloaded: {{.*}}('sum' is updated under a condition on data only, and may not be written where that does not hold); sum up in a local variable
    for (int i = 0; i < n; i++)
        if (b[i] > 0)
            sum[0] *= b[i];
}

void effects(int n, float *restrict a, volatile float *b)
{
    // CHECK: [[@LINE+1]]:5: remark: loop not offloaded: {{.*}}volatile
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            b[i] = a[i];
}

// What iterations write is the same: they are steps of time.
void under(int n, int m, float *restrict a, const float *restrict b)
{
    // CHECK: [[@LINE+1]]:5: remark: loop not offloaded: the condition in line [[@LINE+2]] depends on data, which is read from 'b', and a loop is under it; move the condition into that loop
    for (int i = 0; i < n; i++)
        if (b[i] > 0)
            for (int j = 0; j < m; j++)
                a[j] = 2 * a[j];
}

int change(float *a)
{
    known[0] = *a;
    return read_all();
}
