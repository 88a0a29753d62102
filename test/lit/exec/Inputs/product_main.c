/* Calls the Fortran subroutine. */
#include "exec.h"

void product_(const int *n, double *a, double *b, double *c);

int main(int argc, char **argv)
{
    enum { N = 21 };
    static double a[N * N], b[N * N], c[N * N];
    const int n = N;

    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof(double));
    harness_fill(b, N * N, sizeof(double));
    poison(c, sizeof c);
    product_(&n, a, b, c);
    dump("c", c, sizeof c);
    return harness_end();
}
