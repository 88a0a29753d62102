// FLAGS: -m32 -ffreestanding
/* Another size of pointers. */
long long sums[50];
void f(float *a, unsigned n, long long m)
{
    for (unsigned i = 0; i < n; i++)
        a[i] *= 2;
    for (long long i = 0; i < m; i++)
        a[i] = 1;
    for (int i = 0; i < 50; i++)
        sums[i] = i * m;
}
