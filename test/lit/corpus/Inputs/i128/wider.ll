; Integers of 256, 65 and a million bits.
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
  %x.p = getelementptr inbounds i256, ptr %a, i64 %i
  %x = load i256, ptr %x.p
  %y = add i256 %x, 1
  %q1 = getelementptr inbounds i256, ptr %a, i64 %i
  store i256 %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i65 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i65 %j, 100
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %w = trunc i65 %j to i64
  %q2 = getelementptr inbounds i64, ptr %a, i64 %w
  store i64 1, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i65 %j, 1
  br label %j.head
j.exit:
  br label %k.head
k.head:
  %k = phi i64 [ 0, %j.exit ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, 8
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %p = getelementptr i8, ptr %a, i64 %k
  %big = load i1000000, ptr %p
  %t = trunc i1000000 %big to i8
  %q3 = getelementptr inbounds i8, ptr %a, i64 %k
  store i8 %t, ptr %q3
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  ret void
}
