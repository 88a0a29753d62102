/* Nests of loops that have other kernels for other sizes; random numbers by a
 * seed.
 *
 *   sized N M SEED FILE    product of N x N, table of N x M, steps of N and M
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void product(int n, float C[n][n], float A[n][n], float B[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i][j] = 0;
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
}

void table(int n, int m, float T[n][m], const float *restrict a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            T[i][j] = T[i][j] * 0.5f + a[i];
}

/* Runs of different sizes, one after the other, between which nothing has to
 * move. */
void steps(int times, const int *restrict sizes, float *restrict x,
           const float *restrict y)
{
    for (int t = 0; t < times; t++) {
        int m = sizes[t];
        for (int i = 0; i < m; i++)
            x[i] = x[i] * 0.5f + y[i];
    }
}

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
    size_t n = argc > 4 ? (size_t)atoi(argv[1]) : 0;
    size_t m = argc > 4 ? (size_t)atoi(argv[2]) : 0;
    FILE *file = argc > 4 ? fopen(argv[4], "wb") : NULL;
    int sizes[] = {(int)n, (int)m, (int)n, (int)m, (int)n, (int)m};
    float *A, *B, *C, *T;

    if (!file)
        return 1;
    state = strtoull(argv[3], NULL, 10);
    A = numbers(n * n), B = numbers(n * n), C = numbers(n * n);
    T = numbers(n * m);
    product((int)n, (void *)C, (void *)A, (void *)B);
    table((int)n, (int)m, (void *)T, A);
    fwrite(C, sizeof(*C), n * n, file);
    fwrite(T, sizeof(*T), n * m, file);
    A = numbers(n + m), B = numbers(n + m);
    steps(6, sizes, A, B);
    fwrite(A, sizeof(*A), n + m, file);
    fclose(file);
    return 0;
}
