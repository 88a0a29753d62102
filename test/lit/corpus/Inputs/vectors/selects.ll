; Comparisons and choices by element; a choice of whole vectors by a bit.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %b, i1 %flag, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds <2 x double>, ptr %a, i64 %i
  %x = load <2 x double>, ptr %x.p
  %y.p = getelementptr inbounds <2 x double>, ptr %b, i64 %i
  %y = load <2 x double>, ptr %y.p
  %c = fcmp olt <2 x double> %x, %y
  %m = select <2 x i1> %c, <2 x double> %x, <2 x double> %y
  %r = select i1 %flag, <2 x double> %m, <2 x double> %x
  %q1 = getelementptr inbounds <2 x double>, ptr %a, i64 %i
  store <2 x double> %r, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
