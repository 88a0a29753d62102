// What another SCoP has loaded is nothing that a SCoP has to pay for: of two with one
// text the first counts its compilation, the other has nothing to wait for. With a
// text each, both do.
//
// DEFINE: %{with} = file
// DEFINE: %{run} = %clang_gpu -O3 -mllvm -gpu-cuda-path= -mllvm \
// DEFINE:     -gpu-module=%{with} %s -o %t.gpu && env POLYGPU_DEVICE=cuda \
// DEFINE:     POLYGPU_COST=cpu=1e-6,load=100 POLYGPU_PROFILE=lines \
// DEFINE:     LD_LIBRARY_PATH=%build/ptx %t.gpu 2>&1
// RUN: %{run} | %FileCheck --check-prefix=FILE %s
// REDEFINE: %{with} = scop
// RUN: %{run} | %FileCheck --check-prefix=SCOP %s
//
// FILE-DAG: cost first {{.*}} decision=offload {{.*}} setup_ms={{[1-9]}}
// FILE-DAG: cost second {{.*}} decision=offload {{.*}} setup_ms=0 operations
// SCOP-DAG: cost first {{.*}} decision=offload {{.*}} setup_ms={{[1-9]}}
// SCOP-DAG: cost second {{.*}} decision=offload {{.*}} setup_ms={{[1-9]}}
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

NOINLINE static void first(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[i] *= 3;
}

NOINLINE static void second(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[i] *= 6;
}

int main(void)
{
    float *a = calloc(1000, sizeof *a);

    first(1000, a);
    second(1000, a);
    free(a);
    return 0;
}
