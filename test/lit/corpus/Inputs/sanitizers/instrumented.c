// FLAGS: -finstrument-functions -pg -fsanitize-coverage=trace-pc-guard
static float twice(float x) { return 2 * x; }
void f(float *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = twice(a[i]);
}
