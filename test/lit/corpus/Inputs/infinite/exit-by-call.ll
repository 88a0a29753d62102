; Only a call that does not return leaves the loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @exit(i32) noreturn
define void @f(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %x.p = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %x.p
  %c = icmp eq i32 %x, 0
  br i1 %c, label %stop, label %go
stop:
  call void @exit(i32 1)
  unreachable
go:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 1, ptr %q1
  %next = add i64 %i, 1
  br label %loop
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

