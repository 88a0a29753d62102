// A bound that is read through an index is read from that array, also where the
// compiler has the load as a call of its own.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-targets=emulated -c \
// RUN:   -Rpass-missed=gpu-polyhedral %s -o %t.o 2>&1 | %FileCheck %s
void up(int z, int *restrict heap, const int *restrict weight)
{
    int t = heap[z];

    // CHECK: indirect_bound.c:[[@LINE+1]]:{{.*}}: whether it goes on depends on data, which is read from 'weight'; use a loop with a bound
    while (weight[t] < weight[heap[z >> 1]]) {
        heap[z] = heap[z >> 1];
        z >>= 1;
    }
    heap[z] = t;
}

// CHECK-NOT: remark:
