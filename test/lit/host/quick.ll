; The way of host code between two runs: a SCoP of constant sizes may have been
; found hopeless for as long as nothing is on the device, and touches are behind a look at a variable.  That one is not
; taken for the module's own: it may be in a shared library.  From
;
;   for (int t = 0; t < n; t++) {
;       for (int i = 0; i < 8; i++)
;           b[i] = a[i] + 1;
;       a[place[t]] = 0;
;   }
;
; and the same for m elements, which is no constant: that is asked for m.
;
; RUN: %opt -passes=gpu-polyhedral,verify -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck --check-prefix=SIZED %s < %t.ll
;
; A variable of that name that is something else:
; RUN: sh -c 'echo "@polygpu_in_use = global i32 1" | cat %s - > %t.own.ll'
; RUN: %opt -passes=gpu-polyhedral -pass-remarks-missed=gpu-polyhedral -S %t.own.ll \
; RUN:   -o /dev/null 2>&1 | %FileCheck --check-prefix=OWN %s
; OWN: the program has a symbol 'polygpu_in_use', a name that offloaded loops need
;
; CHECK-DAG: @polygpu.scop.steps = private global { {{.*}} } { i32 [[#]], {{.*}}, i32 1, i32 0, ptr null, i64 0, i64 0 } #[[MARK:[0-9]+]]
; CHECK-DAG: @polygpu.scop.sized = private global { {{.*}} } { i32 [[#]], {{.*}}, i32 0, i32 0, ptr null, i64 0, i64 0 } #[[MARK]]
; CHECK-DAG: @polygpu_in_use = external global i32{{$}}
;
; CHECK-LABEL: define internal void @steps.polygpu(
; CHECK: [[HOPELESS:%[0-9a-z.]+]] = load atomic i64, ptr getelementptr {{.*}}@polygpu.scop.steps, {{.*}} unordered, align 8
; CHECK-NEXT: [[BUSY:%[0-9a-z.]+]] = load atomic i32, ptr @polygpu_in_use unordered, align 4
; CHECK-NEXT: [[SAID:%[0-9a-z.]+]] = icmp eq i64 [[HOPELESS]], 1
; CHECK-NEXT: [[FREE:%[0-9a-z.]+]] = icmp eq i32 [[BUSY]], 0
; CHECK-NEXT: [[IS:%[0-9a-z.]+]] = and i1 [[SAID]], [[FREE]]
; CHECK-NEXT: br i1 [[IS]], label %polygpu.join, label %[[REST:.*]]
; CHECK: [[REST]]:
; CHECK: call ptr @polygpu_begin_sized(ptr @polygpu.scop.steps,
; CHECK: polygpu.join:
; CHECK: phi i1 {{.*}}[ false, %{{.*}} ]
;
; The original loops, and the line behind.
; CHECK: [[USED:%[0-9a-z.]+]] = load atomic i32, ptr @polygpu_in_use unordered, align 4
; CHECK-NEXT: [[ANY:%[0-9a-z.]+]] = icmp ne i32 [[USED]], 0
; CHECK-NEXT: br i1 [[ANY]], label %[[TOUCH:.*]], label %[[ON:.*]], !prof ![[UNLIKELY:[0-9]+]]
; CHECK: [[TOUCH]]:
; CHECK-NEXT: call void @polygpu_touch(
; CHECK-NEXT: br label %[[ON]]
;
; The runtime may want to hear when they end.
; CHECK: [[TIMING:%[0-9a-z.]+]] = load atomic i64, ptr getelementptr {{.*}}@polygpu.scop.steps, {{.*}} unordered, align 8
; CHECK-NEXT: [[ASKED:%[0-9a-z.]+]] = icmp ne i64 [[TIMING]], 0
; CHECK-NEXT: br i1 [[ASKED]], label %[[TELL:.*]], label %{{.*}}, !prof ![[UNLIKELY]]
; CHECK: [[TELL]]:
; CHECK-NEXT: call void @polygpu_loops_end(ptr @polygpu.scop.steps)
; CHECK-COUNT-1: br i1 {{.*}}, !prof ![[UNLIKELY]]
; CHECK-NOT: !prof
; CHECK: ret void
; CHECK: ![[UNLIKELY]] = !{!"branch_weights", i32 1,
;
; SIZED-LABEL: define internal void @sized.polygpu(
; SIZED: polygpu.begin:
; SIZED: [[HASH:%[0-9a-z.]+]] = mul i64 {{.*}}, -7046029254386353131
; SIZED-NEXT: [[HOPELESS:%[0-9a-z.]+]] = load atomic i64, ptr getelementptr {{.*}}@polygpu.scop.sized, {{.*}} unordered, align 8
; SIZED-NEXT: [[BUSY:%[0-9a-z.]+]] = load atomic i32, ptr @polygpu_in_use unordered, align 4
; SIZED-NEXT: [[KEY:%[0-9a-z.]+]] = or i64 [[HASH]], 1
; SIZED-NEXT: [[SAID:%[0-9a-z.]+]] = icmp eq i64 [[HOPELESS]], [[KEY]]
; SIZED: br i1 {{.*}}, label %polygpu.join, label %polygpu.asked
; SIZED: polygpu.asked:
; SIZED: call ptr @polygpu_begin_sized(ptr @polygpu.scop.sized,

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@a = global [1000 x double] zeroinitializer
@b = global [1000 x double] zeroinitializer
@place = global [1000 x i64] zeroinitializer

define void @steps(i64 %n) {
entry:
  br label %for.t

for.t:
  %t = phi i64 [ 0, %entry ], [ %t.next, %inc.t ]
  %cmp.t = icmp slt i64 %t, %n
  br i1 %cmp.t, label %for.i, label %end

for.i:
  %i = phi i64 [ 0, %for.t ], [ %i.next, %for.i ]
  %from = getelementptr inbounds double, ptr @a, i64 %i
  %old = load double, ptr %from
  %new = fadd double %old, 1.0
  %to = getelementptr inbounds double, ptr @b, i64 %i
  store double %new, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %cmp.i = icmp slt i64 %i.next, 8
  br i1 %cmp.i, label %for.i, label %inc.t

inc.t:
  %where = getelementptr inbounds i64, ptr @place, i64 %t
  %at = load i64, ptr %where
  %zero = getelementptr inbounds double, ptr @a, i64 %at
  store double 0.0, ptr %zero
  %t.next = add nuw nsw i64 %t, 1
  br label %for.t

end:
  ret void
}

define void @sized(i64 %n, i64 %m) {
entry:
  br label %for.t

for.t:
  %t = phi i64 [ 0, %entry ], [ %t.next, %inc.t ]
  %cmp.t = icmp slt i64 %t, %n
  br i1 %cmp.t, label %for.i, label %end

for.i:
  %i = phi i64 [ 0, %for.t ], [ %i.next, %body.i ]
  %cmp.i = icmp slt i64 %i, %m
  br i1 %cmp.i, label %body.i, label %inc.t

body.i:
  %from = getelementptr inbounds double, ptr @a, i64 %i
  %old = load double, ptr %from
  %new = fadd double %old, 1.0
  %to = getelementptr inbounds double, ptr @b, i64 %i
  store double %new, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  br label %for.i

inc.t:
  %where = getelementptr inbounds i64, ptr @place, i64 %t
  %at = load i64, ptr %where
  %zero = getelementptr inbounds double, ptr @a, i64 %at
  store double 0.0, ptr %zero
  %t.next = add nuw nsw i64 %t, 1
  br label %for.t

end:
  ret void
}
