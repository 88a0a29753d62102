; The condition of the exit is a constant, poison, or its own block's value.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @true(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  %next = add i64 %i, 1
  br i1 true, label %loop, label %end
end:
  ret void
}
define void @poison(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  %next = add i64 %i, 1
  br i1 poison, label %loop, label %end
end:
  ret void
}
define void @fixed(ptr %a, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  %next = add i64 %i, 1
  br i1 %c, label %loop, label %end
end:
  ret void
}
