; A loop with two entries, between affine loops.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n, i1 %c) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 0, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br i1 %c, label %left, label %right
left:
  %x = phi i64 [ 0, %i.exit ], [ %y1, %right ]
  %x1 = add i64 %x, 1
  br label %right
right:
  %y = phi i64 [ 5, %i.exit ], [ %x1, %left ]
  %q2 = getelementptr inbounds i64, ptr %a, i64 %y
  store i64 1, ptr %q2
  %y1 = add i64 %y, 1
  %d = icmp slt i64 %y1, %n
  br i1 %d, label %left, label %out
out:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %out ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q3 = getelementptr inbounds i64, ptr %a, i64 %j
  store i64 2, ptr %q3
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
