; Calls through pointers, with a list of callees, through a table.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@table = constant [2 x ptr] [ptr @one, ptr @two]
define internal i32 @one(i32 %x) {
  ret i32 1
}
define internal i32 @two(i32 %x) {
  ret i32 %x
}
define void @f(ptr %a, ptr %fn, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x = call i32 %fn(i32 3), !callees !0
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 %x, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %m = and i64 %j, 1
  %p = getelementptr [2 x ptr], ptr @table, i64 0, i64 %m
  %g = load ptr, ptr %p
  %y = call i32 %g(i32 4)
  %q2 = getelementptr inbounds i32, ptr %a, i64 %j
  store i32 %y, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %k.head
k.head:
  %k = phi i64 [ 0, %j.exit ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, %n
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %z = call i32 @two(i32 7)
  %q3 = getelementptr inbounds i32, ptr %a, i64 %k
  store i32 %z, ptr %q3
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  ret void
}
!0 = !{ptr @one, ptr @two}
