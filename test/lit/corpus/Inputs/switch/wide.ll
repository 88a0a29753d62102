; A switch over 128 bits, and weights of its cases.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i128 %k, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  switch i128 %k, label %join [i128 18446744073709551616, label %y i128 1, label %z], !prof !0
y:
  %q1 = getelementptr inbounds i8, ptr %a, i64 %i
  store i8 5, ptr %q1
  br label %join
z:
  %q2 = getelementptr inbounds i8, ptr %a, i64 %i
  store i8 6, ptr %q2
  br label %join
join:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 0, i32 4000000000}
