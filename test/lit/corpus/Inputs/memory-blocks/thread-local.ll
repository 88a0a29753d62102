; Thread-local arrays by their intrinsic, in both orders.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@t = thread_local global [100 x i32] zeroinitializer
@u = external thread_local(initialexec) global [100 x i32]
declare ptr @llvm.threadlocal.address.p0(ptr)
define void @f(i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = call ptr @llvm.threadlocal.address.p0(ptr @t)
  %q1 = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %q1
  %q = call ptr @llvm.threadlocal.address.p0(ptr @u)
  %q2 = getelementptr inbounds i32, ptr %q, i64 %i
  store i32 2, ptr %q2
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 100
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q3 = getelementptr inbounds i32, ptr @t, i64 %j
  store i32 5, ptr %q3
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
