; The bound is volatile: read before the loop, and read by the inner loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@n = global i64 10
define void @before(ptr %a) {
entry:
  %n = load volatile i64, ptr @n
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.0, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @inner(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 100
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %m = load volatile i64, ptr @n
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %m
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %k = add nsw i64 %i, %j
  %q1 = getelementptr inbounds float, ptr %a, i64 %k
  store float 1.0, ptr %q1
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
