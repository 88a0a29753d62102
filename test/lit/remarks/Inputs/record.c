void rows(int n, float (*restrict a)[100], float (*restrict b)[100])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 100; j++)
            a[i][j] = 1;
        for (int j = 0; j < 100; j++)
            b[i][j] = 2;
    }
}

void gather(int n, float *restrict a, const int *restrict b)
{
    for (int i = 0; i < n; i++)
        a[b[i]] = i;
}
