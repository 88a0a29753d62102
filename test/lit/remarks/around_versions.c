// An element that is the same in all iterations of an inner loop, d[y * n + k],
// may be one that the loop stores: of that loop there are versions, and the
// remark at the loop around says so, not that its control flow was odd.  Read
// in front of the inner loop it lets the whole nest be offloaded.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s --implicit-check-not="one entry and one exit"

// CHECK: around_versions.c:[[#@LINE+4]]:9: remark: loop not offloaded: a loop inside of it reads what one of its stores might change, and is looked at by itself, for runs in which none does; copy what it reads in each iteration into a local variable before it
void again(unsigned *restrict d, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        for (unsigned y = 0; y < n; y++)
            for (unsigned x = 0; x < n; x++) {
                unsigned over = d[y * n + k] + d[k * n + x];
                if (over < d[y * n + x])
                    d[y * n + x] = over;
            }
}

// CHECK: around_versions.c:[[#@LINE+3]]:5: remark: loops offloaded as {{.*}}once_
void once(unsigned *restrict d, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        for (unsigned y = 0; y < n; y++) {
            unsigned first = d[y * n + k];
            for (unsigned x = 0; x < n; x++) {
                unsigned over = first + d[k * n + x];
                if (over < d[y * n + x])
                    d[y * n + x] = over;
            }
        }
}
