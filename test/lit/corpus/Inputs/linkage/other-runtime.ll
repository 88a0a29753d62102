; The runtime's names as something else: a variable, another type.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@polygpu_begin = global i32 0
declare i32 @polygpu_end(float)
define void @polygpu_move(ptr %a) {
  ret void
}
define void @f(ptr %a, i64 %n) {
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
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
