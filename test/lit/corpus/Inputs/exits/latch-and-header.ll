; The same loop tested at both ends; two latches; a while around a do.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @both(ptr %a, i64 %n, i64 %m) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i1, %body ]
  %c = icmp slt i64 %i, %n
  br i1 %c, label %body, label %end
body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 1, ptr %q1
  %i1 = add nsw i64 %i, 1
  %d = icmp slt i64 %i1, %m
  br i1 %d, label %head, label %end
end:
  ret void
}
define void @latches(ptr %a, i64 %n, i64 %m) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i1, %x ], [ %i2, %y ]
  %c = icmp slt i64 %i, %n
  br i1 %c, label %body, label %end
body:
  %d = icmp slt i64 %i, %m
  br i1 %d, label %x, label %y
x:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 1, ptr %q1
  %i1 = add nsw i64 %i, 1
  br label %head
y:
  %q2 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 2, ptr %q2
  %i2 = add nsw i64 %i, 2
  br label %head
end:
  ret void
}
