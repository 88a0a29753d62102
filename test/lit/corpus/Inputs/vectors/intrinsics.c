// FLAGS: -mavx2 -mfma
/* Intrinsics of x86, written by hand. */
#include <immintrin.h>
void axpy(float *y, const float *x, float a, int n)
{
    __m256 v = _mm256_set1_ps(a);
    int i;
    for (i = 0; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, _mm256_fmadd_ps(v, _mm256_loadu_ps(x + i),
                                                _mm256_loadu_ps(y + i)));
    for (; i < n; i++)
        y[i] += a * x[i];
}
void gather(int *out, const int *in, const int *at, int n)
{
    for (int i = 0; i < n; i += 8) {
        __m256i k = _mm256_loadu_si256((const __m256i *)(at + i));
        __m256i v = _mm256_i32gather_epi32(in, k, 4);
        _mm256_storeu_si256((__m256i *)(out + i), _mm256_abs_epi32(v));
    }
    _mm256_zeroupper();
}
