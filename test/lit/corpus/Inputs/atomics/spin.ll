; Waits for a flag, then runs an affine loop, then sets another.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@ready = global i32 0
@done = global i32 0
define void @f(ptr %a, i64 %n) {
entry:
  br label %wait
wait:
  %x = load atomic i32, ptr @ready acquire, align 4
  %c = icmp eq i32 %x, 0
  br i1 %c, label %wait, label %go
go:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %go ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  store atomic i32 1, ptr @done release, align 4
  ret void
}
