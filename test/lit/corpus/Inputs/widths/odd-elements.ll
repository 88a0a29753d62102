; Elements of 1, 7, 17, 24, 33, 48 and 63 bits.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, ptr %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds i1, ptr %a, i64 %i
  %x = load i1, ptr %x.p
  %nx = xor i1 %x, true
  %q1 = getelementptr inbounds i1, ptr %a, i64 %i
  store i1 %nx, ptr %q1
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
  %q2 = getelementptr inbounds i7, ptr %b, i64 %j
  store i7 5, ptr %q2
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
  %q3 = getelementptr inbounds i17, ptr %b, i64 %k
  store i17 5, ptr %q3
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  br label %l.head
l.head:
  %l = phi i64 [ 0, %k.exit ], [ %l.next, %l.latch ]
  %l.more = icmp slt i64 %l, %n
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %q4 = getelementptr inbounds i24, ptr %a, i64 %l
  store i24 5, ptr %q4
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  br label %m.head
m.head:
  %m = phi i64 [ 0, %l.exit ], [ %m.next, %m.latch ]
  %m.more = icmp slt i64 %m, %n
  br i1 %m.more, label %m.body, label %m.exit
m.body:
  %q5 = getelementptr inbounds i33, ptr %a, i64 %m
  store i33 5, ptr %q5
  br label %m.latch
m.latch:
  %m.next = add nsw i64 %m, 1
  br label %m.head
m.exit:
  br label %o.head
o.head:
  %o = phi i64 [ 0, %m.exit ], [ %o.next, %o.latch ]
  %o.more = icmp slt i64 %o, %n
  br i1 %o.more, label %o.body, label %o.exit
o.body:
  %q6 = getelementptr inbounds i48, ptr %a, i64 %o
  store i48 5, ptr %q6
  br label %o.latch
o.latch:
  %o.next = add nsw i64 %o, 1
  br label %o.head
o.exit:
  br label %p.head
p.head:
  %p = phi i64 [ 0, %o.exit ], [ %p.next, %p.latch ]
  %p.more = icmp slt i64 %p, %n
  br i1 %p.more, label %p.body, label %p.exit
p.body:
  %q7 = getelementptr inbounds i63, ptr %a, i64 %p
  store i63 5, ptr %q7
  br label %p.latch
p.latch:
  %p.next = add nsw i64 %p, 1
  br label %p.head
p.exit:
  ret void
}
