; The counter has 128 bits; cut for the subscript, or used whole.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @cut(ptr %a, i128 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i128 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i128 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %w = trunc i128 %i to i64
  %q1 = getelementptr inbounds i32, ptr %a, i64 %w
  store i32 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i128 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @whole(ptr %a, i128 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i128 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i128 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr i32, ptr %a, i128 %i
  store i32 1, ptr %p
  br label %i.latch
i.latch:
  %i.next = add nsw i128 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @constant(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i128 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i128 %i, 100
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds i32, ptr %a, i128 %i
  store i32 1, ptr %p
  br label %i.latch
i.latch:
  %i.next = add nsw i128 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @g(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds float, ptr %b, i64 %i
  %x = load float, ptr %x.p
  %y = fmul float %x, 2.0
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}

