// FLAGS: --target=amdgcn-amd-amdhsa -nogpulib -ffreestanding
/* C compiled for a GPU: its stack is in a space of its own. */
void f(float *a, int n)
{
    float t[16];
    for (int i = 0; i < 16; i++)
        t[i] = a[i];
    for (int i = 0; i < n; i++)
        a[i] = t[i & 15] * 2;
}
