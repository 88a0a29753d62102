; What holds for a function holds for the copy that it is inlined into: a loop
; that need not end makes the copy one in which loops need not end, and a
; function without jump tables brings that with it.  The function itself stays
; as it was.
;
; RUN: %opt -passes=gpu-polyhedral,verify -gpu-targets=emulated -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
;
; CHECK: define void @caller({{.*}}) {{.*}}[[OWN:#[0-9]+]]
; CHECK: define internal void @caller.polygpu({{.*}}) {{.*}}[[COPY:#[0-9]+]]
; CHECK-DAG: attributes [[OWN]] = { mustprogress {{.*}}}
; CHECK-DAG: attributes [[COPY]] = { noinline nosanitize_coverage nounwind skipprofile "no-jump-tables"="true" "polygpu" }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define internal double @callee(double %x) #1 {
  %y = fmul double %x, 3.0
  ret double %y
}

define void @caller(i64 %n, ptr noalias %a) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %y = call double @callee(double %x)
  store double %y, ptr %p
  %next = add nsw i64 %i, 1
  br label %loop
end:
  ret void
}

attributes #0 = { mustprogress nounwind }
attributes #1 = { nounwind "no-jump-tables"="true" }
