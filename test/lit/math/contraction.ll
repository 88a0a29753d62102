; What the source fuses is fused on the device, and nothing else: llvm.fmuladd
; becomes llvm.fma, a product and a sum stay two operations, each rounded.
; Division and square root are IEEE, denormals are kept.
;
; RUN: %opt -passes='print<gpu-kernels>' -disable-output %s 2>&1 | %FileCheck --check-prefix=KERNEL %s
; RUN: %opt -passes='print<gpu-ptx>' -disable-output %s 2>&1 | %FileCheck --check-prefix=PTX %s
; RUN: %opt -passes='print<gpu-ptx>' -disable-output %s 2>&1 \
; RUN:   | %FileCheck --check-prefix=NOT %s
; RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -S %s | %FileCheck --check-prefix=HOST %s
;
; NOT-NOT: {{\.ftz|\.approx|\.full}}
; NOT-NOT: {{(mul|add|sub)\.f(32|64)}}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; KERNEL-LABEL: define void @fused_0_0(
; KERNEL-NOT: fmuladd
; KERNEL: call float @llvm.fma.f32(
; KERNEL-NOT: fmul
; PTX-LABEL: .entry fused_0_0(
; PTX: fma.rn.f32
; PTX-NOT: mul.rn.f32
; HOST-LABEL: define internal void @polygpu.body.fused_0_0(
; HOST-NOT: fmuladd
; HOST: call float @llvm.fma.f32(
define void @fused(i64 %n, ptr noalias %a, ptr noalias %r) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %p
  %y = call float @llvm.fmuladd.f32(float %x, float %x, float 3.0)
  %q = getelementptr inbounds float, ptr %r, i64 %i
  store float %y, ptr %q
  %next = add nsw i64 %i, 1
  br label %loop
end:
  ret void
}

; KERNEL-LABEL: define void @separate_0_0(
; KERNEL: fmul double
; KERNEL: fadd double
; PTX-LABEL: .entry separate_0_0(
; PTX-NOT: fma
; PTX: mul.rn.f64
; PTX-NOT: fma
; PTX: add.rn.f64
; PTX: ret;
define void @separate(i64 %n, ptr noalias %a, ptr noalias %r) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %m = fmul double %x, %x
  %y = fadd double %m, 3.0
  %q = getelementptr inbounds double, ptr %r, i64 %i
  store double %y, ptr %q
  %next = add nsw i64 %i, 1
  br label %loop
end:
  ret void
}

; PTX-LABEL: .entry rounded_0_0(
; PTX-DAG: sqrt.rn.f32
; PTX-DAG: div.rn.f32
; PTX: ret;
define void @rounded(i64 %n, ptr noalias %a, ptr noalias %r) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %p
  %s = call float @llvm.sqrt.f32(float %x)
  %y = fdiv float %s, 3.0
  %q = getelementptr inbounds float, ptr %r, i64 %i
  store float %y, ptr %q
  %next = add nsw i64 %i, 1
  br label %loop
end:
  ret void
}

declare float @llvm.fmuladd.f32(float, float, float)
declare float @llvm.sqrt.f32(float)
