; Counters of 3, 8, 13, 24 and 70 bits, with and without wrapping.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @three(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i3 [ 0, %entry ], [ %i1, %loop ]
  %w = zext i3 %i to i64
  %q1 = getelementptr inbounds float, ptr %a, i64 %w
  store float 1.0, ptr %q1
  %i1 = add i3 %i, 1
  %c = icmp eq i3 %i1, 0
  br i1 %c, label %end, label %loop
end:
  ret void
}
define void @eight(ptr %a, i8 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i8 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i8 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %w = sext i8 %i to i64
  %q1 = getelementptr inbounds float, ptr %a, i64 %w
  store float 1.0, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i8 %i, 3
  br label %i.head
i.exit:
  ret void
}
define void @more(ptr %a, i13 %n, i24 %m, i70 %k) {
entry:
  br label %i.head
i.head:
  %i = phi i13 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i13 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %w = sext i13 %i to i64
  %q1 = getelementptr inbounds float, ptr %a, i64 %w
  store float 1.0, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i13 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i24 [ -100, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i24 %j, %m
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %v = sext i24 %j to i64
  %q2 = getelementptr inbounds float, ptr %a, i64 %v
  store float 1.0, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i24 %j, 1
  br label %j.head
j.exit:
  br label %l.head
l.head:
  %l = phi i70 [ 0, %j.exit ], [ %l.next, %l.latch ]
  %l.more = icmp slt i70 %l, %k
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %u = trunc i70 %l to i64
  %q3 = getelementptr inbounds float, ptr %a, i64 %u
  store float 1.0, ptr %q3
  br label %l.latch
l.latch:
  %l.next = add nsw i70 %l, 1
  br label %l.head
l.exit:
  ret void
}
