// FLAGS: -fms-extensions
/* Address spaces of clang: thread segments and 32-bit pointers. */
#define SEG __attribute__((address_space(257)))
#define AS1 __attribute__((address_space(1)))
void one(AS1 float *a, float *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i];
    for (int i = 0; i < n; i++)
        b[i] = 0;
}
int segment(SEG int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
void narrow(int *__ptr32 a, int *b, int n)
{
    for (int i = 0; i < n; i++)
        b[i] = a[i];
}
