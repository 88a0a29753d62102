// The copy that makes c private for the sequential loop has no elements where m is
// 0, while the store in front is executed: its extents are computed there as well.
//
// RUN: %clang_gpu -O3 -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s \
// RUN:   -o %t.o 2>&1 | %FileCheck %s
// CHECK: empty_private.c:[[@LINE+8]]:{{[0-9]+}}: remark: loops offloaded as 3 kernels

extern int h[14][14];

void empty_private(int n, int m, long long *u, unsigned short c[n][m],
                   unsigned short d[n][m])
{
    u[2] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += 3)
            for (int k = m - 1; k >= 0; k--)
                c[i][j] = (unsigned short)(d[i][k] + h[i][j]);
}
