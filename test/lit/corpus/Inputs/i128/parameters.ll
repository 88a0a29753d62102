; Parameters of 128 bits in bounds and conditions of an affine loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i128 %p, i128 %q) {
entry:
  %lo = trunc i128 %p to i64
  %sh = lshr i128 %q, 64
  %hi = trunc i128 %sh to i64
  br label %i.head
i.head:
  %i = phi i64 [ %lo, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %hi
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %w = sext i64 %i to i128
  %c = icmp slt i128 %w, %p
  br i1 %c, label %yes, label %join
yes:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 3, ptr %q1
  br label %join
join:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
