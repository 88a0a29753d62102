// Loops that were looked at apart from a refused one around them have its
// reason, and nothing that the compiler put there by itself.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck --implicit-check-not=polygpu.obstacle %s

struct complex {
    long double parts[2];
};

// CHECK: obstacle.c:[[#@LINE+7]]:9: remark: loop not offloaded: memory is copied or set as a block in line [[#@LINE+8]]
void identity(unsigned long p, unsigned long q, unsigned long row,
              long double *data)
{
    const struct complex zero = {{0.0L, 0.0L}};
    const struct complex one = {{1.0L, 0.0L}};
    for (unsigned long i = 0; i < p; i++)
        for (unsigned long j = 0; j < q; j++)
            *(struct complex *)(data + 2 * (i * row + j)) = i == j ? one : zero;
}
