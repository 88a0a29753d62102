; A returned-continuation coroutine, and the loop that drives it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare token @llvm.coro.id.retcon(i32, i32, ptr, ptr, ptr, ptr)
declare ptr @llvm.coro.begin(token, ptr)
declare i1 @llvm.coro.suspend.retcon.i1(...)
declare void @llvm.coro.end(ptr, i1, token)
declare ptr @proto(ptr, i1)
declare ptr @allocate(i32)
declare void @deallocate(ptr)
declare void @print(i32)
define ptr @f(ptr %buffer, i32 %n) presplitcoroutine {
entry:
  %id = call token @llvm.coro.id.retcon(i32 8, i32 4, ptr %buffer, ptr @proto, ptr @allocate, ptr @deallocate)
  %hdl = call ptr @llvm.coro.begin(token %id, ptr null)
  br label %loop
loop:
  %v = phi i32 [ %n, %entry ], [ %inc, %resume ]
  call void @print(i32 %v)
  %done = call i1 (...) @llvm.coro.suspend.retcon.i1()
  br i1 %done, label %cleanup, label %resume
resume:
  %inc = add i32 %v, 1
  br label %loop
cleanup:
  call void @llvm.coro.end(ptr %hdl, i1 false, token none)
  unreachable
}
define void @g(ptr %a, i32 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i32 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br label %j.head
j.head:
  %j = phi i32 [ 0, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i32 %j, 64
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %i.w = sext i32 %i to i64
  %j.w = sext i32 %j to i64
  %row = getelementptr inbounds [64 x i32], ptr %a, i64 %i.w
  %q1 = getelementptr inbounds i32, ptr %row, i64 %j.w
  store i32 %j, ptr %q1
  br label %j.latch
j.latch:
  %j.next = add nsw i32 %j, 1
  br label %j.head
j.exit:
  br label %i.latch
i.latch:
  %i.next = add nsw i32 %i, 1
  br label %i.head
i.exit:
  ret void
}

