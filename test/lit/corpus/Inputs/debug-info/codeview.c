// FLAGS: --target=x86_64-pc-windows-msvc -ffreestanding -gcodeview
void f(float *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] *= 3;
}
