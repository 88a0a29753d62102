; Fields of one structure written by several loops, one array in it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%t = type { i64, [10 x double], { i32, i32 } }
define void @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds %t, ptr %a, i64 %i, i32 0
  store i64 %i, ptr %p
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
  br label %k.head
k.head:
  %k = phi i64 [ 0, %j.body ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, 10
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %q = getelementptr inbounds %t, ptr %a, i64 %j, i32 1, i64 %k
  store double 0.0, ptr %q
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %l.head
l.head:
  %l = phi i64 [ 0, %j.exit ], [ %l.next, %l.latch ]
  %l.more = icmp slt i64 %l, %n
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %r = getelementptr inbounds %t, ptr %a, i64 %l, i32 2, i32 1
  store i32 9, ptr %r
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  ret void
}
