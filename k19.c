#include <stddef.h>
#include <math.h>


__attribute__((noinline))
void f0(size_t n0, float *h1, double *restrict b2, float *restrict x3, float *b4)
{
    { size_t i5;
    for (i5 = 0; i5 < n0; i5++) {
        x3[0] -= ((-0.75f - 0.5f) - (b2[i5] + b4[((0 * 22) + i5)]));
        b4[((3 * 22) + i5)] *= b2[(i5 + 2)];
    }
        b4[((1 * 22) + i5)] += h1[(((long)(2) * 24) + (i5 - 2))];
    }
    if ((n0 <= 12)) {
        for (size_t i6 = 2; i6 < n0; i6 += 2) {
            float s7 = ((*(h1 + ((1 * 24) + i6))) < (*(b2 + i6)) ? (float)8 : (float)7);
            for (size_t j8 = 0; j8 <= n0; j8++) {
                s7 += (b2[(i6 + 1)] * h1[((i6 * 24) + j8)]);
            }
            (*(b4 + ((i6 * 22) + 3))) = s7;
        }
    }
    b4[((1 * 22) + 1)] = ((h1[(((size_t)(3) * 24) + 2)] - h1[(((long)(0) * 24) + 2)]) * (b2[n0] * (*(b2 + 3)) - b2[3]) + (h1[((3 * 24) + 2)] - 0.5f));
}

