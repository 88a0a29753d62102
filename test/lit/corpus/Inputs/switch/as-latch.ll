; The back edge is a case, several cases at once, or the default.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @case(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 1, ptr %q1
  %next = add nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  switch i1 %c, label %end [i1 true, label %loop]
end:
  ret void
}
define void @several(ptr %a, i8 %k) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ], [ %next, %loop ], [ %next, %loop ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 1, ptr %q1
  %next = add nsw i64 %i, 1
  %x = load i8, ptr %a
  switch i8 %x, label %end [i8 1, label %loop i8 2, label %loop i8 3, label %loop]
end:
  ret void
}
define void @default(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 1, ptr %q1
  %next = add nuw nsw i64 %i, 1
  switch i64 %next, label %loop [i64 64, label %end]
end:
  ret void
}
