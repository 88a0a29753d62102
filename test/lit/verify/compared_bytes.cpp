// memcmp() in the function as it was written is bcmp() in the copy, where what
// it returns is compared with 0 only.  Both were functions of which nothing is
// known, that return something else: the copy was said to end with a signal.
//
// RUN: %clang_gpu -O3 -mfma -mllvm -gpu-verify=execute -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass-analysis=gpu-polyhedral \
// RUN:   -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not='not offloaded'
#include <string.h>

static int compare(const char *a, const char *b, size_t n)
{
    return n == 0 ? 0 : memcmp(a, b, n);
}

extern "C" int same(int n, const float *__restrict from, float *__restrict to,
                    const char *a, const char *b, const char *text)
{
// CHECK: compared_bytes.cpp:[[#@LINE+1]]:5: remark: executed as written and offloaded, with equal results
    for (int i = 0; i < n; i++)
        to[i] = from[i] * 2 + 1;
    return compare(a, b, 5) == 0 ? 1 : strncmp(text, "x", 1) == 0 ? 2 : 3;
}
