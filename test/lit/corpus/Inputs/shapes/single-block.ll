; The whole function is one block that loops; the entry is its neighbour.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n) {
  br label %l
l:
  %i = phi i64 [ 0, %0 ], [ %j, %l ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  %j = add nuw nsw i64 %i, 1
  %c = icmp eq i64 %j, %n
  br i1 %c, label %e, label %l
e:
  ret void
}
define void @two(ptr %a, i64 %n) {
  br label %l
l:
  %i = phi i64 [ 0, %0 ], [ %j, %l ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  %j = add nuw nsw i64 %i, 1
  %c = icmp eq i64 %j, %n
  br i1 %c, label %m, label %l
m:
  %u = phi i64 [ 0, %l ], [ %v, %m ]
  %w = mul i64 %u, 2
  %q2 = getelementptr inbounds i64, ptr %a, i64 %w
  store i64 %i, ptr %q2
  %v = add nuw nsw i64 %u, 1
  %d = icmp eq i64 %v, %n
  br i1 %d, label %e, label %m
e:
  ret void
}
