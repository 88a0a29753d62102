; 128 bits only between: the high half of a product.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds i64, ptr %a, i64 %i
  %x = load i64, ptr %x.p
  %y.p = getelementptr inbounds i64, ptr %b, i64 %i
  %y = load i64, ptr %y.p
  %xw = zext i64 %x to i128
  %yw = zext i64 %y to i128
  %m = mul nuw i128 %xw, %yw
  %h = lshr i128 %m, 64
  %r = trunc i128 %h to i64
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %r, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
