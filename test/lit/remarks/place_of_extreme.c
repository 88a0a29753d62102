// The largest of floating-point numbers with something that does not follow from the
// iteration alone, like a sum so far, is no reduction, in whatever order:
// -ffast-math is no advice.  Without that it is one then.
//
// RUN: %clang_gpu -O3 -ffast-math -mllvm -gpu-offload \
// RUN:   -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s

// CHECK: place_of_extreme.c:[[#@LINE+5]]:5: remark: loop not offloaded: {{.*}} ('most' is the smallest or largest of floating-point numbers, and something else, like its index, is kept with it); look for the number in one loop, and for what belongs to it in another one
float with_sum(int n, const float *a, const int *other, int *index)
{
    float most = a[0];
    int at = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        sum += other[i];
        if (a[i] > most) {
            most = a[i];
            at = sum;
        }
    }
    *index = at;
    return most;
}

// CHECK: place_of_extreme.c:[[#@LINE+4]]:5: remark: loops offloaded as
float alone(int n, const float *a)
{
    float most = a[0];
    for (int i = 0; i < n; i++)
        if (a[i] > most)
            most = a[i];
    return most;
}
