; Volatile on one of two ways through the loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n, i64 %m) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %c = icmp slt i64 %i, %m
  br i1 %c, label %plain, label %special
special:
  %p = getelementptr i64, ptr %a, i64 %i
  store volatile i64 1, ptr %p
  br label %join
plain:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 2, ptr %q1
  br label %join
join:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
