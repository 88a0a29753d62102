; An inlined callee of assembly only, and one by pointer.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define internal i32 @count(i32 %x) alwaysinline {
  %y = tail call i32 asm "popcnt $1, $0", "=r,r"(i32 %x)
  ret i32 %y
}
define void @f(ptr %a, ptr %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %x.p
  %y = call i32 @count(i32 %x)
  %q1 = getelementptr inbounds i32, ptr %b, i64 %i
  store i32 %y, ptr %q1
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
  %u.p = getelementptr inbounds i32, ptr %b, i64 %j
  %u = load i32, ptr %u.p
  %v = xor i32 %u, -1
  %q2 = getelementptr inbounds i32, ptr %b, i64 %j
  store i32 %v, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
