/* __int128 and wide _BitInt in bounds, counters, sums and elements. */
typedef __int128 wide;
wide sum(const long *a, long *b, int n)
{
    wide s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i];
        b[i] = 1;
    }
    return s;
}
void counter(int *a, wide n)
{
    for (wide i = 0; i < n; i++)
        a[i] = (int)i;
}
void high(unsigned long *a, const unsigned long *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = (unsigned long)(((unsigned __int128)a[i] * b[i]) >> 64);
}
void bits(_BitInt(200) *a, _BitInt(129) m, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * (_BitInt(200))m;
    for (_BitInt(129) i = 0; i < m; i++)
        a[0] += 1;
}
