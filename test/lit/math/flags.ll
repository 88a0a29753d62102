; What is said about values survives the move into a kernel: fast-math flags,
; nsw, nuw, exact.  What is said about memory and the order of accesses does
; not, since the order is another one there: alias scopes, access groups, TBAA.
;
; RUN: %opt -passes='print<gpu-kernels>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt -passes='print<gpu-kernels>' -disable-output %s 2>&1 | %FileCheck --check-prefix=NOT %s
; RUN: %opt -passes=gpu-polyhedral,verify -gpu-targets=ptx,emulated -disable-output %s
;
; NOT-NOT: {{alias.scope|!noalias|access.group|!tbaa|!llvm.loop|!fpmath|!range|!nontemporal}}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @floats_0_0(
; CHECK: load float, ptr addrspace(1) {{[^ ]*}}, align 4{{$}}
; CHECK: fdiv nnan ninf arcp float
; CHECK: fadd reassoc nsz contract float
; CHECK: fneg fast float
; CHECK: call nnan float @llvm.fma.f32(
; CHECK: call ninf float @llvm.sqrt.f32(
; CHECK: fcmp nnan {{[a-z]+}} float
; CHECK: select nsz i1
; CHECK: store float {{[^ ]*}}, ptr addrspace(1) {{[^ ]*}}, align 4{{$}}
define void @floats(i64 %n, ptr noalias %a, ptr noalias %r) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4, !alias.scope !2, !noalias !4, !llvm.access.group !6, !tbaa !8
  %d = fdiv nnan ninf arcp float 3.0, %x, !fpmath !11
  %s = fadd reassoc nsz contract float %d, %x
  %g = fneg fast float %s
  %m = call nnan float @llvm.fmuladd.f32(float %g, float %x, float %x)
  %w = call ninf float @llvm.sqrt.f32(float %m)
  %c = fcmp nnan ogt float %w, %d
  %v = select nsz i1 %c, float %w, float %d
  %q = getelementptr inbounds float, ptr %r, i64 %i
  store float %v, ptr %q, align 4, !alias.scope !4, !noalias !2, !llvm.access.group !6, !tbaa !8, !nontemporal !12
  %next = add nsw i64 %i, 1
  br label %loop, !llvm.loop !13
end:
  ret void
}

; CHECK-LABEL: define void @integers_0_0(
; CHECK: add nuw nsw i32
; CHECK: mul nsw i32
; CHECK: sdiv exact i32
; CHECK: lshr exact i32
; CHECK: sub i32
define void @integers(i64 %n, ptr noalias %a, ptr noalias %r) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %p, align 4, !range !14
  %p2 = getelementptr inbounds i32, ptr %r, i64 %i
  %y = load i32, ptr %p2, align 4
  %s = add nuw nsw i32 %x, %y
  %m = mul nsw i32 %s, %x
  %d = sdiv exact i32 %m, %y
  %l = lshr exact i32 %d, 3
  %v = sub i32 %l, %y
  store i32 %v, ptr %p2, align 4
  %next = add nsw i64 %i, 1
  br label %loop
end:
  ret void
}

declare float @llvm.fmuladd.f32(float, float, float)
declare float @llvm.sqrt.f32(float)

!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}
!3 = distinct !{!3, !0}
!4 = !{!3}
!6 = distinct !{}
!8 = !{!9, !9, i64 0}
!9 = !{!"float", !10, i64 0}
!10 = !{!"root"}
!11 = !{float 2.5}
!12 = !{i32 1}
!13 = distinct !{!13, !15}
!14 = !{i32 0, i32 1000}
!15 = !{!"llvm.loop.parallel_accesses", !6}
