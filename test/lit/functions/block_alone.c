/* A copy of bytes between calls stays one: as loops it would be a SCoP of which nothing
 * is gained, with all of the code around it.  Rows are loops.
 *
 * RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated -S -emit-llvm \
 * RUN:   -Rpass=gpu-polyhedral %s -o %t.ll 2>&1 | %FileCheck %s
 * RUN: %FileCheck --check-prefix=IR %s < %t.ll
 *
 * CHECK-NOT: block_alone.c:{{.*}} offloaded
 * CHECK: block_alone.c:[[# @LINE + 20]]:{{.*}} loops offloaded as 1 kernel: rows_
 * CHECK-NOT: block_alone.c:{{.*}} offloaded
 *
 * IR: @between(
 * IR: call void @llvm.memcpy
 */
#include <string.h>

int next(void);

void between(unsigned char *to, const unsigned char *from, size_t n)
{
    while (next()) {
        memcpy(to, from, n);
        to += n;
    }
}

void rows(unsigned char *restrict to, const unsigned char *restrict from, int m, size_t n)
{
    for (int i = 0; i < m; i++)
        memcpy(to + i * n, from + 2 * i * n, n);
}
