; Subscripts from memory, squares, remainders, bits.
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
  %x.p = getelementptr inbounds i64, ptr %b, i64 %i
  %x = load i64, ptr %x.p
  %q1 = getelementptr inbounds i32, ptr %a, i64 %x
  store i32 1, ptr %q1
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
  %s = mul i64 %j, %j
  %q2 = getelementptr inbounds i32, ptr %a, i64 %s
  store i32 1, ptr %q2
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
  %r = srem i64 %k, 10
  %q3 = getelementptr inbounds i32, ptr %a, i64 %r
  store i32 1, ptr %q3
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
  %z = xor i64 %l, 5
  %q4 = getelementptr inbounds i32, ptr %a, i64 %z
  store i32 1, ptr %q4
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
  %d = sdiv i64 %m, 4
  %q5 = getelementptr inbounds i32, ptr %a, i64 %d
  store i32 1, ptr %q5
  br label %m.latch
m.latch:
  %m.next = add nsw i64 %m, 1
  br label %m.head
m.exit:
  ret void
}
