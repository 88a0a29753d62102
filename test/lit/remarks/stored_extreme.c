// The smallest or largest number in memory, which each iteration writes.
//
// RUN: %clang_gpu -O3 -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck --implicit-check-not=remark: %s

void in_memory(const double *restrict x, double *restrict m, int n)
{
    // CHECK: :[[#@LINE+1]]:5: remark: {{.*}} ('m' is the smallest or largest of floating-point numbers, in memory that each iteration writes); keep it in a local variable, and write it behind the loops
    for (int i = 0; i < n; i++)
        *m = x[i] > *m ? x[i] : *m;
}

// In a variable it is a reduction, also if a NaN replaces it.
double in_variable(const double *restrict x, int n)
{
    double m = 0;

    for (int i = 0; i < n; i++)
        m = m > x[i] ? m : x[i];
    return m;
}

// What is chosen by a comparison is no extreme.
void replaced(double *restrict x, const double *restrict y, int n)
{
    int j = -1;

    // CHECK: :[[#@LINE+1]]:5: remark: loop not offloaded: a subscript of 'y' in line [[#@LINE+4]] is no affine function of loop counters and parameters (it depends on 'j', which the loop does not change by the same amount in each iteration)
    for (int i = 0; i < n; i++)
        if (x[i] > 0) {
            j++;
            x[i] = y[j];
        }
}
