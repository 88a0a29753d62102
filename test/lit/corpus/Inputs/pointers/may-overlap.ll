; Twelve arrays that may overlap, so that there are many checks at run time.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, ptr %b, ptr %c, ptr %d, ptr %e, ptr %g, ptr %h, ptr %k, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x1.p = getelementptr inbounds float, ptr %b, i64 %i
  %x1 = load float, ptr %x1.p
  %x2.p = getelementptr inbounds float, ptr %c, i64 %i
  %x2 = load float, ptr %x2.p
  %x3.p = getelementptr inbounds float, ptr %d, i64 %i
  %x3 = load float, ptr %x3.p
  %s1 = fadd float %x1, %x2
  %s2 = fadd float %s1, %x3
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float %s2, ptr %q1
  %q2 = getelementptr inbounds float, ptr %e, i64 %i
  store float %s1, ptr %q2
  %x4.p = getelementptr inbounds float, ptr %g, i64 %i
  %x4 = load float, ptr %x4.p
  %q3 = getelementptr inbounds float, ptr %h, i64 %i
  store float %x4, ptr %q3
  %q4 = getelementptr inbounds float, ptr %k, i64 %i
  store float %x4, ptr %q4
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
