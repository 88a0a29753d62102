// What is passed on and was not set may be anything in the copy, which was said
// to make other calls.  A run that uses such a value says nothing; runs that do
// not are compared, and where it is only copied along it does not matter.
//
// RUN: %clang_gpu -O3 -mfma -mllvm -gpu-verify=execute -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass-analysis=gpu-polyhedral \
// RUN:   -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not='not offloaded'
void tell(double, double);

struct worst {
    double error, value;
    int at;
};

// CHECK: unset.c:[[#@LINE+5]]:5: remark: executed as written and offloaded, with equal results
void look(int n, const double *restrict a, double *restrict b,
                 const double *restrict c, struct worst *restrict result)
{
    struct worst w;
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2;
    w.error = 0;
    for (int i = 0; i < n; i++) {
        double e = c[i] > b[i] ? c[i] - b[i] : b[i] - c[i];

        if (e > w.error) {
            w.error = e;
            w.value = c[i];
        }
    }
    *result = w;
}

// CHECK: unset.c:[[#@LINE+4]]:5: remark: executed as written and offloaded, with equal results
void tells(int n, const double *restrict a, double *restrict b)
{
    double last;
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2;
    for (int i = 0; i < n; i++)
        if (b[i] > 1)
            last = b[i];
    tell(b[0], last);
}
