; Frozen bounds, subscripts and values.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  %m = freeze i64 %n
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %m
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds float, ptr %b, i64 %i
  %x = load float, ptr %x.p
  %y = freeze float %x
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %k = freeze i64 %j
  %q2 = getelementptr inbounds float, ptr %a, i64 %k
  store float 1.0, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  %q = freeze ptr %b
  br label %l.head
l.head:
  %l = phi i64 [ 0, %j.exit ], [ %l.next, %l.latch ]
  %l.more = icmp slt i64 %l, %n
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %q3 = getelementptr inbounds float, ptr %q, i64 %l
  store float 1.0, ptr %q3
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  ret void
}
