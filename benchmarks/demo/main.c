/* main.c - random matrices, the time of their product, and the result in a
 * file.
 *
 *   matmul N M K SEED FILE
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void matmul(int n, int m, int k, float alpha, float beta, float A[n][k],
            float B[k][m], float C[n][m]);

static uint64_t state;

/* A random number between -1 and 1. */
static float next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (float)(int32_t)(state >> 32) / 2147483648.0f;
}

static float *matrix(int rows, int columns)
{
    size_t count = (size_t)rows * (size_t)columns;
    float *a = malloc((count ? count : 1) * sizeof(*a));

    if (!a) {
        fprintf(stderr, "matmul: no memory for %d x %d elements\n", rows,
                columns);
        exit(1);
    }
    for (size_t i = 0; i < count; i++)
        a[i] = next();
    return a;
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: matmul N M K SEED FILE\n");
        return 1;
    }
    int n = atoi(argv[1]), m = atoi(argv[2]), k = atoi(argv[3]);
    state = strtoull(argv[4], NULL, 10);
    float *A = matrix(n, k), *B = matrix(k, m), *C = matrix(n, m);
    float alpha = next(), beta = next();

    double start = seconds();
    matmul(n, m, k, alpha, beta, (void *)A, (void *)B, (void *)C);
    printf("seconds %.6f\n", seconds() - start);

    FILE *file = fopen(argv[5], "wb");
    size_t count = (size_t)n * (size_t)m;
    if (!file || fwrite(C, sizeof(*C), count, file) != count || fclose(file)) {
        fprintf(stderr, "matmul: cannot write %s\n", argv[5]);
        return 1;
    }
    free(A);
    free(B);
    free(C);
    return 0;
}
