; A module for another GPU: a kernel with loops, its stack in space 5.
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-i64:64-v16:16-v24:32-v32:32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

@lds = internal addrspace(3) global [256 x float] poison
define amdgpu_kernel void @k(ptr addrspace(1) %a, i64 %n) {
entry:
  %t = alloca [16 x float], addrspace(5)
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  store float 0.0, ptr addrspace(1) %p
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i32 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i32 %j, 16
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q = getelementptr inbounds [16 x float], ptr addrspace(5) %t, i32 0, i32 %j
  store float 1.0, ptr addrspace(5) %q
  br label %j.latch
j.latch:
  %j.next = add nsw i32 %j, 1
  br label %j.head
j.exit:
  br label %k.head
k.head:
  %k = phi i32 [ 0, %j.exit ], [ %k.next, %k.latch ]
  %k.more = icmp slt i32 %k, 256
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %s = getelementptr inbounds [256 x float], ptr addrspace(3) @lds, i32 0, i32 %k
  store float 2.0, ptr addrspace(3) %s
  br label %k.latch
k.latch:
  %k.next = add nsw i32 %k, 1
  br label %k.head
k.exit:
  ret void
}
