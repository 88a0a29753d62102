/* printf of a constant line becomes puts of another string, which is a constant
 * of its own, while the loop is looked at. */
#include <stdio.h>

void greet(int n)
{
    for (int i = 0; i < n; i++)
        printf("hello world\n");
}

#ifdef BESIDE
void scale(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}
#endif
