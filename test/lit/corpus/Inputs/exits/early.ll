; A break on data, on the counter, and a return from the inner loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i64 @f(ptr noalias %a, ptr noalias %b, i64 %n, i64 %m) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds i32, ptr %b, i64 %i
  %x = load i32, ptr %x.p
  %c = icmp slt i32 %x, 0
  br i1 %c, label %out, label %go
go:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 %x, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %out
out:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %out ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %d = icmp eq i64 %j, %m
  br i1 %d, label %out2, label %go2
go2:
  %q2 = getelementptr inbounds i32, ptr %a, i64 %j
  store i32 5, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %out2
out2:
  br label %k.head
k.head:
  %k = phi i64 [ 0, %out2 ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, %n
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  br label %l.head
l.head:
  %l = phi i64 [ 0, %k.body ], [ %l.next, %l.latch ]
  %l.more = icmp slt i64 %l, %m
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %s = add nsw i64 %k, %l
  %y.p = getelementptr inbounds i32, ptr %b, i64 %s
  %y = load i32, ptr %y.p
  %e = icmp eq i32 %y, 9
  br i1 %e, label %found, label %go3
go3:
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  ret i64 -1
found:
  ret i64 %s
}
