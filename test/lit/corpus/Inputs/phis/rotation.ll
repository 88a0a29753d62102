; Values that swap places from round to round.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @swap(ptr %a, i32 %x, i32 %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %u = phi i32 [ %x, %entry ], [ %v, %loop ]
  %v = phi i32 [ %y, %entry ], [ %u, %loop ]
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 %u, ptr %q1
  %i1 = add nsw i64 %i, 1
  %c = icmp slt i64 %i1, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
define void @delay(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %p = phi float [ 0.0, %entry ], [ %x, %loop ]
  %pp = phi float [ 0.0, %entry ], [ %p, %loop ]
  %x.p = getelementptr inbounds float, ptr %b, i64 %i
  %x = load float, ptr %x.p
  %s = fadd float %x, %pp
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float %s, ptr %q1
  %i1 = add nsw i64 %i, 1
  %c = icmp slt i64 %i1, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
