/* Loops that may have no end, around reads at places that are computed. */
void f1(int n1, const unsigned short *a1, long long *to, int m)
{
    for (unsigned short k = 1; k < n1; k++)
        for (int l = k; l <= 17; l++)
            to[l] = a1[(l * k) % m];
}
void f2(int n1, const int *at, const float *x, float *to)
{
    for (unsigned char k = 1; k < n1; k++)
        for (int l = k; l <= 17; l++)
            to[l] = x[at[l] + k];
}
void f3(int n1, const float *x, float *to, float s)
{
    for (unsigned char k = 1; k < n1; k++)
        for (int l = 0; l <= 17; l++)
            to[l + k] = x[(int)((l + k) * s)];
}
