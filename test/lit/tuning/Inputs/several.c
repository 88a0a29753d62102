/* Several nests of loops, whose random numbers are by a seed, and whose results
 * go to a file and, as a sum, to stdout.
 *
 *   several N SEED FILE
 *
 * ONE: scaled only.  NO_PRODUCT: not that.  SHIFTED: other lines, names, code.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SHIFTED
static int unrelated(int n)
{
    return n / 3 + 1;
}
#define scaled renamed
#define a first
#endif

void scaled(int n, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] * 2.5f + 1.0f;
}

#if !defined(ONE) && !defined(NO_PRODUCT)
void product(int n, float C[n][n], float A[n][n], float B[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i][j] = 0;
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
}

#endif
#ifndef ONE
void sweeps(int n, int steps, float *restrict x, float *restrict y)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            y[i] = (x[i - 1] + x[i] + x[i + 1]) * 0.25f;
        for (int i = 1; i < n - 1; i++)
            x[i] = y[i];
    }
}

#endif

static uint64_t state;

static float *numbers(size_t count)
{
    float *a = malloc((count ? count : 1) * sizeof(*a));

    for (size_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        a[i] = (float)(int32_t)(state >> 32) / 2147483648.0f;
    }
    return a;
}

int main(int argc, char **argv)
{
    size_t n = argc > 3 ? (size_t)atoi(argv[1]) : 0;
    FILE *file = argc > 3 ? fopen(argv[3], "wb") : NULL;
    float *A, *B, *C, sum = 0;

    if (!file)
        return 1;
    state = strtoull(argv[2], NULL, 10);
    A = numbers(n * n + 1), B = numbers(n * n + 1), C = numbers(n * n + 1);
    scaled((int)(n * n), C, A);
#ifndef ONE
    sweeps((int)(n * n), 6, A, C);
#ifndef NO_PRODUCT
    product((int)n, (void *)C, (void *)A, (void *)B);
#endif
#else
    C[0] += B[0];
#endif
    for (size_t i = 0; i < n * n; i++)
        sum += C[i];
    fwrite(C, sizeof(*C), n * n, file);
    fclose(file);
    printf("%a\n", (double)sum);
#ifdef SHIFTED
    return unrelated(0) - 1;
#endif
    return 0;
}
