void scale(int n, double *a);

void scale(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = 2 * a[i] + 1;
}
