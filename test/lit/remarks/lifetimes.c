// A variable of the loop that is known to live there is no call.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck --implicit-check-not=lifetime %s

struct view {
    double *data;
    long size, step;
    void *owner;
};

struct view row_of(double *a, long i);
void scale(double s, double *data);

// CHECK: lifetimes.c:[[#@LINE+5]]:5: remark: loop not offloaded: the call of 'row_of' in line [[#@LINE+6]] cannot be analysed
void rows(long n, double *a, const double *s)
{
    struct view row;

    for (long i = 0; i < n; i++) {
        row = row_of(a, i);
        scale(s[i], row.data);
    }
}
