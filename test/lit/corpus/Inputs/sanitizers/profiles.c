// FLAGS: -fprofile-instr-generate -fcoverage-mapping
void f(float *a, int n)
{
    for (int i = 0; i < n; i++)
        if (i & 1)
            a[i] = 1;
}
