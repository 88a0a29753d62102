// A variable that is only kept for the debugger, as the sum of another one and a
// number, gives no other value its name: a condition on m and *size was one on m
// and "last", which is another number.
//
// RUN: %clang_gpu -O3 -g -c %s -o %t.o -Rpass-analysis=gpu-polyhedral 2>&1 | %FileCheck %s
//
// CHECK: computed_variables.c:[[#@LINE+6]]:{{[0-9]+}}: remark: runs on the device if m >= p0, where p0 is the value loaded from size
// CHECK: computed_variables.c:[[#@LINE+14]]:{{[0-9]+}}: remark: runs on the device if m >= width
void set(const int *size, int n, int m, float *restrict x)
{
    int last = *size - 1;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < last + 1; j++)
            x[i * m + j] = 1;
}

void set_width(const int *size, int n, int m, float *restrict x)
{
    int width = *size;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < width; j++)
            x[i * m + j] = 1;
}
