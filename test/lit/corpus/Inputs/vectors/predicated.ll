; Vector-predicated intrinsics and an explicit length.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare <4 x i32> @llvm.vp.add.v4i32(<4 x i32>, <4 x i32>, <4 x i1>, i32)
declare i32 @llvm.experimental.get.vector.length.i64(i64, i32, i1)
declare <4 x i1> @llvm.get.active.lane.mask.v4i1.i64(i64, i64)
define void @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %len = call i32 @llvm.experimental.get.vector.length.i64(i64 %n, i32 4, i1 false)
  %m = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i64(i64 %i, i64 %n)
  %x.p = getelementptr inbounds <4 x i32>, ptr %a, i64 %i
  %x = load <4 x i32>, ptr %x.p
  %y = call <4 x i32> @llvm.vp.add.v4i32(<4 x i32> %x, <4 x i32> %x, <4 x i1> %m, i32 %len)
  %q1 = getelementptr inbounds <4 x i32>, ptr %a, i64 %i
  store <4 x i32> %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @g(ptr %a, i32 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i32 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br label %j.head
j.head:
  %j = phi i32 [ 0, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i32 %j, 64
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %i.w = sext i32 %i to i64
  %j.w = sext i32 %j to i64
  %row = getelementptr inbounds [64 x i32], ptr %a, i64 %i.w
  %q1 = getelementptr inbounds i32, ptr %row, i64 %j.w
  store i32 %j, ptr %q1
  br label %j.latch
j.latch:
  %j.next = add nsw i32 %j, 1
  br label %j.head
j.exit:
  br label %i.latch
i.latch:
  %i.next = add nsw i32 %i, 1
  br label %i.head
i.exit:
  ret void
}

