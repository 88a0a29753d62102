; The element's number is the counter, or comes from memory.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %b, <4 x i32> %v) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 4
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %e = extractelement <4 x i32> %v, i64 %i
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 %e, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 100
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %k.p = getelementptr inbounds i32, ptr %b, i64 %j
  %k = load i32, ptr %k.p
  %x = insertelement <4 x i32> %v, i32 5, i32 %k
  %q2 = getelementptr inbounds <4 x i32>, ptr %a, i64 %j
  store <4 x i32> %x, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
