; Endless loops that write memory, with and without a counter.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @counted(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  %next = add nsw i64 %i, 1
  br label %loop
}
define void @same(ptr %a) mustprogress {
entry:
  br label %loop
loop:
  store i32 1, ptr %a
  br label %loop
}
@g.m = global [40 x [40 x double]] zeroinitializer
define void @g() {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 40
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %i
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %p = getelementptr inbounds [40 x [40 x double]], ptr @g.m, i64 0, i64 %i, i64 %j
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
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

