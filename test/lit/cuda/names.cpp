// Names of the source that C or CUDA has another meaning for, and kernels of one
// name, which two loops of one line have.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=ptx \
// RUN:   -mllvm -gpu-cuda-path= -c %s -o %t.o -mllvm -gpu-print-kernels=%t.cu \
// RUN:   -Rpass=gpu-polyhedral 2> %t.log
// RUN: %FileCheck --check-prefix=LOG %s < %t.log
// RUN: %FileCheck %s < %t.cu
// RUN: %clang -x cuda --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -O1 \
// RUN:   -Wno-unknown-cuda-version -Xclang -target-sdk-version=12.8 -Wall \
// RUN:   -Wno-unused-function -Werror -include %S/Inputs/cuda.h \
// RUN:   --cuda-device-only -S %t.cu -o - | %FileCheck --check-prefix=PTX %s
//
// LOG-COUNT-3: loops offloaded as 1 kernel
//
// PTX-DAG: .visible .entry {{.*}}twice{{.*}}_0(
// PTX-DAG: .visible .entry {{.*}}twice{{.*}}_0_1(
// PTX-DAG: .visible .entry {{.*}}reserved{{.*}}_0(

void other();

// CHECK-DAG: {{^}}[[K:.*twice.*_[0-9]+_0]](int n, float *__restrict__ a, float
// CHECK-DAG: {{^}}[[K]]_1(int n, float *__restrict__ a, float
// CHECK-DAG: [[K]]<<<dim3
// CHECK-DAG: [[K]]_1<<<dim3
// CHECK-DAG: {{^}}launch_{{.*}}twice{{.*}}_1(
// clang-format off
void twice(int n, float *__restrict a, float f)
{
    for (int i = 0; i < n; i++) a[i] *= f; other(); for (int i = 0; i < n; i++) a[i] += f;
}
// clang-format on

// CHECK-DAG: {{^}}{{.*}}reserved{{.*}}_0(int n, const float *__restrict__ threadIdx_, float min_,
// CHECK-DAG: fmaf_[{{.*}}] = fmaf(threadIdx_[{{.*}}], min_, 1.0f);
void reserved(int n, float *__restrict fmaf, const float *__restrict threadIdx,
              float min)
{
    for (int i = 0; i < n; i++)
        fmaf[i] = threadIdx[i] * min + 1;
}
