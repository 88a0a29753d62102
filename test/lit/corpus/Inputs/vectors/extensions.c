/* Vector types of clang in affine loops, of many lengths. */
typedef float f2 __attribute__((ext_vector_type(2)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef double d3 __attribute__((ext_vector_type(3)));
typedef char c16 __attribute__((vector_size(16)));
typedef _Float16 h8 __attribute__((vector_size(16)));
void f(f2 *restrict a, const f4 *restrict b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i].xy + b[i].zw;
}
void g(d3 *a, c16 *c, h8 *h, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2.0;
    for (int i = 0; i < n; i++)
        c[i] = (c[i] == 3) & -c[i];
    for (int i = 0; i < n; i++)
        h[i] = h[i] * h[i];
}
void shift(f4 *v, const float *s, int n)
{
    for (int i = 0; i < n; i++) {
        v[i].x = s[i];
        v[i] = v[i].yzwx;
    }
}
