// FLAGS: -fexceptions
/* Cleanups in C, with unwinding. */
void release(int **p);
void use(int *);
void f(int *a, int n)
{
    __attribute__((cleanup(release))) int *held = a;
    for (int i = 0; i < n; i++)
        a[i] = 5;
    for (int i = 0; i < n; i++) {
        __attribute__((cleanup(release))) int *inner = a + i;
        use(inner);
    }
}
