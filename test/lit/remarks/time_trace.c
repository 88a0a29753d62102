// -ftime-trace says what the phases of offloading take.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -ftime-trace=%t.json -ftime-trace-granularity=0 -c %s -o %t.o
// RUN: %FileCheck %s < %t.json

// CHECK-DAG: "name":"PolyGPU: function","args":{"detail":"copy
// CHECK-DAG: "name":"PolyGPU: model"
// CHECK-DAG: "name":"PolyGPU: dependences and schedule"
// CHECK-DAG: "name":"PolyGPU: mapping and loops"
// CHECK-DAG: "name":"PolyGPU: kernels"
// CHECK-DAG: "name":"PolyGPU: execution in small"
// CHECK-DAG: "name":"PolyGPU: host code"
void copy(int n, double *restrict x, const double *restrict y)
{
    for (int i = 0; i < n; i++)
        x[i] = 2 * y[i];
}
