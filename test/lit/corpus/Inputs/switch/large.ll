; Many cases, far apart, of an odd width.
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
  %x.p = getelementptr inbounds i24, ptr %a, i64 %i
  %x = load i24, ptr %x.p
  switch i24 %x, label %join [
    i24 0, label %y i24 1, label %z i24 100, label %y i24 101, label %z
    i24 1000, label %y i24 1001, label %z i24 -1, label %y i24 -2, label %z
    i24 4242, label %y i24 4243, label %z i24 77777, label %y i24 88888, label %z]
y:
  %q1 = getelementptr inbounds i24, ptr %a, i64 %i
  store i24 5, ptr %q1
  br label %join
z:
  %q2 = getelementptr inbounds i24, ptr %a, i64 %i
  store i24 6, ptr %q2
  br label %join
join:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
