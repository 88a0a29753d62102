; Bounds that are minima and maxima, by select and by intrinsic; tiles.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
define void @f(ptr %a, i64 %n, i64 %m) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %e0 = add nsw i64 %i, 32
  %e = call i64 @llvm.smin.i64(i64 %e0, i64 %n)
  br label %j.head
j.head:
  %j = phi i64 [ %i, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %e
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q1 = getelementptr inbounds float, ptr %a, i64 %j
  store float 1.0, ptr %q1
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 32
  br label %i.head
i.exit:
  %c = icmp slt i64 %n, %m
  %lo = select i1 %c, i64 %n, i64 %m
  %hi = call i64 @llvm.umax.i64(i64 %n, i64 %m)
  br label %k.head
k.head:
  %k = phi i64 [ %lo, %i.exit ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, %hi
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %q2 = getelementptr inbounds float, ptr %a, i64 %k
  store float 1.0, ptr %q2
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  ret void
}
