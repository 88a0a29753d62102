; A counter of floating-point type; a bound that is converted from one.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @counter(ptr %a) {
entry:
  br label %loop
loop:
  %x = phi double [ 0.0, %entry ], [ %y, %loop ]
  %i = fptoui double %x to i64
  %q1 = getelementptr inbounds double, ptr %a, i64 %i
  store double %x, ptr %q1
  %y = fadd double %x, 1.0
  %c = fcmp olt double %y, 100.0
  br i1 %c, label %loop, label %end
end:
  ret void
}
define void @bound(ptr %a, double %b) {
entry:
  %n = fptosi double %b to i64
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds double, ptr %a, i64 %i
  store double %b, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
