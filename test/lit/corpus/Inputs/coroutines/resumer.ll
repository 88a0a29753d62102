; An ordinary function that resumes coroutines in a loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @llvm.coro.resume(ptr)
declare i1 @llvm.coro.done(ptr)
declare ptr @llvm.coro.promise(ptr, i32, i1)
define void @f(ptr %h, ptr %out, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = call ptr @llvm.coro.promise(ptr %h, i32 4, i1 false)
  %x = load i32, ptr %p
  %q1 = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %x, ptr %q1
  call void @llvm.coro.resume(ptr %h)
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %rest
rest:
  %d = call i1 @llvm.coro.done(ptr %h)
  br i1 %d, label %end, label %more
more:
  call void @llvm.coro.resume(ptr %h)
  br label %rest
end:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %end ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q2 = getelementptr inbounds i32, ptr %out, i64 %j
  store i32 0, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
