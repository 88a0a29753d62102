; An exit to a block of its own in each of three nested loops.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @f(ptr %a, ptr %b) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 100
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 100
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  br label %k.head
k.head:
  %k = phi i64 [ 0, %j.body ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, 100
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %x.p = getelementptr inbounds i32, ptr %a, i64 %k
  %x = load i32, ptr %x.p
  switch i32 %x, label %ok [i32 1, label %e1 i32 2, label %e2 i32 3, label %i.latch i32 4, label %j.latch]
ok:
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
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %l.head
l.head:
  %l = phi i64 [ 0, %i.exit ], [ %l.next, %l.latch ]
  %l.more = icmp slt i64 %l, 100
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %q1 = getelementptr inbounds i32, ptr %b, i64 %l
  store i32 4, ptr %q1
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  ret i32 0
e1:
  ret i32 1
e2:
  ret i32 2
}
