// LLVM makes other calls of the C library of some, like puts() of printf(), in
// the offloaded copy: the function as it was written was said to make other
// calls than its copy.
//
// RUN: %clang_gpu -O3 -mfma -mllvm -gpu-verify=execute -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass-analysis=gpu-polyhedral \
// RUN:   -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not='not offloaded'
// CHECK: loops offloaded as 1 kernel: says
// CHECK: executed as written and offloaded, with equal results
// The length of a text is known in the copy, where a function is part of it.
#include <stdio.h>
#include <string.h>

void write_text(FILE *file, const char *text, size_t length);

static void put(FILE *file, const char *text)
{
    write_text(file, text, strlen(text));
}

void says(int n, const float *restrict from, float *restrict to, FILE *file)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] * 2 + 1;
    printf("a line\n");
    printf("%s\n", "another one");
    printf("\n");
    fprintf(file, "a third one\n");
    put(file, "a fourth one\n");
    put(file, "the last one\n");
}
