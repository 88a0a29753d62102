// FLAGS: -ffast-math -funroll-loops -fstrict-vtable-pointers -fno-math-errno
#include <math.h>
void f(double *restrict a, const double *restrict b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = sqrt(b[i]) / a[i] + fma(a[i], b[i], 2);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    a[0] = s;
}
