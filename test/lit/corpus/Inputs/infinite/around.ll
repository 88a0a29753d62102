; Affine loops inside of one that never ends.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %forever
forever:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %forever ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %x.p
  %q1 = getelementptr inbounds float, ptr %b, i64 %i
  store float %x, ptr %q1
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
  %y.p = getelementptr inbounds float, ptr %b, i64 %j
  %y = load float, ptr %y.p
  %z = fadd float %y, 1.0
  %q2 = getelementptr inbounds float, ptr %a, i64 %j
  store float %z, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %forever
}
