; No case but the default; all cases to one block; a default that cannot be.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  switch i64 %i, label %s []
s:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @g(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  switch i64 %i, label %s [i64 1, label %s i64 2, label %s]
s:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @h(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %m = and i64 %i, 1
  switch i64 %m, label %never [i64 0, label %e i64 1, label %o]
never:
  unreachable
e:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 1, ptr %q1
  br label %join
o:
  %q2 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 2, ptr %q2
  br label %join
join:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
