/* One kernel with an input and an output that is read as well; for tests of
 * what surrounds a program.. */
#include "exec.h"

enum { N = 60 };

static float a[N][N], b[N][N];

NOINLINE static void simple(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = b[i][j] * 0.5f + a[j][i];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof(float));
    harness_fill(b, N * N, sizeof(float));
    simple(N - 1);
    simple(N - 2);
    dump("b", b, sizeof b);
    return harness_end();
}
