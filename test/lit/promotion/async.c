// From sm_80 on a pipeline's copies are asynchronous: of 16 bytes where all of
// a box may be read and rows begin at multiples of that, else element by
// element, of which those outside of the array are zeros. What needs more than
// 48 KiB of shared memory is given it at the launch.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_90 -disable-output %t.ll \
// RUN:   2>&1 | %FileCheck --check-prefix=PTX %s
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_80 -disable-output %t.ll \
// RUN:   2>&1 | %FileCheck --check-prefix=LESS %s
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_80 -disable-output %t.ll \
// RUN:   '-gpu-sizes={ kernel[0] -> stages[2] }' 2>&1 | %FileCheck --check-prefix=TWO %s
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_80 -disable-output %t.ll \
// RUN:   '-gpu-sizes={ kernel[0] -> stages[1] }' 2>&1 | %FileCheck --check-prefix=ONE %s
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_80 -disable-output %t.ll \
// RUN:   '-gpu-sizes={ kernel[0] -> stages[6] }' 2>&1 | %FileCheck --check-prefix=SIX %s
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_80,sm_86 -disable-output %t.ll \
// RUN:   '-gpu-sizes={ kernel[0] -> stages[6] }' 2>&1 | %FileCheck --check-prefix=BOTH %s
// RUN: %opt -passes='print<gpu-ptx>' -disable-output %t.ll \
// RUN:   2>&1 | %FileCheck --check-prefix=OLD %s
// RUN: %opt -passes='print<gpu-kernels>' -gpu-arch=sm_90 -disable-output %t.ll \
// RUN:   2>&1 | %FileCheck --check-prefix=KERNEL %s
// RUN: %opt -passes=gpu-polyhedral -gpu-arch=sm_90 -gpu-targets=emulated \
// RUN:   -S %t.ll | %FileCheck --check-prefix=HOST %s
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -S %t.ll | \
// RUN:   %FileCheck --check-prefix=HOST75 %s
// RUN: %clang -O1 -Xclang -disable-llvm-passes -DE=short -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_80 -disable-output %t.ll \
// RUN:   2>&1 | %FileCheck --check-prefix=SHORT %s
// RUN: %opt -passes='print<gpu-mapping>' -gpu-arch=sm_80 -disable-output %t.ll \
// RUN:   2>&1 | %FileCheck --check-prefix=MAPPED %s
//
// PTX: // rows_0_0: 69632 bytes of shared memory, given at the launch
// PTX: .extern .shared .align 16 .b8 polygpu_shared[];
// PTX-NOT: .shared .align
// PTX-DAG: cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16;
// PTX-DAG: cp.async.ca.shared.global [%{{.*}}], [%{{.*}}], 4;
// PTX-DAG: cp.async.ca.shared.global [%{{.*}}], [%{{.*}}], 4, %r{{[0-9]+}};
// PTX-DAG: cp.async.commit_group;
// PTX-DAG: cp.async.wait_group 2;
//
// Less bandwidth for each multiprocessor needs fewer tiles on their way.
// LESS: // rows_0_0: 52224 bytes of shared memory, given at the launch
// LESS: cp.async.wait_group 1;
//
// TWO-NOT: .extern .shared
// TWO: .shared .align 16 .b8 rows_0_0_shared0[33792];
// TWO: cp.async.wait_group 0;
//
// ONE-NOT: .extern .shared
// ONE-NOT: wait_group {{[1-9]}}
// ONE: .shared .align 16 .b8 rows_0_0_shared0[
// ONE: cp.async.wait_group 0;
// ONE-NOT: wait_group {{[1-9]}}
//
// A block of sm_86 has 101376 bytes at most.
// SIX: // rows_0_0: 104448 bytes of shared memory, given at the launch
// BOTH: // rows_0_0: 87040 bytes of shared memory, given at the launch
//
// OLD-NOT: .extern .shared
// OLD: .shared .align 16 .b8 rows_0_0_shared0[
// OLD-NOT: cp.async
//
// KERNEL: call void @polygpu.copy(ptr addrspace(3) {{.*}}, ptr addrspace(1) {{.*}}, i32 16, i32 16)
// KERNEL: call void @polygpu.copy(ptr addrspace(3) {{.*}}, ptr addrspace(1) {{.*}}, i32 4, i32 4)
// KERNEL: call void @polygpu.copy(ptr addrspace(3) {{.*}}, ptr addrspace(1) {{.*}}, i32 4, i32 %
// KERNEL: call void @polygpu.wait(i32 2)
// KERNEL-NEXT: call void @polygpu.barrier()
//
// The flags of the kernel: barriers, and shared memory at the launch.
// HOST: [3 x i32] [i32 32, i32 8, i32 1], i32 5, i32 69632,
// HOST75: [3 x i32] [i32 32, i32 8, i32 1], i32 1, i32 34816,
//
// SHORT-NOT: cp.async
// SHORT: bar.sync
// SHORT-NOT: cp.async
//
// Copies through registers have no use for more than two stages; there would be
// room for them.
// MAPPED: bytes of shared memory (2 stages)
// MAPPED-NOT: limited by shared memory
#ifndef E
#define E float
#endif
void rows(int n, int m, E p[restrict n][m], E *restrict u, E *restrict v)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            v[i] += p[i][k] * u[k];
}
