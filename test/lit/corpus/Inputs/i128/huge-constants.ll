; Bounds, subscripts and steps beyond 64 bits.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @bound(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i128 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i128 %i, 36893488147419103232
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %w = trunc i128 %i to i64
  %q1 = getelementptr inbounds i8, ptr %a, i64 %w
  store i8 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i128 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @step(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i128 [ -170141183460469231731687303715884105728, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i128 %i, 170141183460469231731687303715884105727
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %w = trunc i128 %i to i64
  %q1 = getelementptr inbounds i8, ptr %a, i64 %w
  store i8 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i128 %i, 85070591730234615865843651857942052864
  br label %i.head
i.exit:
  ret void
}
define void @offset(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i128 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i128 %i, 10
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %k = add i128 %i, 36893488147419103232
  %p = getelementptr i8, ptr %a, i128 %k
  store i8 1, ptr %p
  br label %i.latch
i.latch:
  %i.next = add nsw i128 %i, 1
  br label %i.head
i.exit:
  ret void
}
