; Constrained arithmetic in a strictfp function, and beside it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
define void @f(ptr %a, i64 %n) strictfp {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %x.p
  %y = call double @llvm.experimental.constrained.fadd.f64(double %x, double 1.0, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %q1 = getelementptr inbounds double, ptr %a, i64 %i
  store double %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @g(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  %last = sub nsw i64 %n, 1
  br label %i.head
i.head:
  %i = phi i64 [ 1, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %last
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %l = add nsw i64 %i, -1
  %r = add nsw i64 %i, 1
  %x.p = getelementptr inbounds double, ptr %b, i64 %l
  %x = load double, ptr %x.p
  %z.p = getelementptr inbounds double, ptr %b, i64 %r
  %z = load double, ptr %z.p
  %s = fadd double %x, %z
  %q1 = getelementptr inbounds double, ptr %a, i64 %i
  store double %s, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}

