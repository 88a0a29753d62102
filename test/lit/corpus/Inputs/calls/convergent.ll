; Convergent calls with control tokens in loops.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @sync() convergent
declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
define void @f(ptr %a, i64 %n) convergent {
entry:
  %t = call token @llvm.experimental.convergence.entry()
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %u = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %t) ]
  call void @sync() [ "convergencectrl"(token %u) ]
  %i1 = add i64 %i, 1
  %c = icmp slt i64 %i1, %n
  br i1 %c, label %loop, label %next
next:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %next ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %j
  store i64 %j, ptr %q1
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
define void @g(ptr %a, i64 %n) convergent {
entry:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %entry ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %j
  store i64 %j, ptr %q1
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
