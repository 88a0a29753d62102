; Rows whose length is a parameter, a product, and different in two places.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n, i64 %m, i64 %k) {
entry:
  %mk = mul i64 %m, %k
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %m
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %x = mul nsw i64 %i, %mk
  %y = mul nsw i64 %j, %k
  %z = add nsw i64 %x, %y
  %q1 = getelementptr inbounds float, ptr %a, i64 %z
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
  br label %u.head
u.head:
  %u = phi i64 [ 0, %i.exit ], [ %u.next, %u.latch ]
  %u.more = icmp slt i64 %u, %n
  br i1 %u.more, label %u.body, label %u.exit
u.body:
  br label %v.head
v.head:
  %v = phi i64 [ 0, %u.body ], [ %v.next, %v.latch ]
  %v.more = icmp slt i64 %v, %m
  br i1 %v.more, label %v.body, label %v.exit
v.body:
  %s = mul nsw i64 %u, %m
  %t = add nsw i64 %s, %v
  %q2 = getelementptr inbounds float, ptr %a, i64 %t
  store float 2.0, ptr %q2
  %s2 = mul nsw i64 %u, %k
  %t2 = add nsw i64 %s2, %v
  %w.p = getelementptr inbounds float, ptr %a, i64 %t2
  %w = load float, ptr %w.p
  br label %v.latch
v.latch:
  %v.next = add nsw i64 %v, 1
  br label %v.head
v.exit:
  br label %u.latch
u.latch:
  %u.next = add nsw i64 %u, 1
  br label %u.head
u.exit:
  ret void
}
