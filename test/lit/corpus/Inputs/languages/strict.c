// FLAGS: -ffp-model=strict -fno-strict-aliasing -fwrapv -fno-delete-null-pointer-checks
#include <math.h>
void f(float *a, const float *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] * b[i] + sqrtf(b[i]);
}
