; A switch over loaded values, each case with its own store.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds i32, ptr %b, i64 %i
  %x = load i32, ptr %x.p
  switch i32 %x, label %other [i32 0, label %zero i32 -1, label %minus i32 7, label %zero]
zero:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 10, ptr %q1
  br label %join
minus:
  %q2 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 20, ptr %q2
  br label %join
other:
  br label %join
join:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
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

