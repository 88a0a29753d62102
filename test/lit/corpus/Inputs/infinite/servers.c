/* Loops without end in C: with work inside, with exits by call. */
#include <stdlib.h>
int poll(void);
void serve(float *a, int n)
{
    for (;;) {
        if (poll() < 0)
            exit(1);
        for (int i = 0; i < n; i++)
            a[i] *= 0.5f;
    }
}
_Noreturn void blink(volatile unsigned *port)
{
    while (1) {
        *port ^= 1;
        for (volatile int i = 0; i < 1000; i++)
            ;
    }
}
void wrap(unsigned char *a)
{
    for (unsigned char i = 0; i < 256; i++)
        a[i] = i;
}
void never_false(int *a, unsigned n)
{
    for (unsigned i = n; i >= 0; i--)
        a[i] = 1;
}
