// Input and output in loops, with files.
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iostream>
void save(const double *a, int n, const char *name)
{
    std::ofstream out(name);
    for (int i = 0; i < n; i++)
        out << std::setw(12) << std::setprecision(4) << a[i] << '\n';
}
void load(double *a, int n)
{
    for (int i = 0; i < n && std::cin >> a[i]; i++)
        ;
    for (int i = 0; i < n; i++)
        a[i] /= 2;
    for (int i = 0; i < n; i++)
        std::printf("%g\n", a[i]);
}
