; Subscripts that run backwards, below zero, and by minus one in total.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %m = sub nsw i64 0, %i
  %q1 = getelementptr inbounds i32, ptr %a, i64 %m
  store i32 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %down
down:
  %j = phi i64 [ %n, %i.exit ], [ %j1, %down ]
  %j1 = add nsw i64 %j, -1
  %q2 = getelementptr inbounds i16, ptr %a, i64 %j1
  store i16 2, ptr %q2
  %c = icmp sgt i64 %j, 1
  br i1 %c, label %down, label %end
end:
  ret void
}
