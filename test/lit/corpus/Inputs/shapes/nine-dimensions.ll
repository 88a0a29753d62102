; An array with more dimensions than loops around it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 3
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 4
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %p = getelementptr [2 x [2 x [2 x [2 x [2 x [2 x [2 x [2 x [4 x float]]]]]]]]], ptr %a, i64 0, i64 0, i64 1, i64 0, i64 1, i64 0, i64 1, i64 0, i64 1, i64 %j
  store float 1.0, ptr %p
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
