/* Many ways to one value. */
void classify(int *out, int n, int a, int b, int c)
{
    for (int i = 0; i < n; i++) {
        int v;
        if (i < a)
            v = 1;
        else if (i < b)
            v = i;
        else if (i == c)
            v = -1;
        else if (i < a + b)
            v = a;
        else if (i > 3 * c)
            v = b;
        else
            v = 2 * i;
        out[i] = v;
    }
}
int which(const int *p, int n)
{
    int r = 0;
    for (int i = 0; i < n; i++)
        r = p[i] == 1 ? 10 : p[i] == 2 ? 20 : p[i] == 3 ? r : p[i] ? 30 : -r;
    return r;
}
