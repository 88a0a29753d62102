// FLAGS: -gline-tables-only
#define BODY(a, i) a[i] = (a)[i] * 2
static inline void row(float *a, int n)
{
    for (int i = 0; i < n; i++)
        BODY(a, i);
}
void f(float *a, int n, int m)
{
    for (int k = 0; k < m; k++)
        row(a + k * n, n);
#line 1000 "elsewhere.c"
    for (int i = 0; i < n; i++)
        a[i] = 1;
}
