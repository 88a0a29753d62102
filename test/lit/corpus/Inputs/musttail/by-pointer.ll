; An interpreter's step: the next function comes from a table.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@table = external constant [256 x ptr]
define swifttailcc void @step(ptr %code, ptr %stack, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %stack, i64 %i
  store i64 0, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  %op = load i8, ptr %code
  %w = zext i8 %op to i64
  %p = getelementptr [256 x ptr], ptr @table, i64 0, i64 %w
  %fn = load ptr, ptr %p
  %next = getelementptr i8, ptr %code, i64 1
  musttail call swifttailcc void %fn(ptr %next, ptr %stack, i64 %n)
  ret void
}
