; What counts or traces calls of a function stays with the function; the copy
; and the kernels have none of it, so that each call counts once, and keep what
; protects their stack.  A body that is moved leaves it to its function, too.
;
; RUN: %opt -passes=gpu-polyhedral,verify -gpu-targets=emulated -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
;
; CHECK-DAG: define void @plain({{.*}}) #[[PLAIN:[0-9]+]]
; CHECK-DAG: define internal void @plain.polygpu({{.*}}) {{.*}}#[[COPY:[0-9]+]]
; CHECK-DAG: define internal void @large.original({{.*}}) {{.*}}#[[MOVED:[0-9]+]]
; CHECK-DAG: define internal void @large.polygpu({{.*}}) {{.*}}#[[COPY]]
; CHECK-DAG: define internal void @polygpu.emulated.plain{{[^(]*}}({{.*}}) {{.*}}#[[KERNEL:[0-9]+]]
;
; CHECK-DAG: attributes #[[PLAIN]] = { nounwind sspstrong "fentry-call"="true" "function-instrument"="xray-always" "instrument-function-entry"="enter" "instrument-function-entry-inlined"="mcount" "instrument-function-exit"="exit" "instrument-function-exit-inlined"="exit" "mnop-mcount" "mrecord-mcount" "patchable-function"="prologue-short-redirect" "patchable-function-entry"="4" "patchable-function-prefix"="2" "polygpu" "probe-stack"="inline-asm" "xray-instruction-threshold"="1" "xray-skip-exit" }
; CHECK-DAG: attributes #[[COPY]] = { noinline nosanitize_coverage nounwind skipprofile sspstrong "polygpu" "probe-stack"="inline-asm" }
; CHECK-DAG: attributes #[[MOVED]] = { noinline nounwind sspstrong "polygpu" "probe-stack"="inline-asm" }
; CHECK-DAG: attributes #[[KERNEL]] = { {{.*}}noprofile nosanitize_coverage {{.*}} }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @use(ptr)

define void @plain(i64 %n, ptr noalias %a) #0 {
entry:
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

define void @large(i64 %n, ptr noalias %a) #0 {
entry:
  %local = alloca [8192 x double]
  call void @use(ptr %local)
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
  call void @use(ptr %local)
  ret void
}

attributes #0 = { nounwind sspstrong "fentry-call"="true" "mnop-mcount" "mrecord-mcount" "instrument-function-entry"="enter" "instrument-function-exit"="exit" "instrument-function-entry-inlined"="mcount" "instrument-function-exit-inlined"="exit" "patchable-function"="prologue-short-redirect" "patchable-function-entry"="4" "patchable-function-prefix"="2" "function-instrument"="xray-always" "xray-instruction-threshold"="1" "xray-skip-exit" "probe-stack"="inline-asm" }
