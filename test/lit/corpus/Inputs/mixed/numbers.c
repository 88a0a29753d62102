/* Types and calls: complex numbers, long double, quad, half, vectors, overflow
 * builtins, varargs, libm, string functions. */
#include <complex.h>
#include <ctype.h>
#include <fenv.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void complexes(double complex *a, const double complex *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * b[i] + conj(b[i]) / (1 + I);
}

void complex_float(float complex *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = cexpf(a[i]);
}

void long_doubles(long double *a, double *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 + b[i];
    for (int i = 0; i < n; i++)
        b[i] = (double)((long double)b[i] * 3);
}

void quads(__float128 *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] += 1;
}

void halves(_Float16 *a, __bf16 *b, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = a[i] * a[i];
        b[i] = b[i] + b[i];
    }
}

typedef float v4 __attribute__((vector_size(16)));
typedef int v8 __attribute__((vector_size(32)));
typedef float v3 __attribute__((ext_vector_type(3)));
typedef double v64 __attribute__((vector_size(512)));
typedef _Bool mask __attribute__((ext_vector_type(8)));

void vectors(v4 *a, const v4 *b, v8 *c, v3 *d, v64 *e, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = a[i] * b[i] + (v4){1, 2, 3, 4};
        c[i] = (c[i] > 3) & -c[i];
        d[i] = d[i].zxy * 2.0f;
        e[i] += e[i];
    }
}

void vector_elements(v4 *a, float *b, mask *m, int n)
{
    for (int i = 0; i < n; i++) {
        b[i] = a[i][i & 3];
        a[i] = __builtin_shufflevector(a[i], a[i], 3, 2, 1, 0);
        m[i] = m[i] & m[n - i];
    }
}

int overflow(int *a, int n)
{
    int any = 0;
    for (int i = 0; i < n; i++)
        any |= __builtin_mul_overflow(a[i], i, &a[i]);
    return any;
}

void saturate(int *a, unsigned *b, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = __builtin_elementwise_add_sat(a[i], 5);
        b[i] = (unsigned)__builtin_popcount(b[i]) + __builtin_bswap32(b[i]) +
               __builtin_bitreverse32(b[i]) + (unsigned)abs(a[i]);
        a[i] = __builtin_clz(b[i] | 1) + __builtin_ctz(b[i] | 4) + (a[i] > 3 ? a[i] : 3);
    }
}

int variadic(int n, ...)
{
    va_list ap;
    int sum = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        sum += va_arg(ap, int);
    va_end(ap);
    return sum;
}

void math(double *a, float *b, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = sin(a[i]) + pow(a[i], 2.5) + fmod(a[i], 3) + tgamma(a[i]) + hypot(a[i], 1);
        b[i] = expf(b[i]) + floorf(b[i]) + copysignf(b[i], -1) + fmaf(b[i], b[i], 1) + fminf(b[i], 2);
        a[i] += isnan(a[i]) + signbit(a[i]) + lround(a[i]) + ldexp(a[i], i) + erf(a[i]);
    }
}

void math_memory(double *a, double *b, int *e, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = frexp(b[i], &e[i]);
        a[i] += modf(b[i], &b[i]);
        sincos(b[i], &a[i], &b[i]);
    }
}

void own_name(double *a, int n)
{
    double (*f)(double) = n & 1 ? sin : cos;
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
}

float rounding(float *a, int n)
{
#pragma STDC FENV_ACCESS ON
    float sum = 0;
    fesetround(FE_UPWARD);
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum;
}

size_t strings(char *to, const char *from)
{
    size_t n = 0;
    for (const char *p = from; *p; p++)
        if (!isspace((unsigned char)*p))
            to[n++] = (char)toupper((unsigned char)*p);
    to[n] = 0;
    for (size_t i = 0; i < n / 2; i++) {
        char c = to[i];
        to[i] = to[n - 1 - i];
        to[n - 1 - i] = c;
    }
    return strlen(to) + strspn(from, "abc");
}

int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

void sort(int *a, int n)
{
    qsort(a, (size_t)n, sizeof *a, compare);
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
            int t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
}

void wrapping(unsigned char *a, unsigned n, unsigned char m)
{
    for (unsigned char i = 0; i != m; i += 3)
        a[i] = i;
    for (unsigned i = n; i > 0; i -= 7)
        a[i]++;
    for (unsigned i = n; i--;)
        a[i * 3u] = a[i] >> 1;
}

void doubles_as_counters(double *a, double end)
{
    for (double x = 0; x < end; x += 0.5)
        a[(int)x] = x;
}

void bits_of_floats(float *a, unsigned *b, int n)
{
    for (int i = 0; i < n; i++) {
        unsigned u;
        memcpy(&u, &a[i], 4);
        b[i] = u & 0x7fffffff;
    }
}

void limits(signed char *a, long long n)
{
    for (long long i = -n; i < n; i++)
        a[i] = (signed char)(a[-i] / (i ? i : 1));
    for (long long i = 0; i < 0x7fffffffffffffff; i += 0x1000000000000000)
        a[i] = 0;
}

void remainder_of_data(int *a, int *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] % (a[i] | 1) + n / (i + 1);
    for (int i = 0; i < n; i++)
        a[(i + 1) % n] = b[i];
    for (int i = 0; i < n; i++)
        a[i / 2] = b[i * i];
}

void say(int n)
{
    for (int i = 0; i < n; i++)
        printf("%d\n", i);
}
