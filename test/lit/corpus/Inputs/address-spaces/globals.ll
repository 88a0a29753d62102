; Globals of another space, one read and one written.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@a = addrspace(3) global [100 x i32] zeroinitializer
@b = addrspace(4) constant [100 x i32] zeroinitializer
@c = global [100 x i32] zeroinitializer
define void @f() {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 100
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %pb = getelementptr inbounds [100 x i32], ptr addrspace(4) @b, i64 0, i64 %i
  %x = load i32, ptr addrspace(4) %pb
  %pa = getelementptr inbounds [100 x i32], ptr addrspace(3) @a, i64 0, i64 %i
  store i32 %x, ptr addrspace(3) %pa
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 100
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %p = getelementptr inbounds [100 x i32], ptr @c, i64 0, i64 %j
  store i32 1, ptr %p
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
