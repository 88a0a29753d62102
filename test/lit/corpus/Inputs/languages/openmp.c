// FLAGS: -fopenmp
/* Directives of OpenMP. */
float sum(float *a, float *b, int n)
{
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma omp simd
    for (int i = 0; i < n; i++)
        b[i] = a[i];
#pragma omp parallel
    {
#pragma omp for collapse(2) schedule(dynamic)
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < 10; j++)
                b[i * 10 + j] = 0;
#pragma omp critical
        b[0] += 1;
    }
#pragma omp tile sizes(8)
    for (int i = 0; i < n; i++)
        b[i] *= 2;
    return s;
}
