// FLAGS: -fenable-matrix
/* Matrix types. */
typedef float m4 __attribute__((matrix_type(4, 4)));
void f(m4 *a, const m4 *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * b[i];
    for (int i = 0; i < n; i++)
        a[i] = __builtin_matrix_transpose(b[i]) + a[i] * 2.0f;
}
