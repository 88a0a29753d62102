// One thread copies a box in thousands of rounds, of few nodes of the AST.  What is
// generated ends in the middle of them (fuzzer, seed 60001841: 90 seconds).
// RUN: %clang_gpu -O3 -c %s -o %t.o -mllvm -gpu-offload -Rpass-missed=gpu-polyhedral \
// RUN:   -mllvm "-gpu-sizes={ kernel[i] -> block[1]; kernel[i] -> tile[8,1024] }" 2>&1 | %FileCheck %s

void sum(int n, int m, const short (*a)[1000], short (*c)[1000])
{
    // CHECK: :[[#@LINE+2]]:9: remark: loop not offloaded: the code of kernel 0 has more than 200000 instructions, {{.*}}: tile 8, steps of 1024, a thread has 8;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            c[i][0] += a[i][k];
}

// A near twin whose rounds are few.
// RUN: %clang_gpu -O3 -c %s -o %t.o -mllvm -gpu-offload -Rpass-analysis=gpu-polyhedral \
// RUN:   -mllvm "-gpu-sizes={ kernel[i] -> block[1]; kernel[i] -> tile[8,8] }" 2>&1 | %FileCheck --check-prefix=FEW %s
// FEW: remark: kernel sum_{{.*}}tile 8, steps of 8, {{.*}}shared memory
