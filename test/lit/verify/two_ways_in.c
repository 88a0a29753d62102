// Two ways lead to the statement behind the first loops: around them, with 0 in
// i, and out of them, with n.  The check of the model executed the loops below
// as if control had come the first way, whatever n was, and refused them.
//
// RUN: %clang_gpu -O3 -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral \
// RUN:   -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK-NOT: differs
// CHECK: two_ways_in.c:[[@LINE+13]]:5: remark: model held against the program in {{[0-9]+}} runs: 2 of 2 statements, 3 of 3 accesses
// CHECK: two_ways_in.c:[[@LINE+12]]:5: remark: loops offloaded as
void two_ways_in(unsigned long n, int m, char (*a)[24],
                 unsigned short (*b)[22])
{
    unsigned long i;
    for (i = 0; i < n; i++) {
        unsigned long j = 0;
        while (b[i][j])
            j++;
        b[i][1] = j;
    }
    a[i][3] = 7;
    for (int k = 0; k < m; k++)
        b[i + 1][k + 1] = b[i][i];
}
