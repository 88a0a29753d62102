; From and to floating-point numbers; division.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds double, ptr %b, i64 %i
  %x = load double, ptr %x.p
  %w = fptosi double %x to i128
  %d = sdiv i128 %w, 7
  %y = sitofp i128 %d to double
  %q1 = getelementptr inbounds double, ptr %a, i64 %i
  store double %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @g(ptr noalias %y, ptr noalias %m, ptr noalias %x) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 100
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float 0.0, ptr %py
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 50
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %row = getelementptr inbounds [50 x float], ptr %m, i64 %i
  %u.p = getelementptr inbounds float, ptr %row, i64 %j
  %u = load float, ptr %u.p
  %v.p = getelementptr inbounds float, ptr %x, i64 %j
  %v = load float, ptr %v.p
  %old = load float, ptr %py
  %new = call float @llvm.fmuladd.f32(float %u, float %v, float %old)
  store float %new, ptr %py
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
declare float @llvm.fmuladd.f32(float, float, float)

