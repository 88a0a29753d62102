/* What has no text is a comment with the reason, and a remark; the rest of the file
 * compiles.  Without loops to offload there is a file, too.
 *
 * RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=ptx \
 * RUN:   -mllvm -gpu-cuda-path= -c %s -o %t.o -mllvm -gpu-print-kernels=%t.cu \
 * RUN:   -Rpass=gpu-polyhedral -Rpass-analysis=gpu-polyhedral 2> %t.log
 * RUN: %FileCheck %s < %t.cu
 * RUN: %FileCheck --check-prefix=LOG %s < %t.log
 * RUN: %clang -x cuda --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -O1 \
 * RUN:   -Wno-unknown-cuda-version -Xclang -target-sdk-version=12.8 -Wall \
 * RUN:   -Wno-unused-function -Werror -include %S/Inputs/cuda.h \
 * RUN:   --cuda-device-only -S %t.cu -o - | %FileCheck --check-prefix=PTX %s
 * RUN: echo 'int main(void) { return 0; }' > %t.none.c
 * RUN: %clang_gpu -O3 -mllvm -gpu-offload -c %t.none.c -o %t.o \
 * RUN:   -mllvm -gpu-print-kernels=%t.cu
 * RUN: %FileCheck --check-prefix=NONE %s < %t.cu
 * RUN: %not %clang_gpu -O3 -mllvm -gpu-offload -c %t.none.c -o %t.o \
 * RUN:   -mllvm -gpu-print-kernels=%t.none/no.cu 2>&1 | \
 * RUN:   %FileCheck --check-prefix=FOLDER %s
 *
 * LOG: loops offloaded as 1 kernel: turned_
 * LOG: {{.*}}.cu: kernel turned_[[#L:]]_0 is not printed: bits of a number of this width are moved
 * LOG: loops offloaded as 1 kernel: floats_
 * LOG-NOT: is not printed
 *
 * PTX-NOT: .visible .entry turned_
 * PTX: .visible .entry floats_
 *
 * NONE: - kernels of missing.c.tmp.none.c
 * NONE-NOT: __global__
 *
 * FOLDER: error: -gpu-print-kernels={{.*}}no.cu: No such file or directory
 */

/* CHECK: // ---- turned, missing.c
 * CHECK: // kernel turned_[[#L:]]_0 is not here: bits of a number of this width are moved.
 * CHECK: // launch_turned_[[#L]] is not here, since a kernel is not.
 */
void turned(int n, int *restrict a, const int *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = __builtin_elementwise_fshl((unsigned _BitInt(24))b[i],
                                          (unsigned _BitInt(24))a[i],
                                          (unsigned _BitInt(24))i);
}

/* CHECK: // ---- floats, missing.c
 * CHECK: extern "C" __global__
 * CHECK: launch_floats_
 */
void floats(int n, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] + b[i];
}
