/* A driver without any device (FAILS=0), or one that does not work. */
#ifndef FAILS
#define FAILS 0
#endif

int cuInit(unsigned flags)
{
    (void)flags;
    return FAILS;
}

int cuDriverGetVersion(int *version)
{
    *version = 12040;
    return 0;
}

int cuDeviceGetCount(int *count)
{
    *count = 0;
    return 0;
}
