; One of the two entries is never reached.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n) {
entry:
  br i1 false, label %mid, label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %mid ]
  %c = icmp slt i64 %i, %n
  br i1 %c, label %mid, label %end
mid:
  %j = phi i64 [ 3, %entry ], [ %i, %head ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %j
  store i64 %j, ptr %q1
  %next = add nsw i64 %j, 1
  br label %head
end:
  ret void
}
