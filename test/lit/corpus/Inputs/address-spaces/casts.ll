; Casts between spaces in the loop, before it, and of constants.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@g = addrspace(1) global [64 x float] zeroinitializer
define void @inside(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 64
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %q = addrspacecast ptr %p to ptr addrspace(1)
  store float 1.0, ptr addrspace(1) %q
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @before(ptr %a) {
entry:
  %q = addrspacecast ptr %a to ptr addrspace(5)
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 64
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds float, ptr addrspace(5) %q, i64 %i
  store float 1.0, ptr addrspace(5) %p
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @constant(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 64
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(1) @g to ptr), i64 %i
  %x = load float, ptr %p
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float %x, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
