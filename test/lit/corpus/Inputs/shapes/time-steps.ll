; A sequential loop outside, two parallel ones inside, scalars between.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %b, i64 %t, i64 %n) {
entry:
  br label %s.head
s.head:
  %s = phi i64 [ 0, %entry ], [ %s.next, %s.latch ]
  %s.more = icmp slt i64 %s, %t
  br i1 %s.more, label %s.body, label %s.exit
s.body:
  %x = sitofp i64 %s to float
  br label %i.head
i.head:
  %i = phi i64 [ 0, %s.body ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %y.p = getelementptr inbounds float, ptr %a, i64 %i
  %y = load float, ptr %y.p
  %z = fmul float %y, %x
  %q1 = getelementptr inbounds float, ptr %b, i64 %i
  store float %z, ptr %q1
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
  %u.p = getelementptr inbounds float, ptr %b, i64 %j
  %u = load float, ptr %u.p
  %q2 = getelementptr inbounds float, ptr %a, i64 %j
  store float %u, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  %q0 = load float, ptr %a
  store float 0.0, ptr %b
  br label %s.latch
s.latch:
  %s.next = add nsw i64 %s, 1
  br label %s.head
s.exit:
  ret void
}
