; A loop header with four ways in and three back.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i32 %k, i64 %n) {
entry:
  switch i32 %k, label %e0 [i32 1, label %e1 i32 2, label %e2]
e0:
  br label %head
e1:
  br label %head
e2:
  %z = icmp eq i64 %n, 9
  br i1 %z, label %e3, label %head
e3:
  br label %head
head:
  %i = phi i64 [ 0, %e0 ], [ 1, %e1 ], [ 2, %e2 ], [ 3, %e3 ], [ %i1, %b0 ], [ %i1, %b1 ], [ %i1, %b2 ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  %i1 = add nsw i64 %i, 1
  %c = icmp slt i64 %i1, %n
  br i1 %c, label %more, label %end
more:
  switch i64 %i, label %b0 [i64 5, label %b1 i64 6, label %b2]
b0:
  br label %head
b1:
  br label %head
b2:
  %q2 = getelementptr inbounds i64, ptr %a, i64 %i1
  store i64 0, ptr %q2
  br label %head
end:
  ret void
}
