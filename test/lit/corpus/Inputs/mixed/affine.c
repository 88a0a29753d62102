/* Loops that are offloaded, in shapes that no other test has. */
#include <stddef.h>

void scale(float *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}

void several(double a[50][60], double b[60][50], double *c)
{
    for (int i = 0; i < 50; i++)
        for (int j = 0; j < 60; j++)
            a[i][j] = b[j][i];
    for (int i = 0; i < 49; i++)
        c[i] = c[i + 1] + a[i][0];
    for (int i = 0; i < 50; i++)
        c[i] += a[i][1];
}

static void inner(int n, float *a, const float *b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 1;
}

void by_calls(int n, float *a, float *b)
{
    for (int k = 0; k < 3; k++) {
        inner(n, a, b);
        inner(n, b, a);
    }
}

int live(int n, int *a)
{
    int i, last = 0;
    for (i = 0; i < n; i++)
        a[i] = last = 3 * i;
    return i + last;
}

void ranges(int n, int m, short *restrict a, const short *restrict b)
{
    for (int i = n; i < m; i += 4)
        for (int j = 2 * i; j < 2 * i + 7; j++)
            a[j] = b[j - n];
}

void conditional(int n, int m, long *a)
{
    for (int i = 0; i < n; i++) {
        if (i < m)
            a[i] = 1;
        else if (i > m + 5)
            a[i] += 2;
        if (i % 3 == 1)
            a[i] = 4;
    }
}

void sequential_outside(int n, double a[n], double x)
{
    for (int t = 0; t < 100; t++) {
        a[0] = x;
        for (int i = 1; i < n; i++)
            a[i] = a[i] * 0.5 + x;
    }
}

void empty_range(int *a)
{
    for (int i = 10; i < 5; i++)
        a[i] = 1;
    for (int i = 0; i < 1; i++)
        a[i] = 1;
}

int main(int argc, char **argv)
{
    static float a[1000], b[1000];
    scale(a, argc);
    by_calls(argc * 3, a, b);
    return (int)a[7] + !argv[0];
}
