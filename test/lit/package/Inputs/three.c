/* A program with offloaded loops, and two libraries that have some: "first" is
 * linked, "second" linked, or loaded and unloaded twice. */
#include <dlfcn.h>
#include <stdio.h>

#ifdef LIBRARY
void LIBRARY(int n, double *a);

void LIBRARY(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = 2 * a[i] + 1;
}
#else
void first(int n, double *a);
void second(int n, double *a);

static double a[1000];

static void call_second(const char *file)
{
#ifdef LOADS
    void *library = dlopen(file, RTLD_NOW);
    void (*found)(int, double *) = library ? dlsym(library, "second") : NULL;

    if (found)
        found(1000, a);
    else
        fputs(dlerror(), stderr);
    if (library)
        dlclose(library);
#else
    (void)file;
    second(1000, a);
#endif
}

int main(int argc, char **argv)
{
    for (int i = 0; i < 1000; i++)
        a[i] = i;
    first(1000, a);
    call_second(argv[argc - 1]);
    call_second(argv[argc - 1]);
    fprintf(stderr, "%g %g\n", a[0], a[999]);
    return 0;
}
#endif
