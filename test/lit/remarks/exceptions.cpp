// A call that may throw leaves the loop, too: that it is called is what is told, not
// that the loop has more than one exit.
//
// RUN: %clang++ --config=%cfg -O3 -mllvm -gpu-targets=emulated -c \
// RUN:   -Rpass-missed=gpu-polyhedral %s -o %t.o 2>&1 | %FileCheck %s
#include <cstdio>
#include <vector>

void print(int n, const double *a)
{
    std::vector<double> copy(a, a + n);

    // CHECK: exceptions.cpp:[[@LINE+1]]:{{.*}}: the call of 'printf' in line [[@LINE+2]]
    for (int i = 0; i < n; i++)
        std::printf("%f\n", copy[i]);
}

void thrown(int n, int *a)
{
    // CHECK: exceptions.cpp:[[@LINE+1]]:{{.*}}: the call of '__cxa_throw' in line [[@LINE+4]] may end the program or leave the loop; test for errors before or behind the loop
    for (int i = 0; i < n; i++)
        try {
            if (a[i] < 0)
                throw 1;
            a[i]++;
        } catch (int) {
            a[0] = 7;
        }
}

// CHECK-NOT: remark:
