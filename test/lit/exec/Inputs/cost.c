/* A matrix product and a sum of vectors; the arguments are their sizes, 0 for
 * neither. */
#include "exec.h"

NOINLINE static void product(int n, float a[n][n], float b[n][n], float c[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

NOINLINE static void sum(int n, const double *a, const double *b, double *c)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

HOST void *array(size_t count, size_t size)
{
    void *memory = harness_alloc(count, size);

    harness_fill(memory, count, size);
    return memory;
}

int main(int argc, char **argv)
{
    int n, m;

    harness_start(argc, argv);
    n = harness_size(1);
    m = harness_size(2);
    if (n) {
        size_t all = (size_t)n * n;
        float *c = array(all, sizeof *c);

        product(n, array(all, sizeof *c), array(all, sizeof *c), (void *)c);
        dump_float("c", c, all);
    }
    if (m) {
        double *c = array(m, sizeof *c);

        sum(m, array(m, sizeof *c), array(m, sizeof *c), c);
        dump_double("sum", c, m);
    }
    return harness_end();
}
