; Steps of two, of minus three, doubling, halving, of a parameter.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n, i64 %s) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 2
  br label %i.head
i.exit:
  br label %l
l:
  %j = phi i64 [ %n, %i.exit ], [ %j1, %l ]
  %q2 = getelementptr inbounds i32, ptr %a, i64 %j
  store i32 1, ptr %q2
  %j1 = add nsw i64 %j, -3
  %c = icmp sge i64 %j1, 0
  br i1 %c, label %l, label %m
m:
  %k = phi i64 [ 1, %l ], [ %k1, %m ]
  %q3 = getelementptr inbounds i32, ptr %a, i64 %k
  store i32 1, ptr %q3
  %k1 = shl nsw i64 %k, 1
  %d = icmp slt i64 %k1, %n
  br i1 %d, label %m, label %o
o:
  %h = phi i64 [ %n, %m ], [ %h1, %o ]
  %q4 = getelementptr inbounds i32, ptr %a, i64 %h
  store i32 1, ptr %q4
  %h1 = lshr i64 %h, 1
  %e = icmp ne i64 %h1, 0
  br i1 %e, label %o, label %p
p:
  br label %q.head
q.head:
  %q = phi i64 [ 0, %p ], [ %q.next, %q.latch ]
  %q.more = icmp slt i64 %q, %n
  br i1 %q.more, label %q.body, label %q.exit
q.body:
  %q5 = getelementptr inbounds i32, ptr %a, i64 %q
  store i32 1, ptr %q5
  br label %q.latch
q.latch:
  %q.next = add nsw i64 %q, %s
  br label %q.head
q.exit:
  ret void
}
