// FLAGS: --target=aarch64-linux-gnu -ffreestanding -march=armv9-a
/* Another processor, with scalable vectors. */
#include <arm_sve.h>
void f(float *a, long n)
{
    for (long i = 0; i < n; i += (long)svcntw()) {
        svbool_t p = svwhilelt_b32(i, n);
        svst1(p, a + i, svmul_x(p, svld1(p, a + i), 2));
    }
    for (long i = 0; i < n; i++)
        a[i] += 1;
}
