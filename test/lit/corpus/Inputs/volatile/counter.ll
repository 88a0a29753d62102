; The counter itself is volatile memory.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i32 %n) {
entry:
  %i = alloca i32
  store volatile i32 0, ptr %i
  br label %head
head:
  %x = load volatile i32, ptr %i
  %c = icmp slt i32 %x, %n
  br i1 %c, label %body, label %end
body:
  %y = load volatile i32, ptr %i
  %w = sext i32 %y to i64
  %q1 = getelementptr inbounds i32, ptr %a, i64 %w
  store i32 %y, ptr %q1
  %z = load volatile i32, ptr %i
  %z1 = add i32 %z, 1
  store volatile i32 %z1, ptr %i
  br label %head
end:
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

