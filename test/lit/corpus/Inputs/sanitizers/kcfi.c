// FLAGS: -fsanitize=kcfi -fcf-protection=full -fpatchable-function-entry=4
void f(float *a, int n, float (*g)(float))
{
    for (int i = 0; i < n; i++)
        a[i] = g(a[i]);
    for (int i = 0; i < n; i++)
        a[i] = 2;
}
