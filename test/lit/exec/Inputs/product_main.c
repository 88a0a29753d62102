/* Calls the Fortran subroutines. */
#include "exec.h"

void product_(const int *n, double *a, double *b, double *c);
void sections_(const int *n, double *x, double *y);
void allocated_(const int *n, double *x, double *y);

int main(int argc, char **argv)
{
    enum { N = 21 };
    static double a[N * N], b[N * N], c[N * N], y[2 * N], z[N];
    const int n = N;

    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof(double));
    harness_fill(b, N * N, sizeof(double));
    poison(c, sizeof c);
    product_(&n, a, b, c);
    poison(y, sizeof y);
    poison(z, sizeof z);
    sections_(&n, a, y);
    allocated_(&n, b, z);
    dump("c", c, sizeof c);
    dump("y", y, sizeof y);
    dump("z", z, sizeof z);
    return harness_end();
}
