; Every flag of integer arithmetic on subscripts.
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
  %x = mul nuw nsw i64 %i, 4
  %y = or disjoint i64 %x, 3
  %q1 = getelementptr inbounds i32, ptr %a, i64 %y
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
  %s = shl nuw i64 %j, 1
  %t = sub nuw i64 %s, %j
  %q2 = getelementptr inbounds i32, ptr %a, i64 %t
  store i32 2, ptr %q2
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
  %q = udiv exact i64 %k, 2
  %q3 = getelementptr inbounds i32, ptr %a, i64 %q
  store i32 3, ptr %q3
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
  %e = icmp samesign ult i64 %l, 30
  %w = select i1 %e, i64 %l, i64 30
  %q4 = getelementptr inbounds i32, ptr %a, i64 %w
  store i32 4, ptr %q4
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  ret void
}
