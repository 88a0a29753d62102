// FLAGS: -fdebug-info-for-profiling -gmlt -fpseudo-probe-for-profiling
static float get(const float *a, int i) { return a[i]; }
void f(float *restrict a, const float *restrict b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = get(b, i) + get(b, i + 1);
}
