// FLAGS: -gline-directives-only
void f(int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = i;
}
