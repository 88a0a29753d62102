; Vectors of pointers and of addresses in a loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, ptr %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %v0 = insertelement <2 x ptr> poison, ptr %b, i32 0
  %v1 = shufflevector <2 x ptr> %v0, <2 x ptr> poison, <2 x i32> zeroinitializer
  %g = getelementptr i8, <2 x ptr> %v1, <2 x i64> <i64 0, i64 8>
  %q1 = getelementptr inbounds <2 x ptr>, ptr %a, i64 %i
  store <2 x ptr> %g, ptr %q1
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
  %x.p = getelementptr inbounds <2 x ptr>, ptr %a, i64 %j
  %x = load <2 x ptr>, ptr %x.p
  %k = ptrtoint <2 x ptr> %x to <2 x i64>
  %q2 = getelementptr inbounds <2 x i64>, ptr %a, i64 %j
  store <2 x i64> %k, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
