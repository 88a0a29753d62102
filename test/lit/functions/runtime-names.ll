; A program may have functions of its own whose names begin with polygpu_: their
; callers are offloaded.  Who calls a function of the runtime is not, and is told
; so.
;
; RUN: %opt -passes=gpu-polyhedral,verify -gpu-targets=emulated -S %s -o %t.ll \
; RUN:   -pass-remarks=gpu -pass-remarks-missed=gpu 2> %t.remarks
; RUN: %FileCheck --check-prefix=REMARK %s < %t.remarks
; RUN: %FileCheck %s < %t.ll
;
; REMARK-COUNT-1: the function calls PolyGPU's runtime itself
; REMARK-NOT: not offloaded
; REMARK: loops offloaded as 1 kernel: own
; REMARK-NOT: not offloaded
;
; CHECK-NOT: @runtimes.polygpu
; CHECK: define void @runtimes(
; CHECK-NEXT: entry:
; CHECK-NEXT: call i32 @polygpu_active()
; CHECK-NEXT: br label %loop
; CHECK-NOT: @runtimes.polygpu
;
; RUN: %FileCheck --check-prefix=OWN %s < %t.ll
; OWN: call void @own.polygpu(
; OWN: call void @polygpu_launch(
; OWN-NOT: call void @polygpu_launch(

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @polygpu_helper()
declare i32 @polygpu_active()

define void @own(i64 %n, ptr noalias %a) {
entry:
  %unused = call i32 @polygpu_helper()
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %y = fmul double %x, 3.0
  store double %y, ptr %p
  %next = add nsw i64 %i, 1
  br label %loop
end:
  ret void
}

define void @runtimes(i64 %n, ptr noalias %a) {
entry:
  %unused = call i32 @polygpu_active()
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %y = fmul double %x, 3.0
  store double %y, ptr %p
  %next = add nsw i64 %i, 1
  br label %loop
end:
  ret void
}
