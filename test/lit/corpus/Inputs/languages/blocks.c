// FLAGS: -fblocks
/* Blocks called in loops. */
void each(float *a, int n, float (^f)(float))
{
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
}
void twice(float *a, int n)
{
    float by = 2;
    each(a, n, ^(float x) { return x * by; });
    for (int i = 0; i < n; i++)
        a[i] += by;
}
