/* Nests of one to four dimensions, with sequential loops inside and outside;
 * for tests of tile, block and grid sizes. */
#include "exec.h"

enum { N = 13, M = 17, K = 7 };

static float a[N][M], b[M][N], c[N][N], d[K][N][M], e[K][N][M], f[N * M];
static float g[K][K][K][K], h[K][K][K][K];

NOINLINE static void line(int n)
{
    for (int i = 0; i < n; i++)
        f[i] = f[i] * 3 + 1;
}

NOINLINE static void product(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] *= 0.75f;
            for (int k = 0; k < m; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

NOINLINE static void stencil(int steps, int n, int m)
{
    for (int t = 0; t < steps; t++) {
        for (int k = 1; k < K - 1; k++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    e[k][i][j] = d[k - 1][i][j] * 0.1f + d[k + 1][i][j] +
                                 d[k][i - 1][j] - d[k][i][j + 1];
        for (int k = 1; k < K - 1; k++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    d[k][i][j] = e[k][i][j] * 0.5f;
    }
}

NOINLINE static void four(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    h[l][j][k][i] = g[i][j][k][l] + 1;
}

/* Gauss-Seidel: a wavefront. */
NOINLINE static void wave(int n, int m)
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            a[i][j] = a[i - 1][j] * 0.5f + a[i][j - 1] * 0.25f;
}

NOINLINE static void triangle(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < i - j; k++)
                c[i][j] += b[k][j] * b[k][i];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, sizeof a / 4, 4);
    harness_fill(b, sizeof b / 4, 4);
    harness_fill(c, sizeof c / 4, 4);
    harness_fill(d, sizeof d / 4, 4);
    harness_fill(e, sizeof e / 4, 4);
    harness_fill(f, sizeof f / 4, 4);
    harness_fill(g, sizeof g / 4, 4);
    poison(h, sizeof h);
    line(N * M);
    product(N, M);
    stencil(3, N, M);
    four(K);
    wave(N, M);
    triangle(N);
    dump("a", a, sizeof a);
    dump("c", c, sizeof c);
    dump("d", d, sizeof d);
    dump("e", e, sizeof e);
    dump("f", f, sizeof f);
    dump("h", h, sizeof h);
    return harness_end();
}
