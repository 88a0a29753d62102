// FLAGS: -fsanitize=address,undefined
/* Checked by two sanitizers, with an exception. */
void checked(int *a, int n)
{
    int local[20];
    for (int i = 0; i < 20; i++)
        local[i] = i << 3;
    for (int i = 0; i < n; i++)
        a[i] = local[i] / (n - 7);
}
__attribute__((no_sanitize("address", "undefined"))) void plain(float *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}
