; A sum of 128 bits beside an array that is written.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i128 @f(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i128 [ 0, %entry ], [ %t, %loop ]
  %x.p = getelementptr inbounds i64, ptr %b, i64 %i
  %x = load i64, ptr %x.p
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %x, ptr %q1
  %w = sext i64 %x to i128
  %t = add i128 %s, %w
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret i128 %t
}
