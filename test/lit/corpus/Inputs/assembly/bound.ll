; Bound, step and base come from assembly.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a) {
entry:
  %n = call i64 asm "mov $$100, $0", "=r"()
  %b = call ptr asm "", "=r,0"(ptr %a)
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %b, i64 %i
  store i64 %i, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  %m = call { i32, i32 } asm sideeffect "rdtsc", "={ax},={dx}"()
  %lo = extractvalue { i32, i32 } %m, 0
  br label %j.head
j.head:
  %j = phi i32 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i32 %j, %lo
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %w = sext i32 %j to i64
  %q2 = getelementptr inbounds i32, ptr %a, i64 %w
  store i32 %j, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i32 %j, 1
  br label %j.head
j.exit:
  ret void
}
