/* Parts of a file that are not to be optimised. */
#pragma clang optimize off
void slow(float *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 1;
}
#pragma clang optimize on
void fast(float *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 1;
    for (int i = 0; i < n; i++)
        slow(a, i);
}
__attribute__((noinline, optnone)) static int bound(int n) { return n * 2; }
void with_bound(float *a, int n)
{
    int m = bound(n);
    for (int i = 0; i < m; i++)
        a[i] = 3;
}
