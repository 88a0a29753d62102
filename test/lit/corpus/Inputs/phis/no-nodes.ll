; A join with no phi, and phis of structures and vectors.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, { i32, float } %s, <4 x i32> %w, i1 %c, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br i1 %c, label %x, label %join
x:
  %s1 = insertvalue { i32, float } %s, i32 5, 0
  %w1 = add <4 x i32> %w, %w
  br label %join
join:
  %r = phi { i32, float } [ %s, %i.body ], [ %s1, %x ]
  %v = phi <4 x i32> [ %w, %i.body ], [ %w1, %x ]
  %e = extractvalue { i32, float } %r, 0
  %q1 = getelementptr inbounds <4 x i32>, ptr %a, i64 %i
  store <4 x i32> %v, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q2 = getelementptr inbounds i32, ptr %a, i64 %j
  store i32 1, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
