#include <stdio.h>

void scale(int n, double *a);

int main(void)
{
    static double a[1000];

    a[999] = 20;
    scale(1000, a);
    printf("%g %g\n", a[0], a[999]);
    return 0;
}
