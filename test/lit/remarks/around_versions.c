// A part of a subscript that is the same in all iterations of an inner loop, start[y], may
// be one of the elements that the loop stores: of that loop there are versions, and the
// remark at the loop around says so, not that its control flow was odd. What is data, and
// not a part of a subscript, leaves the nest as it is: read again, or read in front of the
// inner loop.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s --implicit-check-not="one entry and one exit"

// CHECK: around_versions.c:[[#@LINE+5]]:9: remark: loops offloaded
// CHECK: around_versions.c:[[#@LINE+3]]:5: remark: loop not offloaded: a loop inside of it reads what one of its stores might change, and is looked at by itself, for runs in which none does; copy what it reads in each iteration into a local variable before it [-Rpass-missed=gpu-polyhedral]
void within(int *d, const int *start, int n)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            d[y * n + x + start[y]] += x;
}

// CHECK: around_versions.c:[[#@LINE+3]]:5: remark: loops offloaded as {{.*}}again_
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
