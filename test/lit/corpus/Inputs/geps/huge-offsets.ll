; Offsets at the ends of 64 bits; an array larger than memory.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@big = external global [4611686018427387904 x i32]
define void @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %k = add i64 %i, 9223372036854775000
  %q1 = getelementptr inbounds i8, ptr %a, i64 %k
  store i8 1, ptr %q1
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
  %p = getelementptr [4611686018427387904 x i32], ptr @big, i64 0, i64 %j
  store i32 1, ptr %p
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %l.head
l.head:
  %l = phi i64 [ 0, %j.exit ], [ %l.next, %l.latch ]
  %l.more = icmp slt i64 %l, %n
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %m = mul i64 %l, 4611686018427387905
  %q2 = getelementptr inbounds i32, ptr %a, i64 %m
  store i32 1, ptr %q2
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  ret void
}
