// FLAGS: -fsanitize=memory -fsanitize-memory-track-origins
int f(int *a, int n)
{
    int b[10];
    for (int i = 0; i < n; i++)
        b[i] = a[i];
    for (int i = 0; i < 10; i++)
        a[i] = 2;
    return b[3];
}
