; Arrays on the stack: of variable length, in the loop, saved and restored.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare void @use(ptr)
define void @f(i64 %n) {
entry:
  %v = alloca i32, i64 %n
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr %v, i64 %i
  store i32 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  call void @use(ptr %v)
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %s = call ptr @llvm.stacksave.p0()
  %w = alloca float, i64 %j
  br label %k.head
k.head:
  %k = phi i64 [ 0, %j.body ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, %j
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %q2 = getelementptr inbounds float, ptr %w, i64 %k
  store float 1.0, ptr %q2
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  call void @use(ptr %w)
  call void @llvm.stackrestore.p0(ptr %s)
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
define ptr @g(i64 %n) {
entry:
  %b = alloca inalloca [10 x i32]
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 10
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr %b, i64 %i
  store i32 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret ptr %b
}
