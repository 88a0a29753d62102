; Loops that do nothing, run never, or once; deep and empty nests.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 10, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 5
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %j
  store i32 1, ptr %q1
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %k.head
k.head:
  %k = phi i64 [ 0, %j.exit ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, 1
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %q2 = getelementptr inbounds i32, ptr %a, i64 %k
  store i32 1, ptr %q2
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  br label %u.head
u.head:
  %u = phi i64 [ 0, %k.exit ], [ %u.next, %u.latch ]
  %u.more = icmp slt i64 %u, %n
  br i1 %u.more, label %u.body, label %u.exit
u.body:
  br label %v.head
v.head:
  %v = phi i64 [ 0, %u.body ], [ %v.next, %v.latch ]
  %v.more = icmp slt i64 %v, %u
  br i1 %v.more, label %v.body, label %v.exit
v.body:
  br label %w.head
w.head:
  %w = phi i64 [ 0, %v.body ], [ %w.next, %w.latch ]
  %w.more = icmp slt i64 %w, %v
  br i1 %w.more, label %w.body, label %w.exit
w.body:
  br label %w.latch
w.latch:
  %w.next = add nsw i64 %w, 1
  br label %w.head
w.exit:
  br label %v.latch
v.latch:
  %v.next = add nsw i64 %v, 1
  br label %v.head
v.exit:
  br label %u.latch
u.latch:
  %u.next = add nsw i64 %u, 1
  br label %u.head
u.exit:
  ret void
}
