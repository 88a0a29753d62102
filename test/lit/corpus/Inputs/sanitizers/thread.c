// FLAGS: -fsanitize=thread
void f(long *a, long n)
{
    for (long i = 0; i < n; i++)
        a[i] = i;
    __atomic_fetch_add(a, 1, 5);
}
