; A space with pointers of 32 bits; indices of that width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr addrspace(270) %a, ptr %b, i32 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i32 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds i32, ptr addrspace(270) %a, i32 %i
  %x = load i32, ptr addrspace(270) %p
  %w = sext i32 %i to i64
  %q1 = getelementptr inbounds i32, ptr %b, i64 %w
  store i32 %x, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i32 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i32 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i32 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q = getelementptr i16, ptr addrspace(272) null, i32 %j
  store i16 3, ptr addrspace(272) %q
  br label %j.latch
j.latch:
  %j.next = add nsw i32 %j, 1
  br label %j.head
j.exit:
  ret void
}
