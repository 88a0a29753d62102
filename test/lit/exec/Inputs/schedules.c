/* Two loop nests for schedules that are loaded; see schedules.test. */
#include "exec.h"

enum { N = 75 };

static float a[N][N], b[N][N];

NOINLINE static void both(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = b[i][j] * 2;
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[i - 1][j] + 1;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    poison(a, sizeof a);
    harness_fill(b, N * N, sizeof(float));
    both(N);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    return harness_end();
}
