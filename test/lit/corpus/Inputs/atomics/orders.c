/* Every order of <stdatomic.h>, in loops and around them. */
#include <stdatomic.h>
#include <stdbool.h>
void publish(float *a, int n, atomic_int *flag)
{
    for (int i = 0; i < n; i++)
        a[i] = 1;
    atomic_store_explicit(flag, 1, memory_order_release);
    while (!atomic_load_explicit(flag, memory_order_acquire))
        ;
    for (int i = 0; i < n; i++)
        a[i] += 2;
}
void histogram(atomic_uint *h, const unsigned char *p, int n)
{
    for (int i = 0; i < n; i++)
        atomic_fetch_add_explicit(&h[p[i]], 1, memory_order_relaxed);
}
void lock(atomic_flag *l, int *a, int n)
{
    while (atomic_flag_test_and_set(l))
        ;
    for (int i = 0; i < n; i++)
        a[i]++;
    atomic_flag_clear(l);
}
_Bool wide(_Atomic struct { long a, b, c; } *s, _Atomic double *d, int n)
{
    for (int i = 0; i < n; i++)
        d[i] += 1.0;
    return atomic_load(s).a == 3;
}
