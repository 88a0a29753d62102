/* A triangle, a product in tiles, and threads that exchange elements behind
 * barriers, for errors that are planted. */
void triangle(int n, float a[n][n], const float *b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            a[i][j] += b[i - j] * b[j];
}

void product(int n, int m, int k, float a[n][k], float b[k][m], float c[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < k; l++)
                c[i][j] += a[i][l] * b[l][j];
}

void exchange(int n, int t, float a[n][20], float b[n][20])
{
    for (int i = 0; i < n; i++)
        for (int s = 0; s < t; s++) {
            for (int j = 1; j < 19; j++)
                b[i][j] = a[i][j - 1] + a[i][j + 1];
            for (int j = 1; j < 19; j++)
                a[i][j] = b[i][j] * 0.5f;
        }
}
