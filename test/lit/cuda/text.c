/* A product of matrices, a stencil and a sum as CUDA: loops that the compiled
 * kernel has unrolled, arrays in shared memory and registers, barriers, and the
 * host's loops around launches.
 *
 * RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=ptx \
 * RUN:   -mllvm -gpu-cuda-path= -mllvm -gpu-time=off -c %s -o %t.o \
 * RUN:   -mllvm -gpu-print-kernels=%t.cu -Rpass-analysis=gpu-polyhedral 2> %t.log
 * RUN: %FileCheck %s < %t.cu
 * RUN: %FileCheck --check-prefix=LOG %s < %t.log
 * RUN: %clang -x cuda --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -O1 \
 * RUN:   -Wno-unknown-cuda-version -Xclang -target-sdk-version=12.8 -Wall \
 * RUN:   -Wno-unused-function -Werror -include %S/Inputs/cuda.h \
 * RUN:   --cuda-device-only -S %t.cu -o %t.ptx
 * RUN: %FileCheck --check-prefix=PTX %s < %t.ptx
 *
 * LOG-NOT: is not printed
 *
 * PTX: .visible .entry product_
 * PTX: .visible .entry jacobi_
 * PTX: .visible .entry sum_
 */

/* CHECK: - kernels of text.c
 * CHECK: pragma clang fp contract(off)
 *
 * CHECK: // ---- product, text.c:[[#]], for sm_80 and newer devices
 * CHECK: // Arrays on the device: copyin(A, B), copyout(C).
 * CHECK: extern "C" __global__ void __launch_bounds__(256, 1)
 * CHECK-NEXT: product_[[#L:]]_0(
 * CHECK: __shared__ __align__(16) float shared[[#]]_A[2][8][132];
 * CHECK: __shared__ __align__(16) float shared[[#]]_B[2][8][128];
 * CHECK: float register[[#]]_C[8][8];
 * CHECK: int b0 = blockIdx.x;
 * CHECK: int t0 = threadIdx.x;
 * CHECK: if (0 < k / 8) {
 * CHECK: float4 [[V:v[0-9]+]] = *(float4 *)((char *)A + v[[#]]);
 * CHECK: [[N:next_shared[0-9]_A]]_0 = [[V]].x;
 * CHECK: shared[[#]]_A[0][v[[#]]][v[[#]]] = [[N]]_0;
 * CHECK: *(float4 *)&shared[[#]]_B[0][v[[#]] / 32][v[[#]] % 32 * 4] = make_float4(
 * CHECK: for (;;) {
 * CHECK-NEXT: __syncthreads();
 * CHECK: #pragma unroll
 * CHECK-NEXT: for (int c3 = 0; c3 <= 7; ++c3) {
 * CHECK: [[R:register[0-9]_C]][4 * u4 + u6][4 * u5 + u7] = fmaf(shared[[#]]_A[stage][c3][4 * t1 + 64 * u4 + u6], shared[[#]]_B[stage_1][c3][4 * t0 + 64 * u5 + u7], [[R]][4 * u4 + u6][4 * u5 + u7]);
 * CHECK: for (int e = t1 * 16 + t0; e < 1024; e += 256) {
 * CHECK: if ({{.*}}) {
 * CHECK-NEXT: shared[[#]]_A[0][v[[#]]][v[[#]]] = A[v[[#]] * A_size1 + v[[#]]];
 * CHECK-NEXT: } else {
 * CHECK-NEXT: shared[[#]]_A[0][v[[#]]][v[[#]]] = 0.0f;
 * CHECK: __syncthreads();
 * CHECK: extern "C" cudaError_t
 * CHECK-NEXT: launch_product_[[#L]](float *A, float *B, float *C, long long n, long long m,
 * CHECK: product_[[#L]]_0<<<dim3(v[[#]], v[[#]]), dim3(16, 16), 0, stream>>>(
 */
void product(int n, int m, int k, float C[restrict n][m],
             float A[restrict n][k], float B[restrict k][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            C[i][j] = 0;
            for (int l = 0; l < k; l++)
                C[i][j] += A[i][l] * B[l][j];
        }
}

/* Asynchronous copies of a loop that computes little: whole boxes as vectors, and
 * others element by element.
 *
 * CHECK: // ---- vector, text.c
 * CHECK: if (0 < m / [[#]]) {
 * CHECK: __pipeline_memcpy_async((char *)&shared[[#]]_A[0][v[[#]] + v[[#]]][v[[#]]], (char *)A + v[[#]] + v[[#]] * v[[#]], 16);
 * CHECK: __pipeline_commit();
 * CHECK: for (;;) {
 * CHECK: __pipeline_wait_prior(1);
 * CHECK-NEXT: __syncthreads();
 * CHECK: } else {
 * CHECK: __pipeline_memcpy_async((char *)&shared[[#]]_A[0][v[[#]]{{.*}}][v[[#]]], (char *)A + {{.*}}, 4, {{.*}} ? 0 : 4);
 */
void vector(int n, int m, float y[restrict n], float A[restrict n][m],
            float x[restrict m])
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < m; j++)
            y[i] += A[i][j] * x[j];
    }
}

/* Products that a compiler may not fuse with sums say so.
 *
 * CHECK: // ---- jacobi, text.c
 * CHECK: jacobi_[[#L:]]_0(
 * CHECK: #pragma unroll
 * CHECK-NEXT: for (int u2 = 0; u2 <= 1; ++u2) {
 * CHECK-NEXT: b[2 * t0 + 512 * b0 + u2] = __dmul_rn(a[2 * t0 + 512 * b0 + u2 - 1] + a[2 * t0 + 512 * b0 + u2] + a[2 * t0 + 512 * b0 + u2 + 1], 0.25);
 * CHECK: launch_jacobi_[[#L]](double *a, double *b, long long t, long long n,
 * CHECK: if (n >= 3) {
 * CHECK-NEXT: for (long long c0 = 0; c0 < t; ++c0) {
 * CHECK: jacobi_[[#L]]_0<<<dim3(v[[#]]), dim3(256), 0, stream>>>({{.*}});
 * CHECK: jacobi_[[#L]]_1<<<dim3(v[[#]]), dim3(256), 0, stream>>>({{.*}});
 */
void jacobi(int t, int n, double *restrict a, double *restrict b)
{
    for (int i = 0; i < t; i++) {
        for (int j = 1; j < n - 1; j++)
            b[j] = (a[j - 1] + a[j] + a[j + 1]) * 0.25;
        for (int j = 1; j < n - 1; j++)
            a[j] = (b[j - 1] + b[j] + b[j + 1]) * 0.25;
    }
}

/* Memory that only the device needs is the launcher's.
 *
 * CHECK: // ---- sum, text.c
 * CHECK: launch_sum_[[#L:]](
 * CHECK: error = cudaMalloc((void **)&[[P:.*]], {{.*}} * sizeof(int));
 * CHECK-NEXT: if (error != cudaSuccess) {
 * CHECK: sum_[[#L]]_0<<<
 * CHECK: cudaFree([[P]]);
 */
void sum(int n, const int *restrict a, int *restrict result)
{
    for (int i = 0; i < n; i++)
        *result += a[i] * a[i];
}
