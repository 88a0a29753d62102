; A switch over the counter, over its remainder, over a parameter.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @counter(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 100
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  switch i64 %i, label %other [i64 0, label %first i64 99, label %last]
first:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 1, ptr %q1
  br label %join
last:
  %q2 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 2, ptr %q2
  br label %join
other:
  %q3 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 3, ptr %q3
  br label %join
join:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @remainder(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 100
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %r = urem i64 %i, 3
  switch i64 %r, label %join [i64 0, label %x i64 1, label %y]
x:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 1, ptr %q1
  br label %join
y:
  %q2 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 2, ptr %q2
  br label %join
join:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @parameter(ptr %a, i32 %k, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  switch i32 %k, label %join [i32 4, label %x i32 5, label %y]
x:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 1, ptr %q1
  br label %join
y:
  %q2 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 2, ptr %q2
  br label %join
join:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
