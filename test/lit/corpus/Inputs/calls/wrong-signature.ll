; A callee called with another signature, and with another convention.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define internal float @scale(float %x) {
  %y = fmul float %x, 2.0
  ret float %y
}
define internal fastcc i32 @add(i32 %x, i32 %y) {
  %z = add i32 %x, %y
  ret i32 %z
}
define void @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %x.p
  %y = call i32 @scale(i32 %x)
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 %y, ptr %q1
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
  %u.p = getelementptr inbounds i32, ptr %a, i64 %j
  %u = load i32, ptr %u.p
  %v = call i32 @add(i32 %u, i32 1)
  %q2 = getelementptr inbounds i32, ptr %a, i64 %j
  store i32 %v, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %k.head
k.head:
  %k = phi i64 [ 0, %j.exit ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, %n
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %s.p = getelementptr inbounds i32, ptr %a, i64 %k
  %s = load i32, ptr %s.p
  %t = call fastcc i32 @add(i32 %s, i32 1, i32 2)
  %q3 = getelementptr inbounds i32, ptr %a, i64 %k
  store i32 %t, ptr %q3
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  ret void
}
