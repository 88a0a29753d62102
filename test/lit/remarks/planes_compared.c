// Where one array may be accessed as two, with rows of different lengths, it is
// asked which sizes have them at the same place: within a number of operations.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass-missed=gpu-polyhedral 2>&1 | %FileCheck %s
//
// CHECK: planes_compared.c:[[#@LINE+10]]:{{[0-9]+}}: remark: loop not offloaded: to find where array 'planes' is accessed with different element types or row sizes at the same place took more than 200000 operations; use one type and one row size
enum { ROWS = 16, COLUMNS = 20 };
static unsigned char planes[2][ROWS][COLUMNS];

unsigned char at(int p, int i, int j) { return planes[p][i][j]; }

void torus(int n, int m, int steps)
{
    for (int t = 0; t < steps; t++)
        for (long i = 1; i < n - 2; i += 2)
            for (long j = m - 3; j > 1; j--)
                if ((i + j) % 3 == 0) {
                    if (i > j)
                        planes[~t & 1][i][j] =
                            planes[t & 1][(i + 1) % n][(j - 1 + m) % m];
                } else {
                    planes[~t & 1][i][j] = (-1 - planes[t & 1][i - 1][j]);
                }
}
