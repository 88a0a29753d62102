; NaNs with payload, infinities, denormals, minus zero.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, ptr %b) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 50
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float 0x7FF4000000000000, ptr %q1
  %q2 = getelementptr inbounds double, ptr %b, i64 %i
  store double 0xFFF0000000000000, ptr %q2
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 50
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %x.p = getelementptr inbounds double, ptr %b, i64 %j
  %x = load double, ptr %x.p
  %y = fadd double %x, 0x0000000000000001
  %z = fmul double %y, -0.0
  %q3 = getelementptr inbounds double, ptr %b, i64 %j
  store double %z, ptr %q3
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %k.head
k.head:
  %k = phi i64 [ 0, %j.exit ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, 50
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %q4 = getelementptr inbounds float, ptr %a, i64 %k
  store float 0x36A0000000000000, ptr %q4
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  ret void
}
