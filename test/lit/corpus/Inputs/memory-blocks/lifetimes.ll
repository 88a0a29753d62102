; Lifetimes of local arrays: whole function, one round, unbalanced.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare ptr @llvm.invariant.start.p0(i64, ptr)
declare void @use(ptr)
define void @f(ptr %a, i64 %n) {
entry:
  %t = alloca [64 x float]
  %u = alloca [64 x float]
  call void @llvm.lifetime.start.p0(ptr %t)
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 64
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds float, ptr %t, i64 %i
  store float 1.0, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 64
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %x.p = getelementptr inbounds float, ptr %t, i64 %j
  %x = load float, ptr %x.p
  %q2 = getelementptr inbounds float, ptr %a, i64 %j
  store float %x, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  call void @llvm.lifetime.end.p0(ptr %t)
  br label %k.head
k.head:
  %k = phi i64 [ 0, %j.exit ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, %n
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  call void @llvm.lifetime.start.p0(ptr %u)
  br label %l.head
l.head:
  %l = phi i64 [ 0, %k.body ], [ %l.next, %l.latch ]
  %l.more = icmp slt i64 %l, 64
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %q3 = getelementptr inbounds float, ptr %u, i64 %l
  store float 3.0, ptr %q3
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  call void @use(ptr %u)
  call void @llvm.lifetime.end.p0(ptr %u)
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  %inv = call ptr @llvm.invariant.start.p0(i64 4, ptr %a)
  ret void
}
