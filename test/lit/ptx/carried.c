// In the loops of recurrences nothing is loaded that an iteration before had
// stored: neither in a loop of steps nor in one of strips, whatever the
// direction and the stride.  One that goes two steps back, but not one, loads.
// What is written along rows is collected in shared memory, unless that is off.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_90 -disable-output %t.ll \
// RUN:   2>&1 | %python %S/carried.py > %t.loops
// RUN: %FileCheck %s < %t.loops
// RUN: %FileCheck --check-prefix=NOT %s < %t.loops
//
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_90 -gpu-promotion=off \
// RUN:   -disable-output %t.ll 2>&1 | %python %S/carried.py > %t.off
// RUN: %FileCheck --check-prefixes=OFF,NOT %s < %t.off
//
// OFF: scan_{{.*}}: loads 0 stores 8
// OFF: rows_{{.*}}: loads 0 stores 4
// NOT-NOT: {{(steps|scan|rows|columns|back)_.* loads [1-9]}}
// CHECK: steps_{{.*}}: loads 0 stores
// CHECK: scan_{{.*}}: loads 0 stores 1{{$}}
// CHECK: rows_{{.*}}: loads 0 stores 1{{$}}
// CHECK: columns_{{.*}}: loads 0 stores 16
// CHECK: back_{{.*}}: loads 0 stores 16
// CHECK: alternate_{{.*}}: loads {{[1-9]}}

void steps(int n, int m, int last, double a[last][n][m], double b[last][n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int t = 1; t < last; t++)
                a[t][i][j] = 0.5 * a[t - 1][i][j] + b[t][i][j];
}

void scan(int n, int m, float a[n][m], float b[n][m])
{
    for (int i = 0; i < n; i++)
        for (int t = 1; t < m; t++)
            a[i][t] = a[i][t - 1] + b[i][t];
}

void rows(int n, int m, double a[n][m], double b[n][m])
{
    for (int i = 0; i < n; i++)
        for (int t = 2; t < m; t++)
            a[i][t] = 0.5 * a[i][t - 1] + 0.25 * a[i][t - 2] + b[i][t];
}

void columns(int n, int m, double a[m][n], double b[m][n])
{
    for (int i = 0; i < n; i++)
        for (int t = 2; t < m; t++)
            a[t][i] = 0.5 * a[t - 1][i] + 0.25 * a[t - 2][i] + b[t][i];
}

void back(int n, int m, double a[m][n], double b[m][n])
{
    for (int i = 0; i < n; i++)
        for (int t = m - 2; t >= 0; t--)
            a[t][i] = 0.5 * a[t + 1][i] + b[t][i];
}

void alternate(int n, int m, int last, double a[last][n][m],
               double b[last][n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int t = 2; t < last; t++)
                a[t][i][j] = 0.5 * a[t - 2][i][j] + b[t][i][j];
}
