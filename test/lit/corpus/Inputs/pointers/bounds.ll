; Loops from one pointer to another.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %b, ptr %e) {
entry:
  %none = icmp eq ptr %b, %e
  br i1 %none, label %end, label %loop
loop:
  %p = phi ptr [ %b, %entry ], [ %p1, %loop ]
  store float 1.0, ptr %p
  %p1 = getelementptr inbounds float, ptr %p, i64 1
  %c = icmp eq ptr %p1, %e
  br i1 %c, label %end, label %loop
end:
  ret void
}
define void @g(ptr %a, ptr %b, ptr %e) {
entry:
  %x = ptrtoint ptr %b to i64
  %y = ptrtoint ptr %e to i64
  %d = sub i64 %y, %x
  %n = ashr exact i64 %d, 2
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
  %m = trunc i64 %n to i32
  br label %j.head
j.head:
  %j = phi i32 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i32 %j, %m
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %w = sext i32 %j to i64
  %q2 = getelementptr inbounds float, ptr %b, i64 %w
  store float 2.0, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i32 %j, 1
  br label %j.head
j.exit:
  ret void
}
