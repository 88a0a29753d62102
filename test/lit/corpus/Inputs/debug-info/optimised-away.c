// FLAGS: -g -fextend-variable-liveness
int f(int *a, int n)
{
    int unused = n * 3, last = 0, half = n / 2;
    for (int i = 0; i < n; i++) {
        int square = i * i, twice = 2 * i;
        a[i] = twice;
        (void)square;
    }
    for (int i = 0, j = n; i < half; i++, j--)
        a[j] = i;
    return unused + last;
}
