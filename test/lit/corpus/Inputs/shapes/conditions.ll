; Conditions on counters, parameters, unsigned ones, and their combinations.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n, i64 %m, i32 %k) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %c1 = icmp ult i64 %i, %m
  %c2 = icmp ne i64 %i, 7
  %c = and i1 %c1, %c2
  %d1 = icmp sgt i32 %k, 3
  %d = select i1 %c, i1 true, i1 %d1
  br i1 %d, label %y, label %no
y:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 1, ptr %q1
  br label %join
no:
  %o = urem i64 %i, 2
  %e = icmp eq i64 %o, 0
  br i1 %e, label %even, label %join
even:
  %q2 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 2, ptr %q2
  br label %join
join:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
