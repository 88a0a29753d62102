// FLAGS: -fwrapv -ftrapv -fstack-protector-strong -D_FORTIFY_SOURCE=2 -ftrivial-auto-var-init=pattern
#include <string.h>
int f(int *a, int n)
{
    int t[32];
    for (int i = 0; i < 32; i++)
        t[i] = a[i] + n;
    memcpy(a, t, sizeof t);
    return t[n];
}
