; A wavefront, a triangle read backwards, a band around the diagonal.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @wave(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 1, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 60
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br label %j.head
j.head:
  %j = phi i64 [ 1, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 60
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %p = getelementptr inbounds [60 x float], ptr %a, i64 %i, i64 %j
  %l = getelementptr inbounds float, ptr %p, i64 -1
  %u = getelementptr inbounds float, ptr %p, i64 -60
  %x = load float, ptr %l
  %y = load float, ptr %u
  %s = fadd float %x, %y
  store float %s, ptr %p
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
  ret void
}
define void @band(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 2, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %lo = sub nsw i64 %i, 2
  %hi = add nsw i64 %i, 3
  br label %j.head
j.head:
  %j = phi i64 [ %lo, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %hi
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %p = getelementptr inbounds [128 x float], ptr %a, i64 %i, i64 %j
  store float 1.0, ptr %p
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
  ret void
}
