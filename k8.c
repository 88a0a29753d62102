#include <stddef.h>
#include <math.h>


__attribute__((noinline))
void f0(int n0, const unsigned char *a1, unsigned *e3, unsigned long *a4)
{
    for (int i5 = 0; i5 < n0; i5++) {
        for (int j6 = 0; j6 < n0; j6 += 3) {
            for (int k7 = 0; k7 <= n0; k7++) {
                unsigned s8 = (unsigned)(((unsigned)a1[i5] - (unsigned)e3[(((long)(j6) * n0) + i5)]));
                for (int l9 = 0; l9 < n0; l9++) {
                    s8 += (unsigned)((unsigned long)(((unsigned long long)a1[(i5 + 1)] / 5u)));
                }
                a4[j6] = s8;
            }
        }
    }
}

