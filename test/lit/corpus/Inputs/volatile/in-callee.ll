; The access is in a callee that is inlined into an affine nest.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@log = global i32 0
define internal i32 @note(i32 %x) {
  store volatile i32 %x, ptr @log
  ret i32 %x
}
define void @f(ptr %a, i32 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i32 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %w = zext i32 %i to i64
  %r = call i32 @note(i32 %i)
  %q1 = getelementptr inbounds i32, ptr %a, i64 %w
  store i32 %r, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i32 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i32 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i32 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %v = zext i32 %j to i64
  %q2 = getelementptr inbounds i32, ptr %a, i64 %v
  store i32 0, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i32 %j, 1
  br label %j.head
j.exit:
  ret void
}
