; Many parameters: in bounds, in subscripts and as values.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %p1, i64 %p2, i64 %p3, i64 %p4, i64 %p5, i64 %p6, i64 %p7, i64 %p8, i64 %p9, i64 %pa, i64 %pb, i64 %pc, double %v, i8 %w, half %h) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ %p1, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %p2
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br label %j.head
j.head:
  %j = phi i64 [ %p3, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %p4
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %x1 = add nsw i64 %i, %p5
  %x2 = add nsw i64 %x1, %p6
  %x3 = add nsw i64 %x2, %j
  %q1 = getelementptr inbounds double, ptr %a, i64 %x3
  store double %v, ptr %q1
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
  br label %k.head
k.head:
  %k = phi i64 [ %p7, %i.exit ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, %p8
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %y = add nsw i64 %k, %p9
  %q2 = getelementptr inbounds i8, ptr %a, i64 %y
  store i8 %w, ptr %q2
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  br label %l.head
l.head:
  %l = phi i64 [ %pa, %k.exit ], [ %l.next, %l.latch ]
  %l.more = icmp slt i64 %l, %pb
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %z = add nsw i64 %l, %pc
  %q3 = getelementptr inbounds half, ptr %a, i64 %z
  store half %h, ptr %q3
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  ret void
}
