; Sums, products, a maximum, a prefix sum: nothing is parallel.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define float @sum(ptr %a, i64 %n) {
entry:
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %j, %l ]
  %s = phi float [ 0.0, %entry ], [ %t, %l ]
  %x.p = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %x.p
  %t = fadd float %s, %x
  %j = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %j, %n
  br i1 %c, label %l, label %e
e:
  ret float %t
}
define void @prefix(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 1, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %b = add nsw i64 %i, -1
  %x.p = getelementptr inbounds i32, ptr %a, i64 %b
  %x = load i32, ptr %x.p
  %y.p = getelementptr inbounds i32, ptr %a, i64 %i
  %y = load i32, ptr %y.p
  %s = add i32 %x, %y
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 %s, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @element(ptr noalias %a, ptr noalias %m, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %x.p
  %o = load i32, ptr %m
  %c = icmp sgt i32 %x, %o
  %v = select i1 %c, i32 %x, i32 %o
  store i32 %v, ptr %m
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
