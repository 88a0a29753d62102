/* FLAGS: -std=gnu89 -fno-builtin */
int sqrt();
f(a, n)
int *a;
{
    int i;
    for (i = 0; i < n; i++)
        a[i] = sqrt(i);
    for (i = 0; i < n; i++)
        a[i] = i;
    return 0;
}
