; One join of twelve ways, the values used in an affine store.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr noalias %a, i32 %k, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  switch i32 %k, label %c0 [i32 1, label %c1 i32 2, label %c2 i32 3, label %c3
    i32 4, label %c4 i32 5, label %c5 i32 6, label %c6 i32 7, label %c7
    i32 8, label %c8 i32 9, label %c9 i32 10, label %c10]
c0:
  br label %join
c1:
  br label %join
c2:
  br label %join
c3:
  br label %join
c4:
  br label %join
c5:
  br label %join
c6:
  br label %join
c7:
  br label %join
c8:
  br label %join
c9:
  br label %join
c10:
  br label %join
join:
  %v = phi i64 [ 0, %c0 ], [ %i, %c1 ], [ 2, %c2 ], [ 3, %c3 ], [ 4, %c4 ], [ 5, %c5 ], [ %n, %c6 ], [ 7, %c7 ], [ 8, %c8 ], [ 9, %c9 ], [ 10, %c10 ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %v, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
