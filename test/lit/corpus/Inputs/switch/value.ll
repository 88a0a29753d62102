; The switch only chooses a value, which is stored behind it.
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
  %x.p = getelementptr inbounds i32, ptr %b, i64 %i
  %x = load i32, ptr %x.p
  switch i32 %x, label %join [i32 1, label %one i32 2, label %two i32 3, label %three]
one:
  br label %join
two:
  br label %join
three:
  br label %join
join:
  %v = phi float [ 0.0, %i.body ], [ 1.5, %one ], [ 2.5, %two ], [ 3.5, %three ]
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float %v, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
