; Phis with one predecessor, in chains, behind and inside of the loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i64 @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br label %one
one:
  %u = phi i64 [ %i, %i.body ]
  br label %two
two:
  %v = phi i64 [ %u, %one ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %v
  store i64 %v, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  %l = phi i64 [ %i, %i.head ]
  br label %out
out:
  %m = phi i64 [ %l, %i.exit ]
  ret i64 %m
}
